// One ranked move: bar, figures, reasons, chances, and how play goes on.

import { h } from "./dom.js";
import { moveText } from "./move-text.js";
import { reasonTexts } from "./reasons.js";
import { number, percent, t } from "./words.js";

const TARGETS = 6;

/** about: position, nameOf, light, follow and lossText of the list. */
export function entry(move, about) {
  const seat = about.position.to_move;
  const share = move.win_probability[seat];
  const half = 1.96 * move.standard_error;
  const light = (on) => () => about.light(on ? move.move : null);
  const others = move.expected_score.map((score) => number(score)).join(" : ");
  return h(
    "li",
    { class: "entry", on: { mouseenter: light(true), mouseleave: light(false) } },
    h(
      "button",
      {
        type: "button",
        class: "entry-head",
        "data-key": `move-${move.move}`,
        "data-move": move.move,
        on: { focus: light(true), blur: light(false), click: () => about.follow(move.move) },
        title: t("follow"),
      },
      h("span", { class: "rank" }, move.rank ? `${move.rank}.` : "→"),
      h("span", {}, moveText(move.move, about.position.board)),
      h("code", {}, move.move),
    ),
    bar(share, half),
    h(
      "p",
      { class: "figures" },
      t("figures", {
        win: percent(share, 1),
        half: half ? ` ± ${number(100 * half)}` : "",
        score: others,
        loss: move.loss ? t("loss", { loss: about.lossText(move.loss) }) : t("no-loss"),
      }),
    ),
    more(move, about.nameOf),
  );
}

function more({ reasons = [], pv = [], targets = [], move }, nameOf) {
  const words = reasonTexts(reasons, nameOf);
  const aims = targets
    .filter(({ probability }) => probability > 0)
    .slice(0, 25)
    .sort((a, b) => Number(b.item[1]) * b.probability - Number(a.item[1]) * a.probability)
    .slice(0, TARGETS);
  return h(
    "div",
    { class: "more" },
    words.length
      ? h(
          "ul",
          { class: "reasons" },
          words.map((text) => h("li", {}, text)),
        )
      : null,
    aims.length && move.startsWith("keep")
      ? h(
          "p",
          { class: "targets" },
          t("targets"),
          aims.map(({ item, probability }) =>
            h("span", { class: "target" }, `${item} ${percent(probability)}`),
          ),
        )
      : null,
    pv.length > 1
      ? h(
          "p",
          { class: "soft pv" },
          `${t("pv")} `,
          pv.map((each) => h("code", {}, each)),
        )
      : null,
  );
}

function bar(share, half) {
  const width = (value) => `${Math.min(100, Math.max(0, 100 * value))}%`;
  return h(
    "div",
    {
      class: "bar",
      role: "img",
      "aria-label": t("win-chance", { share: percent(share, 1) }),
    },
    h("div", { class: "bar-fill", style: { width: width(share) } }),
    half
      ? h("div", {
          class: "bar-range",
          style: {
            left: width(share - half),
            width: width(Math.min(1, share + half) - Math.max(0, share - half)),
          },
        })
      : null,
  );
}
