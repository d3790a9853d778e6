// A position to look at, with a move shown on it.

import { picture } from "./art.js";
import { diceRow, sheet, sheetOf } from "./dice-view.js";
import { h } from "./dom.js";
import { commonGoals, livingRoom, shelf } from "./tile-view.js";
import { t } from "./words.js";

/** place: the picture. light: called with a move to show on it, or null. */
export function preview(game, rules, position, nameOf) {
  const place =
    game === "tile" ? tilePicture(rules, position, nameOf) : dicePicture(rules, position, nameOf);
  const ghosts = [];
  const mover = () => place.querySelectorAll(".player")[position.to_move];

  function tileMove(move) {
    const [cells, column] = move.split(">");
    if (column === undefined) return;
    const names = cells.split(",");
    for (const name of names)
      place.querySelector(`.board [data-cell="${name}"]`)?.classList.add("lit");
    const rows = position.shelves[position.to_move];
    let row = rows.filter((line) => line[column] === ".").length - 1;
    for (const name of names) {
      const letter = position.board[name[0]][name[1]];
      const slot = mover().querySelector(`[data-slot="${row--}${column}"]`);
      const ghost = h(
        "div",
        { class: `slot lit tile tile-${letter}`, "aria-hidden": "true" },
        picture(letter),
      );
      slot?.replaceWith(ghost);
      ghosts.push([ghost, slot]);
    }
  }

  function diceMove(move) {
    const [kind, rest = ""] = move.split(":");
    if (kind === "keep") {
      const left = [...rest];
      [...place.querySelectorAll(".die")].forEach((die, index) => {
        const at = left.indexOf(position.dice[index]);
        if (at >= 0) {
          left.splice(at, 1);
          die.classList.add("lit");
        }
      });
    }
    for (const item of kind === "mark" ? rest.split(",") : []) {
      mover().querySelector(`[data-item="${item}"]`)?.classList.add("lit");
    }
    if (kind === "cross") {
      for (const item of mover().querySelectorAll(`[data-item^="${rest}"].item-open`))
        item.classList.add("lit");
    }
  }

  function light(move) {
    for (const [ghost, slot] of ghosts.splice(0)) ghost.replaceWith(slot);
    for (const each of place.querySelectorAll(".lit")) each.classList.remove("lit");
    if (move) (game === "tile" ? tileMove : diceMove)(move);
  }
  return { place, light };
}

function tilePicture(rules, position, nameOf) {
  const cards = position.personal_goals;
  return h(
    "div",
    { class: "preview tile-table" },
    livingRoom(rules, position),
    h(
      "div",
      { class: "shelves" },
      position.shelves.map((rows, seat) =>
        h(
          "div",
          { class: `player ${seat === position.to_move ? "turn" : ""}` },
          h("h2", {}, nameOf(seat)),
          shelf(rows, {
            goal: cards[seat] ? rules.personal_goals[cards[seat]] : null,
            label: t("shelf-of", { name: nameOf(seat) }),
          }),
        ),
      ),
    ),
    h("div", { class: "goals-box" }, commonGoals(rules, position, nameOf)),
  );
}

function dicePicture(rules, position, nameOf) {
  const values = sheetOf(position, rules);
  return h(
    "div",
    { class: "preview dice-table" },
    diceRow(position.dice),
    h("p", { class: "soft" }, t("rerolls-left", { n: position.rerolls_left })),
    h(
      "div",
      { class: "sheets" },
      position.boards.map((board, seat) =>
        h(
          "div",
          { class: `player ${seat === position.to_move ? "turn" : ""}` },
          h("h2", {}, nameOf(seat)),
          sheet(board, values, { label: t("sheet-of", { name: nameOf(seat) }) }),
        ),
      ),
    ),
  );
}
