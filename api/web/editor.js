// An editor for positions: a brush for places, fields for the rest. The service says what is wrong.

import { diceFields, resizeDice } from "./editor-dice.js";
import { tileFields, resizeTile } from "./editor-tile.js";
import { field, h, select, show } from "./dom.js";
import { t } from "./words.js";

const FIELDS = { tile: tileFields, dice: diceFields };
const RESIZE = { tile: resizeTile, dice: resizeDice };

/** changed: called with the position after each edit. */
export function editor(game, rules, changed) {
  const body = h("div", { class: "editor" });
  const place = h(
    "details",
    { class: "card", "data-key": "editor", on: { toggle: () => draw() } },
    h("summary", {}, t("editor")),
    body,
  );
  const state = { brush: game === "tile" ? "C" : "o" };
  let position = null;
  let faults = [];

  function edit(change) {
    change(position);
    draw();
    changed(structuredClone(position));
  }

  const choose = (name, options, value, change, pointer = name) =>
    field(
      t(name.replace(/-\d+$/, ""), { seat: Number(name.split("-")[1]) + 1 }),
      select(options, value, (found) => edit(() => change(found)), {
        "data-key": `edit-${name}`,
        "data-pointer": `/position/${pointer}`,
      }),
    );

  const seats = () =>
    position.boards?.map((_, seat) => seat) ?? position.shelves.map((_, seat) => seat);
  const seatOptions = () => seats().map((seat) => [seat, t("human-name", { seat: seat + 1 })]);

  function draw() {
    if (!position || !place.open) return;
    show(
      body,
      h(
        "div",
        { class: "edit-fields" },
        choose(
          "players",
          [
            [2, "2"],
            [3, "3"],
            [4, "4"],
          ],
          position.players,
          (value) => RESIZE[game](position, Number(value)),
        ),
        choose("to_move", seatOptions(), position.to_move, (value) => {
          position.to_move = Number(value);
        }),
        choose("first_player", seatOptions(), position.first_player, (value) => {
          position.first_player = Number(value);
        }),
      ),
      FIELDS[game]({ position, rules, state, edit, choose, draw }),
    );
    paint();
  }

  /** Marks the place each fault points at, or the nearest one above it. */
  function paint() {
    for (const { pointer = "", field: inside, detail } of faults) {
      let path = inside ? `${pointer}/${inside.replace(/^\//, "")}` : pointer;
      let found = null;
      while (path && !found) {
        found = body.querySelector(`[data-pointer="${CSS.escape(path)}"]`);
        path = path.slice(0, path.lastIndexOf("/"));
      }
      found?.classList.add("faulty");
      found?.setAttribute("title", detail);
    }
  }

  return {
    place,
    load(given) {
      position = structuredClone(given);
      draw();
    },
    mark(found) {
      faults = found;
      draw();
    },
  };
}
