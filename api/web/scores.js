// The scores as a table: total and where it comes from.

import { h } from "./dom.js";
import { percent, t } from "./words.js";

const sum = (values) => values.reduce((total, value) => total + value, 0);

const COLUMNS = {
  tile: ["tokens", "personal", "adjacency", "end"],
  dice: ["shelves", "columns"],
};

/** hidden: seats whose personal goal must not show. */
export function scoreTable(game, score, nameOf, { turn = null, hidden = [] } = {}) {
  const columns = COLUMNS[game];
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, t("player")),
    columns.map((name) => h("th", { scope: "col" }, t(`score.${name}`))),
    h("th", { scope: "col" }, t("score.total")),
    score.over ? h("th", { scope: "col" }, t("score.win")) : null,
  );
  const rows = score.scores.map((parts, seat) => {
    const secret = hidden.includes(seat);
    const value = (name) =>
      secret && name === "personal"
        ? "?"
        : Array.isArray(parts[name])
          ? sum(parts[name])
          : parts[name];
    const total = secret ? `${parts.total - parts.personal}+?` : parts.total;
    return h(
      "tr",
      { class: turn === seat ? "turn" : "" },
      h("th", { scope: "row" }, nameOf(seat)),
      columns.map((name) => h("td", {}, String(value(name)))),
      h("td", { class: "total" }, String(total)),
      score.over ? h("td", {}, percent(score.winners[seat])) : null,
    );
  });
  return h(
    "table",
    { class: "scores" },
    h("caption", { class: "hidden" }, t("scores")),
    h("thead", {}, head),
    h("tbody", {}, rows),
  );
}

/** Who has won, as a sentence. */
export function result(score, nameOf) {
  const best = score.winners.flatMap((share, seat) => (share > 0 ? [nameOf(seat)] : []));
  return best.length === 1 ? t("won", { name: best[0] }) : t("shared", { names: best.join(", ") });
}
