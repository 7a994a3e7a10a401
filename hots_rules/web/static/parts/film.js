// @ts-check
// A game as a film: shown over the page, and offered as a file.
import { make } from "./dom.js";
import { toldOf } from "./say.js";

/**
 * @param {import("./say.js").Words} words
 * @param {() => Promise<import("../client.js").Film>} fetchFilm
 * @param {(text: string) => void} tell
 */
export async function showFilm(words, fetchFilm, tell) {
  tell(words.moment);
  try {
    const { svg } = await fetchFilm();
    tell("");
    const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    const close = () => {
      dialog.close();
      dialog.remove();
    };
    const file = make(
      "a",
      { href: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })), download: "game.svg", class: "button" },
      words.film_save,
    );
    const dialog = make(
      "dialog",
      { class: "film", "aria-label": words.film },
      make("img", { src: address, alt: words.film }),
      make("div", { class: "row" }, file, make("button", { type: "button", onclick: close }, words.close)),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  } catch (error) {
    tell(toldOf(error, words));
  }
}
