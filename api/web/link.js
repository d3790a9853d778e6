// The part of the address after #: which tab, which game, and the whole position.

export function address({ tab, game, seats, seed, notation }) {
  const parts =
    tab === "play" && game
      ? [tab, game, seats.map((seat) => seat.level ?? "h").join(","), seed, notation]
      : [tab, game, notation];
  return `#${parts
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;
}

export function parse(fragment) {
  let parts;
  try {
    parts = fragment.replace(/^#/, "").split("/").map(decodeURIComponent);
  } catch {
    return { tab: "play" };
  }
  const [tab, game, ...rest] = parts;
  const known = game === "tile" || game === "dice" ? game : undefined;
  if (tab === "analyse") return { tab, game: known, notation: known && rest[0] };
  if (tab !== "play" || !known || rest.length < 3) return { tab: "play", game: known };
  const [seats, seed, notation] = rest;
  return { tab, game, seed, notation, seats: seats.split(",").map(seatOf) };
}

const seatOf = (text) => ({ level: /^([1-9]|10)$/.test(text) ? Number(text) : null });
