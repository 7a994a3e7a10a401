// @ts-check
// A record is given to the table, which checks it; then it is looked at.
import * as api from "../parts/api.js";
import { make } from "../parts/dom.js";
import { statusOf, toldOf } from "../parts/say.js";

const MOST_BYTES = 1_000_000;

/**
 * @param {HTMLElement} main
 * @param {import("../parts/say.js").Words} words
 */
export function showUpload(main, words) {
  const fault = make("p", { class: "why", role: "alert", id: "fault" });
  const text = make("textarea", { name: "record", rows: "12", spellcheck: "false", "aria-label": words.record_text });
  const file = make("input", {
    type: "file",
    name: "file",
    "aria-label": words.record_file,
    accept: ".txt,.rec,text/plain",
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) fault.textContent = words.record_large;
    else text.value = await chosen.text();
  });
  const token = make("input", { name: "token", type: "password", autocomplete: "off" });
  const allowed = make("label", { hidden: true }, words.token, token);
  const button = make("button", { type: "submit", class: "main" }, words.record_open);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    fault.textContent = words.moment;
    try {
      const { name } = await api.anybody(token.value.trim() || null).uploadRecord({ record: text.value });
      location.hash = `record/${name}`;
    } catch (error) {
      fault.textContent = toldOf(error, words);
      allowed.hidden = statusOf(error) !== 401 && !token.value;
    }
  };
  main.replaceChildren(
    make(
      "form",
      { class: "lobby", onsubmit: send },
      make("p", {}, words.record_hint),
      make("label", {}, words.record_file, file),
      make("label", {}, words.record_text, text),
      allowed,
      button,
      fault,
    ),
  );
}
