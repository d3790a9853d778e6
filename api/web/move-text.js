// Moves as people read them; the notation stays beside them.

import { faceName, itemName } from "./dice-view.js";
import { tileName } from "./tile-view.js";
import { t } from "./words.js";

const faces = (letters) => [...letters].map(faceName).join(", ");

/** board: the living room before the move, to name the tiles taken. */
export function moveText(move, board = null) {
  const [kind, rest] = move.split(":");
  if (move === "refill" || move === "roll" || move === "pass") return t(`move.${move}`);
  if (kind === "keep")
    return rest === "-" ? t("move.keep-none") : t("move.keep", { faces: faces(rest) });
  if (kind === "mark") return t("move.mark", { items: rest.split(",").map(itemName).join("; ") });
  if (kind === "cross") return t("move.cross", { shelf: faceName(rest) });
  const [cells, column] = move.split(">");
  const tiles =
    board &&
    cells
      .split(",")
      .map(([row, place]) => board[row][place])
      .map((letter) => (letter === "." ? "?" : tileName(letter)))
      .join(", ");
  return t("move.take", { tiles: tiles || cells, column: Number(column) + 1 });
}
