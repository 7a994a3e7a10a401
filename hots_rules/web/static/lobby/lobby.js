// @ts-check
// A table is opened: a game and a scenario are chosen, and each seat gets its link.
import * as api from "../parts/api.js";
import { ClockChoice } from "./clock.js";
import { make } from "../parts/dom.js";
import { Settings } from "./settings.js";
import { TokenField } from "../parts/token.js";
import { toldOf } from "../parts/say.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {{ ruleset: string, position: string, settings: import("./settings.js").Chosen }} Preset where a game begins
 */

// What was opened last is proposed again.
const LAST = "hots_rules last";

/**
 * With a position, the game begins there: `preset` has its ruleset, its text and its settings.
 * @param {HTMLElement} main
 * @param {Words} words
 * @param {Preset | null} [preset]
 */
export async function showLobby(main, words, preset = null) {
  const rulesets = await api.anybody().listRulesets();
  const game = make(
    "select",
    { name: "ruleset" },
    ...rulesets.map((each) => make("option", { value: each.name }, `${each.title} (${each.name})`)),
  );
  /** @type {{ ruleset?: string, scenario?: string, bots?: { [player: string]: string } }} */
  const last = JSON.parse(localStorage.getItem(LAST) ?? "{}");
  const wanted = preset?.ruleset ?? last.ruleset;
  if (wanted && rulesets.some((each) => each.name === wanted)) game.value = wanted;
  const scenario = make("select", { name: "scenario" });
  const seats = make("fieldset");
  const settings = new Settings(words);
  const clock = new ClockChoice(words);
  /** @type {import("../client.js").Setting[]} */
  let known = [];
  /** @type {{ [player: string]: string }} */
  let names = {};
  const offer = async () => {
    const chosen = game.value;
    const scenarios = rulesets.find((each) => each.name === chosen)?.scenarios ?? {};
    scenario.replaceChildren(
      ...Object.entries(scenarios).map(([name, title]) =>
        make("option", { value: name, selected: chosen === last.ruleset && name === last.scenario }, title || name),
      ),
    );
    seats.replaceChildren();
    button.disabled = true;
    fault.textContent = words.moment;
    const { players, bots, settings: all } = await api.anybody().readRuleset(chosen);
    if (chosen !== game.value) return;
    [known, names] = [all, players];
    settings.offer(known, preset ? null : scenario.value, preset?.settings);
    button.disabled = false;
    fault.textContent = "";
    seats.replaceChildren(
      ...Object.entries(players).map(([player, name]) =>
        offerSeat(words, player, name, bots, (chosen === last.ruleset && last.bots?.[player]) || ""),
      ),
    );
  };
  game.addEventListener("change", offer);
  scenario.addEventListener("change", () => settings.offer(known, scenario.value));
  const open = async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    fault.textContent = words.moment;
    try {
      const chosen = [...seats.querySelectorAll("select")]
        .filter((seat) => seat.value)
        .map((seat) => [seat.name, seat.value]);
      localStorage.setItem(
        LAST,
        JSON.stringify({ ruleset: game.value, scenario: scenario.value, bots: Object.fromEntries(chosen) }),
      );
      const made = await api.anybody(token.value).createGame({
        ruleset: game.value,
        scenario: preset ? "" : scenario.value,
        position: preset?.position ?? "",
        bots: Object.fromEntries(chosen),
        shares: mixed.checked,
        odds: told.checked,
        settings: settings.chosen,
        clock: clock.chosen,
      });
      showLinks(main, words, made, names);
    } catch (error) {
      fault.textContent = toldOf(error, words);
      button.disabled = false;
      token.askFor(error);
    }
  };
  const token = new TokenField(words);
  const mixed = make("input", { type: "checkbox", name: "shares", checked: true });
  const told = make("input", { type: "checkbox", name: "odds" });
  const fault = make("p", { role: "status" });
  const button = make("button", { type: "submit", class: "main" }, words.create);
  main.replaceChildren(
    make(
      "form",
      { class: "lobby", onsubmit: open },
      ...(preset
        ? [make("p", {}, words.position_begins)]
        : [make("label", {}, words.game, game), make("label", {}, words.scenario, scenario)]),
      seats,
      settings.place,
      clock.place,
      make("label", { class: "box" }, mixed, words.shares),
      make("label", { class: "box" }, told, words.odds_allowed),
      token.place,
      button,
      fault,
    ),
  );
  await offer();
}

/**
 * @param {Words} words
 * @param {string} player
 * @param {string} name
 * @param {readonly string[]} bots
 * @param {string} last
 */
function offerSeat(words, player, name, bots, last) {
  const kinds = bots.map((kind) =>
    make("option", { value: kind, selected: kind === last }, words[`bot_${kind}`] ?? kind),
  );
  return make(
    "label",
    {},
    name,
    make("select", { name: player }, make("option", { value: "" }, words.person), ...kinds),
  );
}

/**
 * @param {HTMLElement} main
 * @param {Words} words
 * @param {import("../client.js").NewSeats} made
 * @param {{ [player: string]: string }} names
 */
function showLinks(main, words, { game, keys }, names) {
  const link = (/** @type {string} */ key) =>
    new URL(`./#${[game, key].filter(Boolean).join(".")}`, location.href).href;
  const all = Object.values(keys);
  const line = (/** @type {string} */ name, /** @type {string} */ key) => {
    const address = link(key);
    const open = make(
      "a",
      {
        href: address,
        target: "_blank",
        rel: "noopener",
        class: key && all.length === 1 ? "button main" : "button",
        "aria-label": `${words.open_link} – ${name}`,
      },
      words.open_link,
    );
    return make(
      "p",
      {},
      make("strong", {}, `${name}: `),
      make("span", { class: "row" }, open, ...copyButtons(words, address)),
      make("code", {}, address),
    );
  };
  main.replaceChildren(
    make(
      "section",
      { class: "links" },
      make("p", { class: "told" }, all.length > 1 ? words.links : words.links_alone),
      ...Object.entries(keys).map(([player, key]) => line(names[player], key)),
      ...(all.length > 1 ? [line(words.hot_seat, all.join("."))] : []),
      line(words.spectator, ""),
    ),
  );
}

/**
 * A page that did not come through TLS, or from this machine, cannot reach the clipboard.
 * @param {Words} words
 * @param {string} address
 */
function copyButtons(words, address) {
  if (!navigator.clipboard) return [];
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    button.textContent = words.copied;
  };
  const button = make("button", { type: "button", onclick: copy }, words.copy);
  return [button];
}
