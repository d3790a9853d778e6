// The moves of a position, best first; any other move can be asked about.

import { ask } from "./api.js";
import { field, h, notice, select, show } from "./dom.js";
import { moveText } from "./move-text.js";
import { entry } from "./ranked-entry.js";
import { number, percent, t } from "./words.js";

const SHOWN = 8;
const INCLUDE = ["pv", "reasons", "distribution"];
const EFFORT = {
  tile: [
    ["fast", { playouts: 500 }],
    ["usual", { playouts: 4000 }],
    ["deep", { playouts: 20000 }],
  ],
  dice: [
    ["fast", { depth: 1 }],
    ["deep", { depth: 2, time_ms: 10000 }],
  ],
};

export class Ranked {
  constructor(owner) {
    Object.assign(this, {
      owner,
      answer: null,
      asked: null,
      objective: "win",
      level: "",
      effort: EFFORT[owner.game][owner.game === "tile" ? 1 : 0][0],
    });
    this.place = h("section", { class: "card ranked", "aria-labelledby": "ranked-title" });
    this.draw();
  }

  get limits() {
    return EFFORT[this.owner.game].find(([name]) => name === this.effort)[1];
  }

  request(position) {
    return {
      position,
      limits: this.level ? undefined : this.limits,
      objective: this.objective,
      level: this.level ? Number(this.level) : null,
      include: INCLUDE,
    };
  }

  async run(legal, signal) {
    this.legal = legal;
    this.signal = signal;
    this.answer = null;
    this.asked = null;
    this.waiting = false;
    this.busy = true;
    this.draw();
    try {
      this.answer = await ask(
        this.owner.game,
        "analysis",
        { ...this.request(legal.position), top: SHOWN },
        signal,
      );
    } finally {
      this.busy = false;
    }
    this.draw();
  }

  /** Another position, not searched yet. */
  wait(legal) {
    Object.assign(this, { legal, answer: null, asked: null, waiting: true });
    this.draw();
  }

  again = async () => {
    if (!this.legal) return;
    await this.owner.look();
  };

  /** "Why not this move?": it alone, under the same limits, against the best. */
  async why(move) {
    if (!move) return;
    try {
      const found = await ask(
        this.owner.game,
        "analysis",
        { ...this.request(this.legal.position), allow: [move], top: 1 },
        this.signal,
      );
      if (!found.moves.length || !this.answer?.moves.length) return;
      const mine = found.moves[0];
      this.asked = {
        ...mine,
        loss: Math.max(0, this.value(this.answer.moves[0]) - this.value(mine)),
        rank: null,
      };
      this.draw();
      this.owner.picture.light(move);
    } catch (error) {
      if (error.name !== "AbortError") notice(error.message, "error");
    }
  }

  /** Of the mover, in the unit of the objective. */
  value({ win_probability: win, expected_score: score }) {
    const seat = this.legal.position.to_move;
    if (this.objective === "win") return win[seat];
    return score[seat] - Math.max(...score.filter((_, other) => other !== seat));
  }

  lossText(loss) {
    return this.objective === "win" ? percent(loss, 1) : t("points", { n: number(loss) });
  }

  draw() {
    const found = this.answer;
    show(
      this.place,
      h("h2", { id: "ranked-title" }, t("ranked")),
      h(
        "div",
        { class: "actions" },
        field(
          t("effort"),
          select(
            EFFORT[this.owner.game].map(([name]) => [name, t(`effort.${name}`)]),
            this.effort,
            (value) => {
              this.effort = value;
              this.again();
            },
            { "data-key": "effort", disabled: this.level !== "" },
          ),
        ),
        field(
          t("objective"),
          select(
            [
              ["win", t("objective.win")],
              ["score", t("objective.score")],
            ],
            this.objective,
            (value) => {
              this.objective = value;
              this.again();
            },
            { "data-key": "objective" },
          ),
        ),
        field(
          t("as-level"),
          select(
            [
              ["", t("full-strength")],
              ...Array.from({ length: 10 }, (_, i) => [i + 1, String(i + 1)]),
            ],
            this.level,
            (value) => {
              this.level = value;
              this.again();
            },
            { "data-key": "level" },
          ),
        ),
      ),
      h("p", { class: "soft", role: "status" }, this.summary()),
      found?.moves.length
        ? h(
            "ol",
            { class: "ranking" },
            found.moves.map((move) => this.entry(move)),
          )
        : null,
      found?.moves.length && found.moves_total > 1 ? this.whyNot() : null,
    );
  }

  summary() {
    if (this.busy) return t("searching");
    if (this.waiting) return t("press-analyse");
    if (!this.answer) return "";
    const { status, root, moves_total, search } = this.answer;
    const values = root.win_probability
      .map((share, seat) => `${this.owner.nameOf(seat)} ${percent(share, 1)}`)
      .join(", ");
    const about = t("searched", { n: moves_total, playouts: search.playouts, ms: search.time_ms });
    return `${t(`status.${status}`)} ${values}. ${status === "ok" ? about : ""}`;
  }

  entry(move) {
    return entry(move, {
      position: this.legal.position,
      nameOf: this.owner.nameOf,
      light: (shown) => this.owner.picture.light(shown),
      follow: (chosen) => this.follow(chosen),
      lossText: (loss) => this.lossText(loss),
    });
  }

  async follow(move) {
    try {
      const answer = await ask(this.owner.game, "apply", {
        position: this.legal.position,
        move,
        until: "decision",
      });
      this.owner.input.value = answer.notation;
      await this.owner.look();
    } catch (error) {
      notice(error.message, "error");
    }
  }

  whyNot() {
    const moves = [
      ["", t("choose-move")],
      ...this.legal.moves.map((move) => [
        move,
        `${moveText(move, this.legal.position.board)} · ${move}`,
      ]),
    ];
    return h(
      "div",
      { class: "why" },
      field(
        t("why-not"),
        select(moves, this.asked?.move ?? "", (move) => this.why(move), { "data-key": "why" }),
      ),
      this.asked
        ? h("ol", { class: "ranking", "data-asked": this.asked.move }, this.entry(this.asked))
        : null,
    );
  }
}
