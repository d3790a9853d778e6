// Starts the page: language, tabs, and what the address asks for.

import { sprite } from "./art.js";
import { setKey, wantsKey } from "./api.js";
import { button, field, h, notice, select, show } from "./dom.js";
import { parse } from "./link.js";
import { Play } from "./play.js";
import { LANGUAGES, language, load, t } from "./words.js";

const top = document.getElementById("top");
const main = document.getElementById("main");
const tabs = {};
let current = "play";

const makers = {
  play: async (place) => new Play(place, open),
  analyse: async (place) => new (await import("./analyse.js")).Analyse(place, open),
};

async function open(tab, wanted = {}) {
  tabs[current]?.leave();
  current = tab in makers ? tab : "play";
  drawHeader();
  tabs[current] ??= await makers[current](main);
  await tabs[current].enter(wanted);
}

function drawHeader() {
  const tab = (name) =>
    button(
      t(`tab.${name}`),
      () => {
        history.replaceState(null, "", `#${name}`);
        open(name);
      },
      { "aria-current": current === name ? "page" : undefined, "data-key": name },
    );
  show(
    top,
    h("strong", { class: "brand" }, "shelfie"),
    h("nav", { "aria-label": t("parts") }, Object.keys(makers).map(tab)),
    h("span", { class: "push" }),
    field(
      t("language"),
      select(Object.entries(LANGUAGES), language, change, { "data-key": "language" }),
      { class: "field inline" },
    ),
    h("a", { href: "/docs" }, t("api-link")),
  );
}

async function change(wanted) {
  localStorage.setItem("language", wanted);
  await load(wanted);
  await open(current);
}

/** A service with keys: asked for once, kept for this tab of the browser. */
async function askKey(then) {
  if (!(await wantsKey())) return then();
  const input = h("input", { type: "password", autocomplete: "off", required: true });
  const form = h(
    "form",
    {
      class: "setup card",
      on: {
        submit: (event) => {
          event.preventDefault();
          setKey(input.value.trim());
          notice(t("problem.403"), "error");
          askKey(() => {
            notice("");
            then();
          });
        },
      },
    },
    h("h1", {}, t("key-title")),
    field(t("key"), input),
    h("button", { type: "submit", class: "primary" }, t("start")),
  );
  show(main, form);
}

async function start() {
  const wanted = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
  await load(wanted);
  document.body.prepend(sprite());
  drawHeader();
  const begin = () => {
    const asked = parse(location.hash);
    return open(asked.tab, asked);
  };
  await askKey(begin);
}

addEventListener("hashchange", () => {
  const asked = parse(location.hash);
  open(asked.tab, asked);
});
start().catch((error) => notice(error.message, "error", 0));
