// Living room, shelves and goals, drawn; what a click does is the caller's.

import { h } from "./dom.js";
import { picture } from "./art.js";
import { t } from "./words.js";

export const tileName = (letter) => t(`tile.${letter}`);

/** The living room. cell: called with name and letter for the properties of each place's button. */
export function livingRoom(rules, position, cell = null) {
  const used = (row, column) => inPlay(rules, position, row, column);
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const columns = all.filter((column) => all.some((row) => used(row, column)));
  const rows = all
    .filter((row) => all.some((column) => used(row, column)))
    .map((row) =>
      h(
        "div",
        { class: "row", role: "row", "data-row": row, style: { "--columns": columns.length } },
        columns.map((column) =>
          place(rules, position, row, column, position.board[row][column], cell),
        ),
      ),
    );
  return h("div", { class: "board", role: "grid", "aria-label": t("living-room") }, rows);
}

function inPlay(rules, position, row, column) {
  const least = Number(rules.living_room[row][column]);
  return least > 0 && least <= position.players;
}

function place(rules, position, row, column, letter, cell) {
  const out = !inPlay(rules, position, row, column);
  const name = `${row}${column}`;
  const where = out ? "" : t("place", { row: row + 1, column: column + 1 });
  if (out || (letter === "." && !cell?.empty)) {
    return h("div", {
      class: out ? "cell out" : "cell",
      role: "gridcell",
      "data-cell": name,
      "aria-label": out ? undefined : `${t("empty")}, ${where}`,
    });
  }
  const content = letter === "." ? null : picture(letter);
  const label = `${letter === "." ? t("empty") : tileName(letter)}, ${where}`;
  const { class: more = "", ...properties } = cell ? cell(name, letter) : {};
  const kind = `cell ${letter === "." ? "" : `tile tile-${letter}`} ${more}`;
  const inside = h(
    cell ? "button" : "div",
    {
      class: kind,
      "data-cell": name,
      ...(cell ? { type: "button" } : { role: "img" }),
      "aria-label": label,
      ...properties,
    },
    content,
  );
  return h("div", { class: "hold", role: "gridcell" }, inside);
}

/** A shelf; `goal` shows the places of a personal goal, `fresh` places just filled. */
export function shelf(rows, { goal = null, fresh = [], label = "", cell = null } = {}) {
  return h(
    "div",
    { class: "shelf", role: "group", "aria-label": label || t("shelf") },
    rows.map((line, row) =>
      [...line].map((letter, column) => {
        const wanted = goal?.[row][column] ?? ".";
        const name = `${row}${column}`;
        const met = wanted !== "." && wanted === letter;
        const classes = [
          "slot",
          letter !== "." && `tile tile-${letter}`,
          met && "met",
          letter === "." && wanted !== "." && `wants tile-${wanted}`,
          fresh.includes(name) && "fresh",
        ];
        const shown = letter !== "." ? letter : wanted;
        const text =
          letter !== "."
            ? tileName(letter) + (met ? `, ${t("goal-met")}` : "")
            : wanted !== "."
              ? t("wanted", { tile: tileName(wanted) })
              : null;
        const properties = cell
          ? { type: "button", ...cell(name, letter) }
          : { role: text ? "img" : undefined };
        return h(
          cell ? "button" : "div",
          {
            class: classes.filter(Boolean).join(" "),
            "data-slot": name,
            "aria-label": text ?? (cell ? t("empty") : undefined),
            ...properties,
          },
          shown !== "." ? picture(shown) : null,
        );
      }),
    ),
  );
}

/** The common goals with what is left on them and who has claimed them. */
export function commonGoals(rules, position, nameOf) {
  return h(
    "ul",
    { class: "goals" },
    position.common_goals.map(({ goal, claimed_by }) => {
      const tokens = rules.common_tokens[position.players].slice(claimed_by.length);
      return h(
        "li",
        {},
        h("strong", {}, t(`goal.${goal}`)),
        h("span", { class: "soft" }, t(`goal-text.${goal}`)),
        h(
          "span",
          {},
          tokens.length ? t("tokens-left", { tokens: tokens.join(", ") }) : t("no-tokens"),
        ),
        claimed_by.length
          ? h("span", {}, t("claimed", { names: claimed_by.map(nameOf).join(", ") }))
          : null,
      );
    }),
  );
}
