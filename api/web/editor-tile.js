// The editor's fields for the tile game.

import { picture } from "./art.js";
import { field, h } from "./dom.js";
import { livingRoom, shelf, tileName } from "./tile-view.js";
import { t } from "./words.js";

const put = (line, at, letter) => line.slice(0, at) + letter + line.slice(at + 1);
const LETTERS = "CBGFTP.";

export function resizeTile(position, players) {
  const empty = () => Array.from({ length: 6 }, () => ".....");
  const cut = (list, filler) =>
    Array.from({ length: players }, (_, seat) => list[seat] ?? filler());
  position.players = players;
  position.shelves = cut(position.shelves, empty);
  if (position.personal_goals.length)
    position.personal_goals = cut(position.personal_goals, () => null);
  position.to_move = Math.min(position.to_move, players - 1);
  position.first_player = Math.min(position.first_player, players - 1);
}

export function tileFields({ position, rules, state, edit, choose, draw }) {
  const brush = h(
    "div",
    { class: "brush", role: "group", "aria-label": t("brush") },
    [...LETTERS].map((letter) =>
      h(
        "button",
        {
          type: "button",
          class: `cell ${letter === "." ? "" : `tile tile-${letter}`}`,
          "data-key": `brush-${letter}`,
          "aria-pressed": String(state.brush === letter),
          "aria-label": letter === "." ? t("empty") : tileName(letter),
          on: {
            click: () => {
              state.brush = letter;
              draw();
            },
          },
        },
        letter === "." ? null : picture(letter),
      ),
    ),
  );

  const paintBoard = (name) => ({
    "data-key": `board-${name}`,
    on: {
      click: () =>
        edit(() => {
          const row = Number(name[0]);
          position.board[row] = put(position.board[row], Number(name[1]), state.brush);
        }),
    },
  });
  paintBoard.empty = true;

  const paintShelf = (seat) => (name) => ({
    "data-key": `shelf-${seat}-${name}`,
    on: {
      click: () =>
        edit(() => {
          const rows = position.shelves[seat];
          rows[Number(name[0])] = put(rows[Number(name[0])], Number(name[1]), state.brush);
        }),
    },
  });

  const board = livingRoom(rules, position, paintBoard);
  for (const row of board.children)
    row.setAttribute("data-pointer", `/position/board/${row.dataset.row}`);
  board.setAttribute("data-pointer", "/position/board");
  return [
    brush,
    board,
    h(
      "div",
      { class: "shelves" },
      position.shelves.map((rows, seat) =>
        h(
          "div",
          { class: "player", "data-pointer": `/position/shelves/${seat}` },
          h("h3", {}, t("human-name", { seat: seat + 1 })),
          shelf(rows, {
            cell: paintShelf(seat),
            label: t("shelf-of", { name: t("human-name", { seat: seat + 1 }) }),
          }),
        ),
      ),
    ),
    h(
      "div",
      { class: "edit-fields" },
      goals(position, rules, edit, choose),
      cards(position, rules, choose),
      choose(
        "end_token",
        [
          ["", "–"],
          ...position.shelves.map((_, seat) => [seat, t("human-name", { seat: seat + 1 })]),
        ],
        position.end_token ?? "",
        (value) => {
          position.end_token = value === "" ? null : Number(value);
        },
      ),
      choose(
        "refill",
        [
          ["return", t("refill-return")],
          ["keep", t("refill-keep")],
        ],
        position.rules?.refill ?? "return",
        (value) => {
          position.rules = { ...position.rules, refill: value };
        },
        "rules/refill",
      ),
    ),
  ];
}

function goals(position, rules, edit, choose) {
  const options = rules.common_goals.map(({ goal }) => [goal, t(`goal.${goal}`)]);
  return position.common_goals.map((card, index) => [
    choose(
      `common_goal-${index}`,
      options,
      card.goal,
      (value) => {
        card.goal = value;
      },
      `common_goals/${index}`,
    ),
    field(
      t("claimers"),
      h("input", {
        type: "text",
        inputmode: "numeric",
        "data-key": `claims-${index}`,
        size: 6,
        value: card.claimed_by.map((seat) => seat + 1).join(" "),
        "data-pointer": `/position/common_goals/${index}/claimed_by`,
        on: {
          change: (event) =>
            edit(() => {
              card.claimed_by = (event.target.value.match(/\d/g) ?? []).map(
                (digit) => Number(digit) - 1,
              );
            }),
        },
      }),
    ),
  ]);
}

function cards(position, rules, choose) {
  const options = [
    ["", "?"],
    ...Object.keys(rules.personal_goals).map((number) => [number, number]),
  ];
  return position.personal_goals.map((card, seat) =>
    choose(
      `personal_goal-${seat}`,
      options,
      card ?? "",
      (value) => {
        position.personal_goals[seat] = value === "" ? null : Number(value);
      },
      `personal_goals/${seat}`,
    ),
  );
}
