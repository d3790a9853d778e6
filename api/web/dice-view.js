// Dice and sheets, drawn; what a click does is the caller's.

import { h } from "./dom.js";
import { picture } from "./art.js";
import { percent, t } from "./words.js";

const SHELVES = "PGBTC";
export const faceName = (letter) => t(letter === "J" ? "joker" : `tile.${letter}`);
export const sheetOf = (position, rules) => position.sheet ?? rules.default_sheet;
export const itemName = (item) => t("item", { shelf: faceName(item[0]), column: item[1] });
const STATES = { ".": "item-open", o: "item-marked", x: "item-struck" };

/**
 * A sheet of 5 by 5 items.
 * cell: called with an item's name and state for the properties of its button.
 * chances: probability by item. head: called with a shelf's letter for what its head does.
 */
export function sheet(board, values, { cell = null, chances = null, head = null, label = "" } = {}) {
  const corner = h("td", { class: "corner" });
  const needs = values.columns.map((need) => h("th", { scope: "col" },
    h("span", { "aria-hidden": "true" }, `×${need}`),
    h("span", { class: "hidden" }, t("needs", { n: need }))));
  return h("table", { class: "sheet" }, h("caption", { class: "hidden" }, label),
    h("thead", {}, h("tr", {}, corner, needs)),
    h("tbody", {}, board.map((line, row) => {
      const letter = SHELVES[row];
      const name = h("span", { class: `tile tile-${letter}` }, picture(letter));
      const act = head?.(letter);
      return h("tr", {},
        h("th", { scope: "row", class: "shelf-head" }, act
          ? h("button", { type: "button", "data-key": `cross-${letter}`, ...act }, name)
          : [name, h("span", { class: "hidden" }, faceName(letter))]),
        [...line].map((state, column) => item(`${letter}${column + 1}`, state,
          values.values[row][column], cell, chances)));
    })));
}

function item(name, state, points, cell, chances) {
  const { class: more = "", ...properties } = cell ? cell(name, state) : {};
  const chance = state === "." ? chances?.[name] : undefined;
  const says = [itemName(name), t(STATES[state]), t("worth", { n: points }),
    chance === undefined ? null : t("chance-of", { chance: percent(chance) })];
  const shown = h("span", { class: "points", "aria-hidden": "true" }, String(points));
  const odds = h("span", { class: "odds", "aria-hidden": "true" },
    chance === undefined ? "" : percent(chance));
  const classes = `item item-${state === "." ? "open" : state} ${more}`;
  return h("td", { class: "item-hold" }, cell
    ? h("button", { type: "button", class: classes, "data-item": name, "data-key": `item-${name}`,
      "data-at": `${SHELVES.indexOf(name[0])}${name[1]}`, "aria-label": says.filter(Boolean).join(", "),
      ...properties }, shown, odds)
    : h("div", { class: classes, "data-item": name }, shown, odds,
      h("span", { class: "hidden" }, t(STATES[state]))));
}

/** The dice; die: called with the index for the properties of its button, or null to look at. */
export function diceRow(dice, die = null) {
  return h("div", { class: "dice", role: "group", "aria-label": t("dice") },
    [...(dice ?? "")].map((letter, index) => {
      const { class: more = "", ...properties } = die ? die(index, letter) : {};
      const classes = `die tile tile-${letter} ${more}`;
      return die
        ? h("button", { type: "button", class: classes, "aria-label": faceName(letter),
          "data-key": `die-${index}`, ...properties }, picture(letter))
        : h("div", { class: classes, role: "img", "aria-label": faceName(letter) }, picture(letter));
    }),
    dice ? null : Array.from({ length: 6 }, () => h("div", { class: "die blank" })));
}
