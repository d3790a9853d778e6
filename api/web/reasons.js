// What a move does, in words. Kinds that the page does not know are left out.

import { faceName, itemName } from "./dice-view.js";
import { tileName } from "./tile-view.js";
import { known, percent, t } from "./words.js";

const items = (list) =>
  list.map((item) => itemName(typeof item === "string" ? item : item.join(""))).join("; ");

function values(reason, nameOf) {
  const { goal, tile, seat, shelf, item, probability, points, cells, items: list } = reason;
  return {
    ...reason,
    n: points ?? cells ?? reason.denied ?? reason.missing ?? 0,
    goal: goal && t(`goal.${goal}`),
    tile: tile && tileName(tile),
    name: seat === undefined ? "" : nameOf(seat),
    shelf: shelf && faceName(shelf),
    item: item && itemName(item),
    chance: probability === undefined ? "" : percent(probability),
    items: Array.isArray(list) ? items(list) : "",
  };
}

export function reasonTexts(reasons, nameOf) {
  return reasons.flatMap((reason) => {
    const kind = reason.type === "denial" && reason.items ? "denial-items" : reason.type;
    return known(`reason.${kind}`) ? [t(`reason.${kind}`, values(reason, nameOf))] : [];
  });
}
