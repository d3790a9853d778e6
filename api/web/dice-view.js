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
 * head: called with a shelf's letter for what its head does.
 */
export function sheet(board, values, { cell = null, head = null, label = "" } = {}) {
  const corner = h("td", { class: "corner" });
  const needs = values.columns.map((need) =>
    h(
      "th",
      { scope: "col" },
      h("span", { "aria-hidden": "true" }, `×${need}`),
      h("span", { class: "hidden" }, t("needs", { n: need })),
    ),
  );
  return h(
    "table",
    { class: "sheet" },
    h("caption", { class: "hidden" }, label),
    h("thead", {}, h("tr", {}, corner, needs)),
    h(
      "tbody",
      {},
      board.map((line, row) => {
        const letter = SHELVES[row];
        const name = h("span", { class: `tile tile-${letter}` }, picture(letter));
        const act = head?.(letter);
        return h(
          "tr",
          {},
          h(
            "th",
            { scope: "row", class: "shelf-head" },
            act
              ? h("button", { type: "button", "data-key": `cross-${letter}`, ...act }, name)
              : [name, h("span", { class: "hidden" }, faceName(letter))],
          ),
          [...line].map((state, column) =>
            item(`${letter}${column + 1}`, state, values.values[row][column], cell),
          ),
        );
      }),
    ),
  );
}

function item(name, state, points, cell) {
  const { class: more = "", ...properties } = cell ? cell(name, state) : {};
  const says = [itemName(name), t(STATES[state]), t("worth", { n: points })].join(", ");
  const shown = h("span", { class: "points", "aria-hidden": "true" }, String(points));
  const odds = h("span", { class: "odds", "aria-hidden": "true" });
  const classes = `item item-${state === "." ? "open" : state} ${more}`;
  return h(
    "td",
    { class: "item-hold" },
    cell
      ? h(
          "button",
          {
            type: "button",
            class: classes,
            "data-item": name,
            "data-key": `item-${name}`,
            "data-at": `${SHELVES.indexOf(name[0])}${name[1]}`,
            "aria-label": says,
            "data-says": says,
            ...properties,
          },
          shown,
          odds,
        )
      : h(
          "div",
          { class: classes, "data-item": name },
          shown,
          odds,
          h("span", { class: "hidden" }, t(STATES[state])),
        ),
  );
}

/**
 * Writes the chances of open items, probability by item, onto a sheet of buttons. They come late:
 * the buttons stay, since a new one would swallow a click that has begun on the old.
 */
export function showChances(table, chances) {
  for (const each of table.querySelectorAll("button.item-open")) {
    const chance = chances?.[each.dataset.item];
    const text = chance === undefined ? "" : percent(chance);
    each.querySelector(".odds").textContent = text;
    each.setAttribute(
      "aria-label",
      [each.dataset.says, text && t("chance-of", { chance: text })].filter(Boolean).join(", "),
    );
  }
}

/** The dice; die: called with the index for the properties of its button, or null to look at. */
export function diceRow(dice, die = null) {
  return h(
    "div",
    { class: "dice", role: "group", "aria-label": t("dice") },
    [...(dice ?? "")].map((letter, index) => {
      const { class: more = "", ...properties } = die ? die(index, letter) : {};
      const classes = `die tile tile-${letter} ${more}`;
      return die
        ? h(
            "button",
            {
              type: "button",
              class: classes,
              "aria-label": faceName(letter),
              "data-key": `die-${index}`,
              ...properties,
            },
            picture(letter),
          )
        : h(
            "div",
            { class: classes, role: "img", "aria-label": faceName(letter) },
            picture(letter),
          );
    }),
    dice ? null : Array.from({ length: 6 }, () => h("div", { class: "die blank" })),
  );
}
