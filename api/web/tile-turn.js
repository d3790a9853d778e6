// What may be taken, and why something may not: worked out from the list of legal moves.

const key = (cells) => [...cells].sort().join(",");

/** The legal moves as cells and columns. */
export function choices(moves) {
  const columns = new Map();
  for (const move of moves) {
    const [cells, column] = move.split(">");
    if (column === undefined) continue;
    const name = key(cells.split(","));
    if (!columns.has(name)) columns.set(name, new Set());
    columns.get(name).add(Number(column));
  }
  return { columns, sets: [...columns.keys()].map((name) => name.split(",")) };
}

/** The columns that these cells may go to. */
export const columnsFor = (found, cells) => found.columns.get(key(cells)) ?? new Set();

/** Whether cells are part of something that may be taken. */
export const extendable = (found, cells) =>
  found.sets.some((set) => cells.every((cell) => set.includes(cell)));

/** Why a cell cannot join those chosen: the name of a text; null when it can. */
export function obstacle(found, board, chosen, cell) {
  const [row, column] = [...cell].map(Number);
  if (board[row][column] === ".") return "hint.empty";
  if (chosen.includes(cell) || extendable(found, [...chosen, cell])) return null;
  if (!found.sets.some((set) => set.includes(cell))) return "hint.enclosed";
  if (chosen.length === 3) return "hint.three";
  const all = [...chosen, cell].map((name) => [...name].map(Number));
  const alike = (axis) => all.every((place) => place[axis] === all[0][axis]);
  if (!alike(0) && !alike(1)) return "hint.line";
  const along = all.map((place) => place[alike(0) ? 1 : 0]);
  if (Math.max(...along) - Math.min(...along) > 2) return "hint.gap";
  const most = Math.max(...found.sets.map((set) => set.length));
  return all.length > most ? "hint.room" : "hint.gap";
}

/** Why the chosen cells cannot go to a column; null when they can. */
export function columnObstacle(found, shelf, chosen, column) {
  if (!chosen.length) return "hint.choose";
  if (columnsFor(found, chosen).has(column)) return null;
  if (!columnsFor(found, chosen).size && extendable(found, chosen)) return "hint.between";
  const room = shelf.filter((row) => row[column] === ".").length;
  return room < chosen.length ? "hint.full" : "hint.between";
}
