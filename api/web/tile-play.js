// A human's turn of the tile game: take tiles, put them in order, choose a column.

import { button, h, notice, show } from "./dom.js";
import { picture } from "./art.js";
import { roving } from "./keys.js";
import { choices, columnObstacle, columnsFor, obstacle } from "./tile-turn.js";
import { commonGoals, livingRoom, shelf, tileName } from "./tile-view.js";
import { t } from "./words.js";

/** The table. game: the Game. rules: of the capabilities. act: called with a move. */
export function tileTable(game, rules, nameOf, act) {
  const place = h("div", { class: "table tile-table" });
  const found = choices(game.human ? game.moves : []);
  const remembered = { at: null };
  let chosen = [];

  const hint = (name) => notice(t(name, { n: chosen.length }), "hint");

  function toggle(cell) {
    if (chosen.includes(cell)) {
      chosen = chosen.filter((each) => each !== cell);
    } else {
      const why = obstacle(found, game.position.board, chosen, cell);
      if (why) return hint(why);
      chosen.push(cell);
    }
    draw();
  }

  function drop(column) {
    const rows = game.position.shelves[game.toMove];
    const why = columnObstacle(found, rows, chosen, column);
    if (why) return hint(why);
    act(`${chosen.join(",")}>${column}`);
  }

  function shift(index) {
    [chosen[index - 1], chosen[index]] = [chosen[index], chosen[index - 1]];
    draw();
  }

  const cellProperties = (name) => {
    const pressed = chosen.includes(name);
    const why = obstacle(found, game.position.board, chosen, name);
    return {
      "aria-pressed": String(pressed),
      "aria-disabled": why ? "true" : undefined,
      class: pressed ? "chosen" : why ? "barred" : "free",
      "data-key": `cell-${name}`,
      on: { click: () => toggle(name) },
    };
  };

  function tray() {
    const letters = chosen.map((name) => game.position.board[name[0]][name[1]]);
    const taken = letters.map((letter, index) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: `tile tile-${letter}`, role: "img", "aria-label": tileName(letter) },
          picture(letter),
        ),
        index
          ? button("⇄", () => shift(index), {
              class: "small",
              "data-key": `shift-${index}`,
              "aria-label": t("swap", { a: tileName(letters[index - 1]), b: tileName(letter) }),
            })
          : null,
      ),
    );
    return h(
      "div",
      { class: "tray" },
      h("ol", { "aria-label": t("taken") }, taken),
      h("p", { class: "soft" }, t(chosen.length ? "tray-order" : "tray-empty")),
      button(
        t("clear"),
        () => {
          chosen = [];
          draw();
        },
        { class: "small", disabled: !chosen.length, "data-key": "clear" },
      ),
    );
  }

  function columns() {
    const open = columnsFor(found, chosen);
    return h(
      "div",
      { class: "columns", role: "group", "aria-label": t("choose-column") },
      [0, 1, 2, 3, 4].map((column) =>
        button("▼", () => drop(column), {
          "data-key": `column-${column}`,
          "data-column": column,
          "aria-disabled": open.has(column) ? undefined : "true",
          "aria-label": t("column", { column: column + 1 }),
        }),
      ),
    );
  }

  function shelves() {
    const { position } = game;
    const order = position.shelves.map((_, seat) => seat);
    const front = game.viewer ?? game.toMove;
    order.unshift(...order.splice(front, 1));
    return order.map((seat) => {
      const card = position.personal_goals[seat];
      const shown = card && (seat === game.viewer || game.over);
      const mine = game.human && seat === game.toMove;
      return h(
        "section",
        {
          class: `player ${seat === front ? "front" : ""} ${seat === game.toMove && !game.over ? "turn" : ""}`,
        },
        h(
          "h2",
          {},
          nameOf(seat),
          position.end_token === seat ? h("span", { class: "badge" }, t("end-token")) : null,
        ),
        seat === front ? (mine ? columns() : h("div", { class: "columns" })) : null,
        shelf(position.shelves[seat], {
          goal: shown ? rules.personal_goals[card] : null,
          fresh: fresh(game, seat),
          label: t("shelf-of", { name: nameOf(seat) }),
        }),
      );
    });
  }

  function draw() {
    const cell = game.human ? cellProperties : null;
    const room = livingRoom(rules, game.position, cell);
    show(
      place,
      h("div", { class: "room" }, room, game.human ? tray() : h("div", { class: "tray" })),
      h("div", { class: "shelves" }, shelves()),
      h(
        "section",
        { class: "goals-box" },
        h("h2", {}, t("common-goals")),
        commonGoals(rules, game.position, nameOf),
      ),
    );
    if (game.human) roving(room, "cell", remembered);
  }

  place.addEventListener("keydown", (event) => {
    if (!game.human || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key >= "1" && event.key <= "5") drop(Number(event.key) - 1);
    else if (event.key === "Escape") {
      chosen = [];
      draw();
    }
  });
  draw();
  return place;
}

/** The places of a shelf that the last move filled. */
function fresh(game, seat) {
  const last = game.steps.at(-1);
  if (last?.seat !== seat) return [];
  const before = (game.steps.at(-2) ?? game.start).position.shelves[seat];
  return last.position.shelves[seat].flatMap((line, row) =>
    [...line].flatMap((letter, column) =>
      letter !== before[row][column] ? [`${row}${column}`] : [],
    ),
  );
}
