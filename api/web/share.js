// Copying the position and its link.

import { button, notice } from "./dom.js";
import { t } from "./words.js";

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(t("copied", { what }));
  } catch {
    // no clipboard without https: the text is shown to be copied by hand
    window.prompt(t("copy-by-hand"), text);
  }
}

/** now: called for the position as it is, {position, notation}. */
export function copyButtons(now) {
  return [
    button(t("copy-notation"), () => copy(now().notation, t("notation")), {
      "data-key": "copy-notation",
    }),
    button(t("copy-json"), () => copy(JSON.stringify(now().position), "JSON"), {
      "data-key": "copy-json",
    }),
    button(t("copy-link"), () => copy(location.href, t("link")), { "data-key": "copy-link" }),
  ];
}
