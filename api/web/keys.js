// Arrow keys between the buttons of a field; Tab enters it once.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Makes one button of the field reachable by Tab, and moves among all by arrows. */
export function roving(field, attribute, remembered) {
  const all = [...field.querySelectorAll(`button[data-${attribute}]`)];
  const name = (each) => each.dataset[attribute];
  const first =
    all.find((each) => name(each) === remembered.at) ??
    all.find((each) => each.getAttribute("aria-disabled") !== "true") ??
    all[0];
  for (const each of all) each.tabIndex = each === first ? 0 : -1;

  function go(to) {
    for (const each of all) each.tabIndex = each === to ? 0 : -1;
    to.focus();
  }

  field.addEventListener("focusin", (event) => {
    if (name(event.target)) remembered.at = name(event.target);
  });
  field.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !name(event.target)) return;
    event.preventDefault();
    const next = nearest(all, event.target, step, name);
    if (next) go(next);
  });
}

/** The closest button in that direction; those straight ahead before those aside. */
function nearest(all, from, [down, right], name) {
  const [row, column] = [...name(from)].map(Number);
  let best = null;
  let least = Infinity;
  for (const each of all) {
    const [r, c] = [...name(each)].map(Number);
    const ahead = (r - row) * down + (c - column) * right;
    const aside = Math.abs(down ? c - column : r - row);
    const distance = ahead + 20 * aside;
    if (ahead > 0 && distance < least) [best, least] = [each, distance];
  }
  return best;
}
