// A table is opened: a game and a scenario are chosen, and each seat gets its link.
import * as api from "./api.js";
import { make } from "./dom.js";

export async function showLobby(main, words) {
  const rulesets = await api.rulesets();
  const game = make("select", { name: "ruleset" }, ...rulesets.map((each) => make("option", { value: each.name }, `${each.title} (${each.name})`)));
  const scenario = make("select", { name: "scenario" });
  const offer = () => {
    const { scenarios } = rulesets.find((each) => each.name === game.value);
    scenario.replaceChildren(...Object.entries(scenarios).map(([name, title]) => make("option", { value: name }, title || name)));
  };
  game.addEventListener("change", offer);
  offer();
  const open = async (event) => {
    event.preventDefault();
    try {
      const made = await api.create(game.value, scenario.value);
      showLinks(main, words, made);
    } catch (error) {
      fault.textContent = error.message;
    }
  };
  const fault = make("p", { role: "alert" });
  main.replaceChildren(make("form", { class: "lobby", onsubmit: open },
    make("label", {}, words.game, game), make("label", {}, words.scenario, scenario),
    make("button", { type: "submit" }, words.create), fault));
}

function showLinks(main, words, { game, keys }) {
  const link = (key) => `${location.origin}/#${[game, key].filter(Boolean).join(".")}`;
  const line = (name, key) => {
    const address = link(key);
    const copy = make("button", { type: "button", onclick: () => navigator.clipboard?.writeText(address) }, words.copy);
    return make("p", {}, `${name}: `, make("a", { href: address, target: "_blank", rel: "noopener" }, address), " ", copy);
  };
  main.replaceChildren(make("section", { class: "links" }, make("p", {}, words.links),
    ...Object.entries(keys).map(([player, key]) => line(player, key)), line(words.spectator, "")));
}
