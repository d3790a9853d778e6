// A game gone through: a grade for each move, as the service finds them.

import { lines } from "./api.js";
import { button, h, notice, show } from "./dom.js";
import { moveText } from "./move-text.js";
import { percent, t } from "./words.js";

const LIMITS = { tile: { playouts: 300 }, dice: { depth: 1 } };
const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder", "forced"];

/** go: called with a notation of the game to look at. */
export function reviewBox(played, go) {
  const list = h("ol", { class: "review-list", tabindex: "0", "aria-label": t("review-title") });
  const summary = h("div", { class: "review-summary", role: "status" });
  const begin = button(t("review-do"), () => start(), {
    class: "primary",
    "data-key": "review-do",
  });
  const place = h(
    "section",
    { class: "card review", "aria-labelledby": "review-title" },
    h("h2", { id: "review-title" }, t("review-title")),
    h("div", { class: "actions" }, begin),
    summary,
    list,
  );
  let running = null;

  async function start() {
    running?.abort();
    running = new AbortController();
    begin.disabled = true;
    show(list);
    show(summary, h("p", {}, t("reviewing")));
    const before = positionsBefore(played);
    const request = {
      position: played.start.position,
      moves: played.record,
      information: "open",
      limits: LIMITS[played.game],
    };
    let whole = false;
    try {
      for await (const line of lines(played.game, "review", request, running.signal)) {
        if (line.problem) throw new Error(line.problem.title);
        if (line.summary) {
          whole = true;
          conclude(line.summary);
        } else if (line.grade) list.append(entry(line, before[line.index]));
      }
      if (!whole) throw new Error(t("review-cut"));
    } catch (error) {
      if (error.name !== "AbortError") notice(error.message, "error");
    }
    begin.disabled = false;
  }

  function entry({ seat, move, grade, loss, best }, from) {
    return h(
      "li",
      { class: `grade-${grade}` },
      h(
        "button",
        { type: "button", on: { click: () => go(from.notation) }, title: t("look-at") },
        h("span", { class: "who" }, String(seat + 1)),
        h("span", {}, moveText(move, from.position.board)),
        h("strong", {}, t(`grade.${grade}`)),
        loss
          ? h("span", { class: "soft" }, t("loss-best", { loss: percent(loss, 1), best }))
          : null,
      ),
    );
  }

  function conclude({ grades, accuracy, mean_loss }) {
    show(
      summary,
      h(
        "table",
        { class: "scores" },
        h("caption", { class: "hidden" }, t("review-title")),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["player", "accuracy", "mean-loss"].map((name) => h("th", { scope: "col" }, t(name))),
            GRADES.map((grade) => h("th", { scope: "col" }, t(`grade.${grade}`))),
          ),
        ),
        h(
          "tbody",
          {},
          grades.map((counts, seat) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, t("human-name", { seat: seat + 1 })),
              h("td", {}, accuracy[seat] === null ? "–" : percent(accuracy[seat])),
              h("td", {}, mean_loss[seat] === null ? "–" : percent(mean_loss[seat], 1)),
              GRADES.map((grade) => h("td", {}, String(counts[grade] ?? 0))),
            ),
          ),
        ),
      ),
    );
  }

  return { place, start, stop: () => running?.abort() };
}

/** The position before each entry of the record; that of its step, where chance went on. */
function positionsBefore({ start, steps }) {
  let before = start;
  return steps.flatMap((step) => {
    const own =
      step.outcomes[0]?.move === step.move ? step.outcomes.length : step.outcomes.length + 1;
    const found = Array(own).fill(before);
    before = step;
    return found;
  });
}
