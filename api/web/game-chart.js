// The win chance of every seat over the moves of a game, as lines.

import { ask } from "./api.js";
import { h, notice, s, show } from "./dom.js";
import { percent, t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 180;
const DASHES = ["", "8 4", "2 4", "10 3 2 3"];
const LIMITS = { tile: { playouts: 200 }, dice: { depth: 1 } };

/** go: called with the notation of the position that was chosen. */
export class GameChart {
  constructor(played, go, nameOf) {
    Object.assign(this, { played, go, nameOf, points: [] });
    this.positions = [played.start, ...played.steps];
    this.place = h("section", { class: "card chart", "aria-labelledby": "chart-title" });
  }

  async run() {
    this.draw();
    for (const { position } of this.positions) {
      if (!this.place.isConnected) return;
      try {
        const answer = await ask(this.played.game, "evaluation", {
          position,
          limits: LIMITS[this.played.game],
        });
        this.points.push(answer.root.win_probability);
      } catch (error) {
        notice(error.message, "error");
        return;
      }
      this.draw();
    }
  }

  x(index) {
    return (WIDTH * index) / Math.max(1, this.positions.length - 1);
  }
  y(share) {
    return HEIGHT * (1 - share);
  }

  draw() {
    const seats = this.played.seats.map((_, seat) => seat);
    const lines = this.points.length
      ? seats.map((seat) =>
          s("polyline", {
            class: `line line-${seat}`,
            "stroke-dasharray": DASHES[seat],
            points: this.points
              .map((shares, index) => `${this.x(index)},${this.y(shares[seat])}`)
              .join(" "),
          }),
        )
      : [];
    const picture = s(
      "svg",
      {
        viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`,
        role: "img",
        "aria-label": this.spoken(),
        preserveAspectRatio: "none",
      },
      s("path", {
        class: "grid",
        d: `M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`,
      }),
      lines,
    );
    const at = h("input", {
      type: "range",
      min: 0,
      max: this.positions.length - 1,
      value: this.at ?? this.positions.length - 1,
      "aria-label": t("chart-move"),
      "data-key": "chart-move",
      on: { change: (event) => this.choose(Number(event.target.value)) },
    });
    const legend = h(
      "ul",
      { class: "legend" },
      seats.map((seat) =>
        h(
          "li",
          {},
          s(
            "svg",
            { viewBox: "0 0 30 6", width: 30, height: 6, "aria-hidden": "true" },
            s("path", {
              class: `line line-${seat}`,
              "stroke-dasharray": DASHES[seat],
              d: "M0 3H30",
            }),
          ),
          this.nameOf(seat),
        ),
      ),
    );
    show(this.place, h("h2", { id: "chart-title" }, t("chart")), picture, at, legend);
  }

  spoken() {
    const last = this.points.at(-1);
    const shares = last
      ? last.map((share, seat) => `${this.nameOf(seat)} ${percent(share)}`).join(", ")
      : "";
    return `${t("chart")}: ${shares}`;
  }

  choose(index) {
    this.at = index;
    this.go(this.positions[index].notation);
  }
}
