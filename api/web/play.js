// The tab where one plays: form, table, scores, list of moves, and what can be done with them.

import { capabilities } from "./api.js";
import { diceTable } from "./dice-play.js";
import { button, calm, h, notice, pause, say, show } from "./dom.js";
import { Game } from "./game.js";
import { address } from "./link.js";
import { moveText } from "./move-text.js";
import { result, scoreTable } from "./scores.js";
import { setup } from "./setup.js";
import { copyButtons } from "./share.js";
import { tileTable } from "./tile-play.js";
import { t } from "./words.js";

const PACE = 450; // milliseconds between moves of bots, to be seen
const FIRST = ".cell[tabindex='0'], [data-key=roll], [data-key=die-0], [data-key=pass]";
const TABLES = { tile: tileTable, dice: diceTable };

/** place: where to draw. open: called with a tab and what to show there. */
export class Play {
  constructor(place, open) {
    Object.assign(this, { place, open, game: null, running: null });
  }

  nameOf = (seat) => {
    const { level } = this.game.seats[seat];
    return level === null
      ? t("human-name", { seat: seat + 1 })
      : t("bot-name", { seat: seat + 1, level });
  };

  shortName = (seat) =>
    t(this.game.seats[seat].level === null ? "human-name" : "bot-short", { seat: seat + 1 });

  async enter(wanted) {
    if (wanted.notation) {
      await this.try(async () =>
        this.use(await Game.resume(wanted.game, wanted.seats, wanted.seed, wanted.notation)),
      );
      if (this.game) return;
    }
    if (this.game && !wanted.game) return this.go();
    this.newGame(wanted.game ? { game: wanted.game } : {});
  }

  leave() {
    this.running?.abort();
  }

  newGame(chosen) {
    this.leave();
    this.game = null;
    history.replaceState(null, "", "#play");
    show(
      this.place,
      setup(
        (game, seats, seed, options) =>
          this.try(async () => this.use(await Game.begin(game, seats, seed, options))),
        chosen,
      ),
    );
  }

  /** Failures become sentences; what stops on purpose is none. */
  async try(action) {
    try {
      await action();
    } catch (error) {
      if (error.name === "AbortError") return;
      notice(error.message, "error", 12);
    }
  }

  async use(game) {
    const rules = (await capabilities(game.game)).rules;
    this.game = game;
    this.rules = rules;
    await this.go();
  }

  /** Bots move until a human has to. */
  async go() {
    this.leave();
    const running = new AbortController();
    this.running = running;
    await this.try(async () => {
      this.draw();
      while (!this.game.over && (!this.game.human || this.game.moves[0] === "refill")) {
        await pause(calm() ? 0 : PACE, running.signal);
        await (this.game.human
          ? this.game.play("refill", running.signal)
          : this.game.bot(running.signal));
        this.draw();
      }
    });
    if (running.signal.aborted) return;
    if (!this.game.over && !this.game.human) this.draw(true);
  }

  act = (move) =>
    this.try(async () => {
      if (this.acting) return;
      this.acting = true;
      try {
        await this.game.play(move);
      } finally {
        this.acting = false;
      }
      await this.go();
    });

  undo = () =>
    this.try(async () => {
      if (this.acting) return;
      this.leave();
      await this.game.undo();
      await this.go();
    });

  draw(stopped = false) {
    const { game } = this;
    const { game: kind, seats, seed } = game;
    history.replaceState(
      null,
      "",
      address({ tab: "play", game: kind, seats, seed, notation: game.now.notation }),
    );
    const focused = this.place.contains(document.activeElement);
    const hidden = game.over
      ? []
      : seats.flatMap((_, seat) => (seat === game.viewer ? [] : [seat]));
    const secret = kind === "tile" && game.position.personal_goals.length ? hidden : [];
    show(
      this.place,
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: "main-part" },
          h(
            "h1",
            { class: "status", id: "status", tabindex: "-1", "data-key": "status" },
            this.status(),
          ),
          TABLES[kind](game, this.rules, this.nameOf, this.act),
        ),
        h(
          "aside",
          { class: "side", "aria-label": t("game-info") },
          h(
            "section",
            { class: "card" },
            h("h2", {}, t("scores")),
            scoreTable(kind, game.score, this.shortName, {
              turn: game.over ? null : game.toMove,
              hidden: secret,
            }),
          ),
          h("section", { class: "card actions" }, this.actions(stopped)),
          h("section", { class: "card" }, h("h2", {}, t("moves")), this.list()),
        ),
      ),
    );
    say(this.status());
    if (focused) this.keepFocus();
  }

  /** Who plays by keyboard is led to the table, and to the heading while others move. */
  keepFocus() {
    const at = document.activeElement;
    if (this.place.contains(at) && at.id !== "status") return;
    const first = this.game.human ? this.place.querySelector(FIRST) : null;
    (first ?? document.getElementById("status")).focus({ preventScroll: true });
  }

  status() {
    const { game } = this;
    if (game.over) return t("over", { result: result(game.score, this.nameOf) });
    if (game.human) return t("your-turn", { name: this.nameOf(game.toMove) });
    return t("thinking", { name: this.nameOf(game.toMove) });
  }

  actions(stopped) {
    const { game } = this;
    return [
      stopped
        ? button(t("go-on"), () => this.go(), { class: "primary", "data-key": "go-on" })
        : null,
      button(t("undo"), this.undo, {
        "data-key": "undo",
        disabled: !game.steps.length || game.seats.every((seat) => seat.level !== null),
      }),
      button(t("new-game"), () => this.newGame({ game: game.game, seats: game.seats }), {
        "data-key": "new",
      }),
      button(
        t("analyse-this"),
        () => this.open("analyse", { game: game.game, notation: game.now.notation, played: game }),
        { "data-key": "analyse" },
      ),
      game.over
        ? button(
            t("review"),
            () =>
              this.open("analyse", {
                game: game.game,
                notation: game.start.notation,
                played: game,
                review: true,
              }),
            { class: "primary", "data-key": "review" },
          )
        : null,
      copyButtons(() => game.now),
    ];
  }

  list() {
    let before = this.game.start.position;
    const rows = this.game.steps.map(({ seat, move, position, outcomes }) => {
      const own = outcomes[0]?.move === move ? outcomes[0].outcome : null;
      const rolled = typeof own === "string" ? ` → ${own}` : "";
      const row = h(
        "li",
        { class: `by-${seat}` },
        h("span", { class: "who" }, String(seat + 1)),
        h("span", {}, moveText(move, before.board)),
        h("code", {}, move + rolled),
      );
      before = position;
      return row;
    });
    return h(
      "ol",
      {
        class: "moves",
        reversed: true,
        tabindex: rows.length ? "0" : undefined,
        "aria-label": t("moves"),
      },
      rows.reverse(),
    );
  }
}
