// What may be kept and marked, and why something may not: from the list of legal moves.

export const FACES = "PGBTCJ";

export const sorted = (letters) =>
  [...letters].sort((a, b) => FACES.indexOf(a) - FACES.indexOf(b)).join("");

export function choices(moves) {
  const rest = (kind) =>
    moves.filter((move) => move.startsWith(`${kind}:`)).map((move) => move.slice(kind.length + 1));
  return {
    keeps: new Set(rest("keep")),
    marks: rest("mark").map((items) => items.split(",")),
    crosses: new Set(rest("cross")),
    roll: moves.includes("roll"),
    pass: moves.includes("pass"),
  };
}

export const markMove = (found, chosen) => {
  const same = found.marks.find(
    (items) => items.length === chosen.length && chosen.every((item) => items.includes(item)),
  );
  return same ? `mark:${same.join(",")}` : null;
};

export const keepMove = (found, letters) => {
  const text = sorted(letters) || "-";
  return found.keeps.has(text) ? `keep:${text}` : null;
};

const joined = (found, items) =>
  found.marks.some((marks) => items.every((item) => marks.includes(item)));

/** Why an item cannot be marked beside those chosen: the name of a text; null when it can. */
export function obstacle(found, position, chosen, item) {
  if (chosen.includes(item) || joined(found, [...chosen, item])) return null;
  const [row, column] = ["PGBTC".indexOf(item[0]), Number(item[1]) - 1];
  if (position.boards[position.to_move][row][column] !== ".") return "hint.closed";
  if (!position.dice) return "hint.roll-first";
  if (chosen.length === 3) return "hint.three-items";
  return joined(found, [item]) ? "hint.shared" : "hint.dice";
}
