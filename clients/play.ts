// A whole game, in TypeScript: both seats choose at random until the game is over, then its record is read.
//
// `client.js` and `client.d.ts` are those of the table, `types.ts` is what `hots export types` prints:
//
//   curl -O TABLE/client.js -O TABLE/client.d.ts && hots export types >types.ts
//   tsc --strict --target es2022 --module nodenext play.ts && node play.js TABLE
import { Refused, Table, type State } from "./client.js";
import type { Action, GameRecord, ViewV4 } from "./types.js";

declare const process: { argv: string[] };

const [, , address = "http://127.0.0.1:8297", ruleset = "connect-four-1.0", scenario = "empty-board"] = process.argv;

/** What a seat may do now, as the messages of the library have it. */
function choices(view: Omit<ViewV4, "log">): Action[] {
  return view.actions;
}

/** How often each word begins an action of a record: `Record` is the type of the language here. */
function firstWords(entries: GameRecord["entries"]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { text } of entries) {
    const [word = ""] = text.split(" ");
    found[word] = (found[word] ?? 0) + 1;
  }
  return found;
}

const open = new Table(address);
const { game, keys } = await open.createGame({ ruleset, scenario, claim: false });
const seats = Object.values(keys).map((key) => new Table(address, { key }));
const states = await Promise.all(seats.map((seat) => seat.readGame(game, { board: false })));

let number = 0;
let last: State | undefined = states[0];
while (last && !last.is_over) {
  for (const seat of seats) {
    const state = await seat.readGame(game, { board: false });
    const actions = choices(state.view);
    const action = actions[Math.floor(Math.random() * actions.length)];
    last = action
      ? await seat.playAction(game, { number: state.number, action: action.text }, { board: false })
      : state;
    number = last.number;
    if (last.is_over) break;
  }
}

const late = await open.playAction(game, { number, action: "x" }).catch((error: unknown) => error);
const refusal = late instanceof Refused ? { status: late.status, kind: late.kind } : null;
const record = await open.readRecord(game);
const entries = (last?.log ?? []).map(({ text }) => ({ text, digest: "", comments: [], variations: [] }));
const winners = last?.view.outcome?.winners ?? [];
console.log(JSON.stringify({ number, winners, refusal, record, words: firstWords(entries) }));
