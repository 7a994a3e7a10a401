// The page: the folder on one side, the panels on the other, and the library behind both.
import { AskPanel } from "./ask.js";
import { ComparePanel } from "./compare.js";
import { Files } from "./files.js";
import { offerTools } from "./tools.js";
import { Library } from "./library.js";
import { PlayPanel } from "./play.js";
import { RulesPanel } from "./rules.js";
import { unpack } from "./share.js";
import { Tabs } from "./tabs.js";
import { make } from "./table/parts/dom.js";

const say = (text) => {
  document.getElementById("status").textContent = text;
};
const PANELS = { play: "Play", rules: "Rulebook", compare: "Compare", ask: "Ask" };

class Page {
  async begin() {
    this.library = new Library({
      restore: (failed) => this.#restoring(failed),
      settle: () => this.files?.settle(),
      tell: (what, reason) => this.#hear(what, reason),
    });
    const table = await (await fetch("colours.json")).json();
    this.files = new Files(document.getElementById("folder"), table, this.library, {
      onRulesets: (own) => this.#offer(own),
      onChange: () => this.play?.changed(),
    });
    const shared = await unpack(location.hash.slice(1)).catch((error) => {
      this.fault = error.message;
      return null;
    });
    const known = await this.library.ask("library");
    this.known = known;
    this.#lay(known.words);
    offerTools(document.getElementById("tools"), this);
    if (shared) await this.open(shared.files, shared.open);
    else await this.openExample(known.examples[0]);
    if (shared?.game) await this.play.resume(shared.game);
    if (!shared?.game) await this.library.ask("rehearse").catch(() => {}); // the first game begins at once
    this.isBegun = true;
    if (this.fault) say(this.fault);
    else this.#hear("ready");
  }
  // Opens texts in place of those before; `folder` saves them, if the browser has opened one.
  async open(files, chosen = null, folder = null) {
    this.folder = folder;
    this.saving.hidden = !folder;
    this.play.chooseFirst();
    this.compare.forget();
    await this.files.open(files, chosen);
  }
  async openExample({ kind, name }) {
    await this.open(await this.library.ask("example", { kind, name }));
  }
  // What a link holds: the folder, and the game if one has begun.
  get content() {
    return { files: this.files.texts, open: this.files.name, game: this.play.record };
  }
  say(text) {
    say(text);
  }

  #lay(words) {
    this.play = new PlayPanel(words, this.library, { onGame: () => this.ask.offer() });
    this.rules = new RulesPanel(this.library, (text) => this.files.append(text));
    this.compare = new ComparePanel(this.library);
    this.ask = new AskPanel(this.library);
    this.tabs = new Tabs("Panels", (name) => this.show(name));
    document.getElementById("panels").replaceChildren(
      this.tabs.place,
      ...Object.keys(PANELS).map((name) => {
        const { panel } = this[name];
        for (const [key, value] of Object.entries({
          role: "tabpanel",
          id: `panel-${name}`,
          "aria-labelledby": `tab-${name}`,
        }))
          panel.setAttribute(key, value);
        return panel;
      }),
    );
    this.show("play");
  }
  show(chosen) {
    this.tabs.show(PANELS, chosen);
    for (const name of Object.keys(PANELS)) this[name].panel.hidden = name !== chosen;
  }
  #offer({ titles, bases }) {
    const { rulesets } = this.known;
    this.play.offer(titles, rulesets);
    this.rules.offer(titles, rulesets);
    this.compare.offer(titles, rulesets, bases);
  }
  #hear(what, reason) {
    if (what === "ready" && !this.isBegun) return; // the worker is there, but the first answers take a while
    if (what === "ready")
      say(this.isRestarted ? `${this.isRestarted} The library is ready again.` : "The library is ready.");
    else {
      this.isRestarted = reason;
      say(reason);
    }
  }
  // What a new worker has to know, unless the old one failed at it.
  #restoring(failed) {
    const game = this.play?.record;
    const requests = [];
    if (this.files && !["open", "check"].includes(failed)) requests.push(["open", { files: this.files.texts }]);
    if (game && failed !== "resume") requests.push(["resume", game]);
    return requests;
  }
}

const page = new Page();
page.begin().catch((error) => say(error.message));
window.addEventListener("hashchange", () => location.reload());
