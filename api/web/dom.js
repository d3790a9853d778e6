// Elements made by calls. Text is only ever set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value)) made.style.setProperty(property, text);
    } else if (name === "value" || name === "checked" || name === "indeterminate") {
      made[name] = value;
    } else {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return made;
}

export function h(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

export function s(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

export function button(text, handler, properties = {}) {
  return h("button", { type: "button", on: { click: handler }, ...properties }, text);
}

/** A label with its control. */
export function field(label, control, properties = {}) {
  return h("label", { class: "field", ...properties }, h("span", {}, label), control);
}

export function select(options, chosen, handler, properties = {}) {
  const made = h(
    "select",
    { on: { change: () => handler(made.value) }, ...properties },
    options.map(([value, text]) => h("option", { value }, text)),
  );
  made.value = String(chosen);
  return made;
}

/** Puts new children in; what had the focus, by its data-key, has it again. */
export function show(parent, ...children) {
  const focused = parent.contains(document.activeElement) && document.activeElement.dataset.key;
  parent.replaceChildren(...children.flat(3).filter(Boolean));
  if (focused) parent.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** For screen readers alone; what was said last is not said again. */
export function say(text) {
  const place = document.getElementById("said");
  if (place.textContent !== text) place.textContent = text;
}

let hiding = 0;

/** A sentence at the foot of the window, also for screen readers. */
export function notice(text, kind = "note", seconds = 6) {
  const place = document.getElementById("notice");
  place.textContent = text;
  place.className = text ? kind : "";
  clearTimeout(hiding);
  if (text && seconds) hiding = setTimeout(() => notice(""), 1000 * seconds);
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
