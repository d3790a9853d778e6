// The editor's fields for the dice game.

import { FACES, sorted } from "./dice-turn.js";
import { sheet, sheetOf } from "./dice-view.js";
import { field, h } from "./dom.js";
import { t } from "./words.js";

const STATES = [".", "o", "x"];
const SHELVES = "PGBTC";

export function resizeDice(position, players) {
  const empty = () => Array.from({ length: 5 }, () => ".....");
  position.players = players;
  position.boards = Array.from({ length: players }, (_, seat) => position.boards[seat] ?? empty());
  position.to_move = Math.min(position.to_move, players - 1);
  position.first_player = Math.min(position.first_player, players - 1);
}

export function diceFields({ position, rules, edit, choose }) {
  const turn = (seat) => (name) => ({
    on: {
      click: () =>
        edit(() => {
          const row = SHELVES.indexOf(name[0]);
          const column = Number(name[1]) - 1;
          const line = position.boards[seat][row];
          const next = STATES[(STATES.indexOf(line[column]) + 1) % 3];
          position.boards[seat][row] = line.slice(0, column) + next + line.slice(column + 1);
        }),
    },
    "data-key": `edit-item-${seat}-${name}`,
  });

  const values = sheetOf(position, rules);
  return [
    h("p", { class: "soft" }, t("edit-items")),
    h(
      "div",
      { class: "sheets" },
      position.boards.map((board, seat) =>
        h(
          "div",
          { class: "player", "data-pointer": `/position/boards/${seat}` },
          h("h3", {}, t("human-name", { seat: seat + 1 })),
          sheet(board, values, {
            cell: turn(seat),
            label: t("sheet-of", { name: t("human-name", { seat: seat + 1 }) }),
          }),
        ),
      ),
    ),
    h(
      "div",
      { class: "edit-fields" },
      field(
        t("dice-letters"),
        h("input", {
          type: "text",
          maxlength: 6,
          size: 8,
          "data-key": "edit-dice",
          "data-pointer": "/position/dice",
          value: position.dice ?? "",
          placeholder: FACES,
          on: {
            change: (event) =>
              edit(() => setDice(position, event.target.value.toUpperCase().trim())),
          },
        }),
      ),
      choose(
        "rerolls",
        [
          [0, "0"],
          [1, "1"],
          [2, "2"],
        ],
        position.rerolls_left,
        (value) => {
          position.rerolls_left = Number(value);
        },
        "rerolls_left",
      ),
    ),
    h(
      "details",
      { "data-key": "sheet-values", open: position.sheet ? true : undefined },
      h("summary", {}, t("sheet-values")),
      numbers(position, values, edit),
    ),
  ];
}

function setDice(position, letters) {
  position.dice = letters === "" ? null : sorted(letters);
  if (position.dice === null) position.rerolls_left = 2;
}

/** Dice needed by each column, and the points of each item. */
function numbers(position, values, edit) {
  const cell = (label, value, change, key) =>
    h(
      "td",
      {},
      h("input", {
        type: "number",
        value,
        min: 0,
        "aria-label": label,
        "data-key": key,
        on: {
          change: (event) =>
            edit(() => {
              position.sheet = structuredClone(values);
              change(position.sheet, Number(event.target.value));
            }),
        },
      }),
    );
  return h(
    "table",
    { class: "numbers", "data-pointer": "/position/sheet" },
    h(
      "tr",
      {},
      values.columns.map((need, column) =>
        cell(
          `${t("needs", { n: need })}, ${column + 1}`,
          need,
          (made, value) => {
            made.columns[column] = value;
          },
          `need-${column}`,
        ),
      ),
    ),
    values.values.map((line, row) =>
      h(
        "tr",
        {},
        line.map((points, column) =>
          cell(
            t("points-of", { item: SHELVES[row] + (column + 1) }),
            points,
            (made, value) => {
              made.values[row][column] = value;
            },
            `points-${row}-${column}`,
          ),
        ),
      ),
    ),
  );
}
