// A ruleset in Node and browsers: `const rules = await load()` reads rules.json and rules.wasm beside this file.
// It hides nothing: its games are for hot seat, simulation and bots.

/** The ruleset broke one of its own bounds; the Python library says where. */
export class RulesetFault extends Error {}

/** The ruleset of a folder. */
export async function load(folder = new URL("./", import.meta.url)) {
  const [layout, code] = await Promise.all(["rules.json", "rules.wasm"].map((name) => read(new URL(name, folder))));
  return instantiate(JSON.parse(new TextDecoder().decode(layout)), code);
}

/** The ruleset of a layout and the bytes of its module. */
export async function instantiate(layout, code) {
  const { instance } = await WebAssembly.instantiate(code);
  return new Ruleset(layout, instance.exports);
}

async function read(url) {
  if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be read: ${response.status}`);
  return response.arrayBuffer();
}

export class Ruleset {
  #layout;
  #code;
  #cells;
  #bytes;

  constructor(layout, code) {
    this.#layout = layout;
    this.#code = code;
    this.#cells = new BigInt64Array(code.memory.buffer);
    this.#bytes = new Uint8Array(code.memory.buffer);
  }

  get name() {
    return this.#layout.ruleset;
  }

  get players() {
    return this.#layout.players;
  }

  get scenarios() {
    return Object.keys(this.#layout.scenarios);
  }

  /** A new game; the same seed gives the same dice as in Python. */
  start(scenario, seed) {
    const state = this.#initial(scenario);
    return this.#after(state, `${seed}`, (code) => code.advance(state[0]));
  }

  /** The game after a legal action. */
  play(game, code) {
    return this.#after(game.state, game.seed, (exports) => exports.play(BigInt(code)));
  }

  /** The codes of the legal actions of a state. */
  codes(state) {
    if (state[0] === 0n) return [];
    this.#enter(state);
    const first = this.#layout.regions.OUT;
    const count = Number(this.#code.legal(-1n - state[0]));
    this.#check(this.#cells[this.#layout.regions.ERROR]);
    return Array.from(this.#cells.subarray(first, first + count), Number);
  }

  /** The action of a code. */
  action(code) {
    const { actions, players } = this.#layout;
    const { name, base, params, template } = actions.findLast((each) => each.base <= code);
    let rest = code - base;
    const digits = params.map(() => 0);
    for (let i = params.length - 1; i >= 0; i--) {
      digits[i] = rest % params[i].size;
      rest = Math.floor(rest / params[i].size);
    }
    const word = (texts, i) => params[i][texts]?.[digits[i]] ?? `${digits[i] + params[i].low}`;
    const text = template.replace(/\{(\w+)\}/g, (whole, param) => {
      const i = params.findIndex((each) => each.name === param);
      return i < 0 ? whole : word("texts", i);
    });
    const args = Object.fromEntries(params.map((param, i) => [param.name, word("names", i)]));
    const player = players[rest % players.length];
    return { code, player, name, args, text: `${player}: ${text}` };
  }

  /** How a state ended; null while the game goes on. */
  outcome(state) {
    if (state[0] !== 0n) return null;
    const code = Number(state[1]);
    const reason = code ? this.#layout.reasons[Number(state[2])] : "no outcome";
    // 2 + p for player p alone, minus a mask for several.
    const winners = this.players.filter((_, player) => (code < 0 ? (-code >> player) & 1 : code === player + 2));
    const winner = winners.length > 1 ? null : (winners[0] ?? "nobody");
    return { winner, winners, reason };
  }

  /** Games with random moves; game i has the seed `seed/i`, and is the one that Python plays. */
  async *playouts(scenario, { games = 100, seed = "0", first = 0 } = {}) {
    const start = this.#initial(scenario);
    for (let at = first; at < first + games; at += this.#layout.batch) {
      const count = Math.min(this.#layout.batch, first + games - at);
      const texts = Array.from({ length: count }, (_, i) => seedBytes(`${seed}/${at + i}`, 111));
      yield* this.#batch(texts, start);
    }
  }

  /** Statistics of games with random moves, as `hr.simulate` of Python has them. */
  async simulate(scenario, options = {}) {
    const wins = Object.fromEntries([...this.players, "nobody"].map((player) => [player, 0]));
    const found = { games: 0, finished: 0, wins, reasons: {}, decisions: 0 };
    for await (const { state, decisions } of this.playouts(scenario, options)) {
      found.games++;
      found.decisions += decisions;
      const end = this.outcome(state);
      if (end === null) continue;
      found.finished++;
      for (const winner of end.winners.length ? end.winners : ["nobody"]) wins[winner]++;
      found.reasons[end.reason] = (found.reasons[end.reason] ?? 0) + 1;
    }
    return found;
  }

  // ---------------------------------------------------------------- the memory
  #initial(scenario) {
    const { scenarios, initial } = this.#layout;
    if (!Object.hasOwn(scenarios, scenario))
      throw new RangeError(`no scenario ${scenario}; there are ${this.scenarios.join(", ")}`);
    const state = BigInt64Array.from(initial, BigInt);
    state[0] = BigInt(scenarios[scenario]);
    return state;
  }

  #enter(state) {
    const { SLOTS, ERROR } = this.#layout.regions;
    this.#cells.set(state, SLOTS);
    this.#cells[ERROR] = 0n;
  }

  #after(state, seed, run) {
    const { SLOTS, SEED, SEED_SIZE, ERROR } = this.#layout.regions;
    this.#enter(state);
    const text = seedBytes(seed);
    this.#cells.fill(0n, SEED, SEED_SIZE);
    this.#bytes.set(text, 8 * SEED);
    this.#cells[SEED_SIZE] = BigInt(text.length);
    run(this.#code);
    this.#check(this.#cells[ERROR]);
    return new Game(this, this.#cells.slice(SLOTS, SLOTS + state.length), seed);
  }

  #batch(texts, start) {
    const { regions, row, rowCells } = this.#layout;
    texts.forEach((text, i) => {
      const at = regions.ROWS + i * rowCells;
      this.#cells.fill(0n, at, at + rowCells);
      this.#bytes.set(text, 8 * (at + row.SEED));
      this.#cells[at + row.SEED_SIZE] = BigInt(text.length);
      this.#cells.set(start, regions.STATES + i * start.length);
    });
    this.#cells[regions.GAME] = this.#cells[regions.IS_LIVE] = 0n;
    this.#cells[regions.GAMES] = BigInt(texts.length);
    this.#cells[regions.BUDGET] = 1n << 60n;
    this.#code.batch();
    return texts.map((_, i) => {
      const at = regions.ROWS + i * rowCells;
      this.#check(this.#cells[at + row.ERROR]);
      const first = regions.STATES + i * start.length;
      return {
        state: this.#cells.slice(first, first + start.length),
        decisions: Number(this.#cells[at + row.DECISIONS]),
      };
    });
  }

  #check(error) {
    if (error !== 0n) throw new RulesetFault(this.#layout.checks[Number(error) - 1] ?? `fault ${error}`);
  }
}

/** A game as a value: each action gives a new one. */
export class Game {
  constructor(ruleset, state, seed) {
    Object.assign(this, { ruleset, state, seed });
  }

  /** The legal actions. Those that share a text have a longer one, as in Python. */
  get actions() {
    const found = this.ruleset.codes(this.state).map((code) => this.ruleset.action(code));
    const counts = new Map();
    for (const { text } of found) counts.set(text, (counts.get(text) ?? 0) + 1);
    const exact = ({ player, name, args }) => `${player}: ${name}(${Object.values(args).join(", ")})`;
    return found.map((each) => (counts.get(each.text) === 1 ? each : { ...each, text: exact(each) }));
  }

  /** The players who choose now. */
  get toMove() {
    return [...new Set(this.actions.map((action) => action.player))];
  }

  get isOver() {
    return this.state[0] === 0n;
  }

  get outcome() {
    return this.ruleset.outcome(this.state);
  }

  /** The game after an action, given by its text. */
  play(text) {
    const action = this.actions.find((each) => each.text === text);
    if (!action) throw new RangeError(`${text} is not legal`);
    return this.ruleset.play(this, action.code);
  }
}

function seedBytes(seed, most = 126) {
  const text = new TextEncoder().encode(`${seed}\n`);
  if (text.length > most + 1) throw new RangeError(`expected a seed of at most ${most} bytes`);
  return text;
}
