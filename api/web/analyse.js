// The tab where one looks into a position: its text, picture, moves, and the game it is from.

import { ask, capabilities } from "./api.js";
import { button, field, h, notice, show } from "./dom.js";
import { editor } from "./editor.js";
import { GameChart } from "./game-chart.js";
import { address } from "./link.js";
import { preview } from "./preview.js";
import { Ranked } from "./ranked.js";
import { reviewBox } from "./review.js";
import { scoreTable } from "./scores.js";
import { copyButtons } from "./share.js";
import { t } from "./words.js";

export class Analyse {
  constructor(place, open) {
    Object.assign(this, {
      place,
      open,
      game: "tile",
      text: "",
      found: null,
      played: null,
      running: null,
    });
  }

  nameOf = (seat) => t("human-name", { seat: seat + 1 });

  async enter(wanted) {
    if (wanted.game) this.game = wanted.game;
    if (wanted.played) this.played = wanted.played;
    this.rules = await this.ruled();
    if (!this.rules) return;
    this.draw();
    if (wanted.notation) {
      this.text = wanted.notation;
      this.input.value = this.text;
      await this.look();
    } else if (!this.text) {
      await this.fresh();
    } else {
      await this.look();
    }
    if (wanted.review) this.startReview?.();
  }

  leave() {
    this.running?.abort();
    this.reviewing?.stop();
  }

  async ruled() {
    try {
      return (await capabilities(this.game)).rules;
    } catch (error) {
      notice(error.message, "error");
      return null;
    }
  }

  async fresh() {
    try {
      const first = await ask(this.game, "new", { players: 2 });
      this.input.value = first.notation;
    } catch (error) {
      notice(error.message, "error");
    }
    await this.look();
  }

  async chooseGame(game) {
    this.leave();
    Object.assign(this, { game, text: "", found: null, played: null });
    this.rules = await this.ruled();
    this.draw();
    await this.fresh();
  }

  /** What stands in the field, as the service takes it. */
  read() {
    const text = this.input.value.trim();
    if (!text.startsWith("{")) return text;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  /** Shows the position of the field, or its faults. */
  async look(analyse = true) {
    this.leave();
    this.running = new AbortController();
    const { signal } = this.running;
    this.text = this.input.value.trim();
    const request = { position: this.read() };
    try {
      const [legal, score] = await Promise.all([
        ask(this.game, "legal-moves", request, signal),
        ask(this.game, "score", request, signal),
      ]);
      this.showFaults([]);
      this.use(legal, score);
      if (analyse) await this.ranked.run(legal, signal);
      else this.ranked.wait(legal);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.showFaults(error.faults?.length ? error.faults : [{ detail: error.message }]);
    }
  }

  showFaults(faults) {
    this.input.setAttribute("aria-invalid", String(faults.length > 0));
    show(
      this.faultList,
      faults.map(({ pointer, field: inside, detail }) =>
        h("li", {}, pointer ? h("code", {}, inside ? `${inside} ` : `${pointer} `) : null, detail),
      ),
    );
    this.editing?.mark(faults);
    this.faulty = faults.length > 0;
  }

  use(legal, score) {
    this.found = legal;
    this.moves = legal.moves;
    history.replaceState(
      null,
      "",
      address({ tab: "analyse", game: this.game, notation: legal.notation }),
    );
    this.picture = preview(this.game, this.rules, legal.position, this.nameOf);
    show(
      this.pictureBox,
      this.picture.place,
      scoreTable(this.game, score, this.nameOf, {
        turn: score.over ? null : legal.position.to_move,
      }),
    );
    this.editing.load(legal.position);
  }

  /** From the editor: the text follows, and what the service says of it. */
  edited = (position) => {
    this.input.value = JSON.stringify(position);
    this.look(false);
  };

  draw() {
    const gameSelect = select2(this.game, (game) => this.chooseGame(game));
    this.input = h("textarea", {
      rows: 3,
      spellcheck: "false",
      "aria-describedby": "faults",
      "data-key": "position",
      on: {
        keydown: (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.look();
        },
      },
    });
    this.input.value = this.text;
    this.faultList = h("ul", { class: "faults", id: "faults", "aria-live": "assertive" });
    this.pictureBox = h("section", { class: "picture-box card", "aria-label": t("position") });
    this.ranked = new Ranked(this);
    this.editing = editor(this.game, this.rules, this.edited);
    this.chart =
      this.played?.game === this.game && this.played.steps.length
        ? new GameChart(
            this.played,
            (notation) => {
              this.input.value = notation;
              this.look();
            },
            this.nameOf,
          )
        : null;
    const review =
      this.played?.game === this.game && this.played.steps.length
        ? reviewBox(this.played, (notation) => {
            this.input.value = notation;
            this.look();
          })
        : null;
    this.reviewing = review;
    this.startReview = review?.start;
    show(
      this.place,
      h(
        "div",
        { class: "analyse" },
        h(
          "div",
          { class: "main-part" },
          h("h1", {}, t("analyse-title")),
          h(
            "section",
            { class: "card position-box" },
            gameSelect,
            field(t("position-hint"), this.input),
            this.faultList,
            h(
              "div",
              { class: "actions" },
              button(t("analyse-do"), () => this.look(), {
                class: "primary",
                "data-key": "analyse-do",
              }),
              copyButtons(() => this.found),
              button(t("play-from"), () => this.playFrom(), { "data-key": "play-from" }),
            ),
          ),
          this.pictureBox,
          this.editing.place,
          this.chart?.place ?? null,
          review?.place ?? null,
        ),
        h("div", { class: "side" }, this.ranked.place),
      ),
    );
    this.chart?.run();
  }

  playFrom() {
    if (!this.found || this.faulty) return;
    const { position, notation } = this.found;
    const seats = Array.from({ length: position.players }, (_, seat) => ({
      level: seat === position.to_move ? null : 3,
    }));
    this.open("play", { tab: "play", game: this.game, seats, seed: "analysis", notation });
  }
}

function select2(game, choose) {
  const made = h(
    "select",
    { "data-key": "analyse-game", on: { change: () => choose(made.value) } },
    ["tile", "dice"].map((each) => h("option", { value: each }, t(`game.${each}`))),
  );
  made.value = game;
  return field(t("game"), made);
}
