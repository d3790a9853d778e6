// A human's turn of the dice game: roll, keep, mark or cross out.

import { ask } from "./api.js";
import { button, calm, h, notice, show } from "./dom.js";
import { roving } from "./keys.js";
import { choices, keepMove, markMove, obstacle } from "./dice-turn.js";
import { diceRow, faceName, sheet, sheetOf, showChances } from "./dice-view.js";
import { t } from "./words.js";

/** The dice laid out: those kept first, as they lay, then those rolled anew. */
export function arranged(game) {
  const last = game.steps.at(-1);
  const dice = game.position.dice;
  if (!dice || !last?.move.startsWith("keep:")) return { dice, kept: 0 };
  const kept = last.move === "keep:-" ? "" : last.move.slice(5);
  let rest = dice;
  for (const letter of kept) rest = rest.replace(letter, "");
  return { dice: kept + rest, kept: kept.length };
}

/** The table. game: the Game. rules: of the capabilities. act: called with a move. */
export function diceTable(game, rules, nameOf, act) {
  const place = h("div", { class: "table dice-table" });
  const found = choices(game.human ? game.moves : []);
  const remembered = { at: null };
  const laid = arranged(game);
  const kept = new Set(Array.from({ length: laid.kept }, (_, index) => index));
  const { position } = game;
  let chosen = [];
  let chances = null;
  let asking = null;
  let rolling = !calm();

  const letters = () => [...kept].map((index) => laid.dice[index]).join("");
  const keeping = () => (kept.size < 6 ? keepMove(found, letters()) : null);

  function toggleDie(index) {
    if (!found.keeps.size)
      return notice(t(found.roll ? "hint.roll-first" : "hint.no-rerolls"), "hint");
    if (!kept.delete(index)) kept.add(index);
    rolling = false;
    askChances();
    draw();
  }

  function toggleItem(name) {
    const why = obstacle(found, position, chosen, name);
    const need = sheetOf(position, rules).columns[Number(name[1]) - 1];
    if (why) return notice(t(why, { need, icon: faceName(name[0]) }), "hint");
    chosen = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
    rolling = false;
    draw();
  }

  async function askChances() {
    asking?.abort();
    chances = null;
    const move = keeping();
    if (!move || !game.human) return;
    asking = new AbortController();
    const request = { position, allow: [move], limits: { depth: 1 }, include: ["distribution"] };
    try {
      const answer = await ask("dice", "analysis", request, asking.signal);
      const targets = answer.moves[0]?.targets ?? [];
      chances = Object.fromEntries(targets.map(({ item, probability }) => [item, probability]));
      showChances(place, chances);
    } catch (error) {
      if (error.name !== "AbortError") notice(error.message, "error");
    }
  }

  const dieProperties = (index) => ({
    "aria-pressed": String(kept.has(index)),
    class: `${kept.has(index) ? "kept" : ""} ${rolling && index >= laid.kept ? "rolls" : ""}`,
    on: { click: () => toggleDie(index) },
  });

  const itemProperties = (name) => {
    const why = obstacle(found, position, chosen, name);
    return {
      "aria-pressed": String(chosen.includes(name)),
      "aria-disabled": why ? "true" : undefined,
      class: chosen.includes(name) ? "chosen" : why ? "barred" : "free",
      on: { click: () => toggleItem(name) },
    };
  };

  const headProperties = (letter) =>
    found.crosses.has(letter)
      ? {
          "aria-label": t("cross-out", { shelf: faceName(letter) }),
          class: "cross",
          on: { click: () => act(`cross:${letter}`) },
        }
      : null;

  function actions() {
    if (!game.human)
      return [
        h("p", { class: "soft" }, game.over ? "" : t("thinking", { name: nameOf(game.toMove) })),
      ];
    if (found.roll)
      return [button(t("roll"), () => act("roll"), { class: "primary", "data-key": "roll" })];
    if (found.pass)
      return [button(t("pass"), () => act("pass"), { class: "primary", "data-key": "pass" })];
    const keep = keeping();
    const mark = markMove(found, chosen);
    return [
      button(t("roll-again", { n: 6 - kept.size }), () => act(keep), {
        disabled: !keep,
        "data-key": "keep",
      }),
      found.crosses.size
        ? h("p", {}, t("must-cross"))
        : button(t("mark", { n: chosen.length }), () => act(mark), {
            class: "primary",
            disabled: !mark,
            "data-key": "mark",
          }),
      h("p", { class: "soft" }, t("rerolls-left", { n: position.rerolls_left })),
    ];
  }

  function sheets() {
    const values = sheetOf(position, rules);
    const order = position.boards.map((_, seat) => seat);
    const front = game.viewer ?? game.toMove;
    order.unshift(...order.splice(front, 1));
    return order.map((seat) => {
      const mine = game.human && seat === game.toMove;
      return h(
        "section",
        {
          class: `player ${seat === front ? "front" : ""} ${seat === game.toMove && !game.over ? "turn" : ""}`,
        },
        h("h2", {}, nameOf(seat)),
        sheet(position.boards[seat], values, {
          label: t("sheet-of", { name: nameOf(seat) }),
          cell: mine ? itemProperties : null,
          head: mine ? headProperties : null,
        }),
      );
    });
  }

  function draw() {
    const keepable = game.human && position.dice;
    show(
      place,
      h(
        "section",
        { class: "dice-box" },
        diceRow(laid.dice, keepable ? dieProperties : null),
        h("p", { class: "soft keep-hint" }, keepable && found.keeps.size ? t("keep-hint") : ""),
        h("div", { class: "actions" }, actions()),
      ),
      h("div", { class: "sheets" }, sheets()),
    );
    const mine = place.querySelector(".player .sheet:has(button[data-at])");
    if (!mine) return;
    showChances(mine, chances);
    roving(mine, "at", remembered);
  }

  draw();
  askChances();
  return place;
}
