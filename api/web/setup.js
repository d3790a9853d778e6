// The form of a new game: which, who sits where, and from which seed.

import { field, h, select, show } from "./dom.js";
import { t } from "./words.js";

const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);

function readSaved() {
  try {
    return JSON.parse(localStorage.getItem("setup")) ?? {};
  } catch {
    return {};
  }
}

/** chosen: what the form starts with. start: called with game, seats, seed and options. */
export function setup(start, chosen = {}) {
  const state = {
    game: "tile",
    seats: [{ level: null }, { level: 3 }],
    seed: "",
    ...readSaved(),
    ...chosen,
  };
  const options = {};
  const form = h("form", { class: "setup card", "aria-labelledby": "setup-title" });

  const seatRow = (seat, index) =>
    field(
      t("seat", { seat: index + 1 }),
      select(
        [["h", t("human")], ...LEVELS.map((level) => [level, t("bot-level", { level })])],
        seat.level ?? "h",
        (value) => {
          seat.level = value === "h" ? null : Number(value);
        },
        { "data-key": `seat-${index}` },
      ),
    );

  function resize(count) {
    while (state.seats.length < count) state.seats.push({ level: 3 });
    state.seats.length = count;
    draw();
  }

  function chooseGame(game) {
    state.game = game;
    draw();
  }

  const choice = (game) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "radio",
        name: "game",
        value: game,
        checked: state.game === game,
        "data-key": game,
        on: { change: () => chooseGame(game) },
      }),
      t(`game.${game}`),
    );

  const tileOptions = () => [
    field(
      t("common-goals"),
      select(
        [
          [2, "2"],
          [1, "1"],
        ],
        options.common_goals ?? 2,
        (value) => {
          options.common_goals = Number(value);
        },
        { "data-key": "common" },
      ),
    ),
    field(
      t("refill-rule"),
      select(
        [
          ["return", t("refill-return")],
          ["keep", t("refill-keep")],
        ],
        options.rules?.refill ?? "return",
        (value) => {
          options.rules = { refill: value };
        },
        { "data-key": "refill" },
      ),
    ),
  ];

  function submit(event) {
    event.preventDefault();
    localStorage.setItem("setup", JSON.stringify({ game: state.game, seats: state.seats }));
    start(state.game, state.seats, state.seed, state.game === "tile" ? options : {});
  }

  function draw() {
    show(
      form,
      h("h1", { id: "setup-title" }, t("new-game")),
      h("fieldset", {}, h("legend", {}, t("game")), choice("tile"), choice("dice")),
      field(
        t("players"),
        select(
          [
            [2, "2"],
            [3, "3"],
            [4, "4"],
          ],
          state.seats.length,
          (value) => resize(Number(value)),
          { "data-key": "players" },
        ),
      ),
      state.seats.map(seatRow),
      state.game === "tile" ? tileOptions() : null,
      field(
        t("seed"),
        h("input", {
          type: "text",
          value: state.seed,
          maxlength: 150,
          placeholder: t("seed-hint"),
          autocomplete: "off",
          "data-key": "seed",
          on: {
            input: (event) => {
              state.seed = event.target.value;
            },
          },
        }),
      ),
      h("button", { type: "submit", class: "primary", "data-key": "start" }, t("start")),
    );
  }

  form.addEventListener("submit", submit);
  draw();
  return form;
}
