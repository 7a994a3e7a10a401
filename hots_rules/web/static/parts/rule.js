// @ts-check
// The sentences of the rules that a section has, over the page until it is closed.
import { make } from "./dom.js";
import { toldOf } from "./say.js";

/**
 * `read` gives the heading and the rules of the section.
 * @param {import("./say.js").Words} words
 * @param {string} number
 * @param {() => Promise<import("../client.js").SectionRules>} read
 */
export async function openSection(words, number, read) {
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const dialog = make("dialog", { "aria-label": `§${number}` });
  try {
    const { heading, rules } = await read();
    dialog.append(
      make("h2", {}, `§${number} ${heading}`),
      make("ul", {}, ...rules.map((rule) => make("li", {}, rule.text))),
    );
  } catch (error) {
    dialog.append(make("p", {}, toldOf(error, words)));
  }
  dialog.append(make("button", { type: "button", onclick: close }, words.close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
