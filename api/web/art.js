// The pictures: six tile types and the joker, told apart by shape as well as colour.

import { s } from "./dom.js";

const INK = {
  fill: "none",
  stroke: "#1c1b1a",
  "stroke-width": 2.4,
  "stroke-linejoin": "round",
  "stroke-linecap": "round",
};
const path = (d, more = {}) => s("path", { ...INK, d, ...more });
const circle = (cx, cy, r, more = {}) => s("circle", { ...INK, cx, cy, r, ...more });
const SOLID = { fill: "#1c1b1a", stroke: "none" };
const PALE = { fill: "#fffaf0" };

const SHAPES = {
  C: () => [
    // a cat's head
    path("M8 16 9 6l7 5h8l7-5 1 10v6a12 10.5 0 0 1-24 0z", PALE),
    circle(15.5, 20, 1.6, SOLID),
    circle(24.5, 20, 1.6, SOLID),
    path("M18.5 24.500h3l-1.5 2zM4 23l6 1M36 23l-6 1"),
  ],
  B: () => [
    // books on a board
    path("M7 9h7v22H7zM14 6h7v25h-7zM23 10l6-2 6 21-6 2z", PALE),
    path("M7 14h7M14 12h7M14 25h7M25 15.500l6-2M4 34h32"),
  ],
  G: () => [
    // a pawn
    path("M14 32c2-6 3-8 3-12h6c0 4 1 6 3 12z", PALE),
    circle(20, 13, 6, PALE),
    path("M11 32h18v3H11zM15 20h10"),
  ],
  F: () => [
    // a picture in its frame
    path("M6 8h28v24H6z", PALE),
    path("M11 13h18v14H11z"),
    path("M11 26l6-7 5 5 3-3 4 5"),
    circle(24.5, 16.5, 1.5, SOLID),
  ],
  T: () => [
    // a cup
    path("M12 7h16v9a8 8 0 0 1-16 0z", PALE),
    path("M12 10H7c0 6 2 8 6 8M28 10h5c0 6-2 8-6 8M20 24v6M13 34h14l-2-4H15z"),
  ],
  P: () => [
    // a plant in its pot
    path("M12 25h16l-2 10H14z", PALE),
    path("M20 25V14"),
    path("M20 18C13 18 10 14 10 8c7 0 10 4 10 10z", PALE),
    path("M20 15c0-6 4-10 10-10 0 7-4 10-10 10z", PALE),
  ],
  J: () => [
    path(
      "M20 5l4.5 9.5 10.5 1.3-7.700 7.200 2 10.300L20 28.200l-9.300 5.100 2-10.300L5 15.800l10.5-1.300z",
      PALE,
    ),
  ],
};

/** The shapes, once in the document; `picture` refers to them. */
export function sprite() {
  return s(
    "svg",
    { width: 0, height: 0, class: "sprite", "aria-hidden": "true" },
    Object.entries(SHAPES).map(([letter, draw]) =>
      s("symbol", { id: `shape-${letter}`, viewBox: "0 0 40 40" }, draw()),
    ),
  );
}

export function picture(letter) {
  return s(
    "svg",
    { class: "picture", viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" },
    s("use", { href: `#shape-${letter}` }),
  );
}
