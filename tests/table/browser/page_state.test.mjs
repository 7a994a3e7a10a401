// The state of the page of a game, without a browser: `node --test tests/table/browser/page_state.test.mjs`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { effectsOf } from "../../../hots_rules/web/static/game/effects.js";
import {
  beginning,
  isBusy,
  isMine,
  mayStillPlay,
  isThinking,
  isToAnswer,
} from "../../../hots_rules/web/static/game/state.js";
import { step } from "../../../hots_rules/web/static/game/step.js";

const PLAYERS = { Red: "Red", Yellow: "Yellow" };
const line = (text) => ({ kind: "action", text, sections: [], edition: "" });
const action = (text) => ({ player: "Red", name: "drop", args: {}, text, code: 0, probability: null });

// What the table tells a seat after some plays, of which each is a change.
function seen(seat, plays, more = {}) {
  const { since = Math.max(plays - 1, 0), number = plays, to_move = [plays % 2 ? "Yellow" : "Red"], ...others } = more;
  const log = Array.from({ length: plays - since }, (_, i) => line(`play ${since + i + 1}`));
  const actions = to_move.includes(seat) ? [action("a1"), action("b1")] : [];
  return {
    seat,
    number,
    players: PLAYERS,
    view: { plays, to_move, actions, undo_limit: 0 },
    sitting: { Red: "", Yellow: "" },
    log_since: since,
    log,
    doings: [],
    seating: { claims: true, claimed: ["Red", "Yellow"], lost: [] },
    question: null,
    is_over: false,
    is_mixing: false,
    phase: "turn",
    ...others,
  };
}

const run = (state, ...events) => events.reduce(step, state);
const stated = (told, seat = 0, isAnew = false) => ({ type: "stated", seat, seen: told, isAnew });
const texts = (state) => state.steps.map(({ text }) => text);
const red = (...events) => run(beginning(1), { type: "seated", players: ["Red"] }, ...events);
const both = (...events) => run(beginning(2), { type: "seated", players: ["Red", "Yellow"] }, ...events);

// ------------------------------------------------------------------ late answers
test("an older state that comes late is not shown", () => {
  const now = red(stated(seen("Red", 2, { since: 0 })));
  const late = step(now, stated(seen("Red", 1)));

  assert.equal(late.seen, now.seen);
  assert.deepEqual(texts(late), ["play 1", "play 2"]);
  assert.equal(late.number, 2);
  assert.deepEqual(effectsOf(now, late), []);
});

test("of two answers the newer one stands, whichever comes first", () => {
  const [one, two] = [seen("Red", 1, { since: 0 }), seen("Red", 2, { since: 1 })];
  const start = red(stated(seen("Red", 0)));

  assert.equal(run(start, stated(one), stated(two)).seen, two);
  assert.equal(run(start, stated(two), stated(one)).seen, two);
  assert.deepEqual(texts(run(start, stated(one), stated(two))), ["play 1", "play 2"]);
});

test("a log that is older than what is seen is asked for again", () => {
  const whole = red(stated(seen("Red", 70, { since: 10 })), { type: "logWanted", wanted: "whole" });
  const newer = step(whole, stated(seen("Red", 71, { since: 70 })));
  const late = step(newer, stated(seen("Red", 70, { since: 0 }), 0, true));

  assert.equal(whole.isCut && late.isCut, true);
  assert.deepEqual([late.wanted, effectsOf(newer, late)], ["whole", ["log"]]);
  const read = step(late, stated(seen("Red", 71, { since: 0 }), 0, true));
  assert.deepEqual([read.wanted, read.isCut, read.steps.length], ["", false, 71]);
});

test("a moment that nobody looks at any more is not shown", () => {
  const moment = (plays) => ({ plays, phase: "turn", board: "", facts: "", log: [line(`play ${plays}`)] });
  const at = red(stated(seen("Red", 5)), { type: "looked", at: 3 });
  const on = step(at, { type: "looked", at: 2 });
  const late = step(on, { type: "remembered", seat: 0, at: 3, moment: moment(3) });
  const shown = step(late, { type: "remembered", seat: 0, at: 2, moment: moment(2) });

  assert.deepEqual([effectsOf(at, on), late.moment], [["moment"], null]);
  assert.deepEqual([shown.moment.plays, shown.status], [2, { text: "play 2" }]);
  assert.deepEqual(step(shown, { type: "looked", at: null }).status, "turn");
});

test("an answer to a question before the last one is no news", () => {
  const first = red({ type: "asked" });
  const second = step(first, { type: "asked" });
  const late = step(second, { type: "told", question: first.question, text: "old" });
  const told = step(late, { type: "told", question: second.question, text: "new" });

  assert.deepEqual([late.notice, told.notice], ["wait", { text: "new" }]);
  const noticed = step(second, { type: "noticed", notice: "" });
  assert.equal(step(noticed, { type: "told", question: second.question, text: "late" }).notice, "");
});

// ------------------------------------------------------------------ doubled clicks
test("of two clicks the second sends nothing", () => {
  const once = red(stated(seen("Red", 0)), { type: "sent" });
  const twice = step(once, { type: "sent" });

  assert.deepEqual([once.sent, isBusy(once), once.notice], [0, true, ""]);
  assert.deepEqual([twice.sent, twice.notice], [0, "wait"]);
});

test("nothing is sent before the table has told anything", () => {
  assert.equal(red({ type: "sent" }).sent, null);
});

test("the next action is sent though the answer to the one before is on its way", () => {
  const next = red(stated(seen("Red", 0)), { type: "sent" }, stated(seen("Red", 2)), { type: "sent" });
  const late = run(next, stated(seen("Red", 1)), { type: "answered", number: 0 });

  assert.deepEqual([next.sent, isBusy(next)], [2, true]);
  assert.deepEqual([late.sent, late.seen.number, isBusy(late)], [2, 2, true]);
  assert.equal(isBusy(step(late, { type: "answered", number: 2 })), false);
});

test("a slow answer is told as long as it is waited for", () => {
  const sent = red(stated(seen("Red", 0)), { type: "sent" });

  assert.equal(step(sent, { type: "slow", number: 0 }).status, "wait");
  assert.equal(run(sent, stated(seen("Red", 1)), { type: "slow", number: 0 }).status, "turn");
});

// ------------------------------------------------------------------ cut streams
test("a cut stream is told until the table answers again", () => {
  const before = red(stated(seen("Red", 1)));
  const lost = step(before, { type: "lost" });
  const again = step(lost, stated(seen("Red", 1)));

  assert.deepEqual([lost.isLost, lost.status, lost.seen], [true, "lost", before.seen]);
  assert.deepEqual([again.isLost, again.status], [false, "turn"]);
  assert.deepEqual(texts(again), texts(before));
});

test("an answer that comes too late does not hide that the stream is cut", () => {
  const lost = red(stated(seen("Red", 2)), { type: "lost" });

  assert.equal(step(lost, stated(seen("Red", 1))), lost);
  assert.equal(step(lost, stated(seen("Yellow", 2), 1)), lost);
});

test("what was played while the stream was cut is in the log", () => {
  const lost = red(stated(seen("Red", 1)), { type: "lost" });
  const again = step(lost, stated(seen("Red", 4, { since: 1 })));

  assert.deepEqual(texts(again), ["play 1", "play 2", "play 3", "play 4"]);
  assert.equal(again.spoken.text, "play 2. play 3. play 4");
});

test("an answer that could not be had is told, and the game stays as it is", () => {
  const failed = red(stated(seen("Red", 1)), { type: "failed", text: "no answer" });

  assert.deepEqual([failed.status, failed.number], [{ text: "no answer" }, 1]);
});

// ------------------------------------------------------------------ a 409
test("after a 409 the action can be chosen again if it is still open", () => {
  const before = red(stated(seen("Red", 0, { to_move: ["Red", "Yellow"] })));
  const refused = run(before, { type: "sent" }, { type: "noticed", notice: "reload" });
  const open = run(refused, stated(seen("Red", 1, { to_move: ["Red"] })), { type: "answered", number: 0 });
  const closed = run(refused, stated(seen("Red", 1, { to_move: ["Yellow"] })), { type: "answered", number: 0 });

  assert.equal(open.notice, "reload");
  assert.equal(mayStillPlay(action("a1"), before, open), true);
  assert.equal(mayStillPlay(action("a1"), before, closed), false);
  assert.equal(mayStillPlay(action("a1"), before, refused), false); // its answer is not known yet
});

test("an action that the table has taken is not played twice, though its answer is lost", () => {
  const before = red(stated(seen("Red", 0, { to_move: ["Red"] })));
  const told = { ...seen("Red", 1, { to_move: ["Red"], since: 0 }), log: [line("a1")] };
  const after = run(before, { type: "sent" }, stated(told), { type: "answered", number: 0 });

  assert.equal(mayStillPlay(action("a1"), before, after), false);
  assert.equal(mayStillPlay(action("b1"), before, after), true);
});

// ------------------------------------------------------------------ a change of the seat
test("the screen goes to the seat that is to choose, and is covered until its player is there", () => {
  const before = both(stated(seen("Red", 0)));
  const passed = step(before, stated(seen("Red", 1)));

  assert.deepEqual([passed.seat, passed.seen, passed.steps, passed.isCovered], [1, null, [], true]);
  assert.deepEqual([passed.notice, passed.status, passed.number], ["", "wait", 1]);
  assert.deepEqual(effectsOf(before, passed), ["sit"]);
  const shown = run(passed, stated(seen("Yellow", 1), 1), { type: "uncovered" });
  assert.deepEqual([shown.isCovered, shown.seen.seat], [false, "Yellow"]);
});

test("who comes before the table has answered sees nothing yet", () => {
  const waits = both(stated(seen("Red", 0)), stated(seen("Red", 1)), { type: "uncovered" });
  const shown = step(waits, stated(seen("Yellow", 1), 1));

  assert.deepEqual([waits.isCovered, waits.isAwaited, waits.status], [true, true, "wait"]);
  assert.deepEqual([shown.isCovered, shown.isAwaited, shown.status], [false, false, "turn"]);
});

test("what comes late for the seat before is not shown to the next one", () => {
  const passed = both(stated(seen("Red", 0)), { type: "looked", at: 0 }, stated(seen("Red", 1)));
  const moment = { plays: 0, phase: "", board: "secret", facts: "", log: [] };
  const late = run(passed, stated(seen("Red", 1)), { type: "remembered", seat: 0, at: 0, moment });

  assert.deepEqual([late.seat, late.seen, late.moment, late.at], [1, null, null, null]);
});

test("who waited for one seat is not let through to another one", () => {
  const passed = both(stated(seen("Red", 1)), { type: "uncovered" }, stated(seen("Yellow", 2), 1));

  assert.deepEqual([passed.seat, passed.isCovered, passed.isAwaited], [0, true, false]);
});

// ------------------------------------------------------------------ the game goes back
test("after an action is taken back the log is read anew", () => {
  const before = red(stated(seen("Red", 2, { since: 0 })));
  const undone = step(before, stated(seen("Red", 1, { number: 3 })));
  const read = step(undone, stated(seen("Red", 1, { number: 3, since: 0 }), 0, true));

  assert.deepEqual([undone.wanted, effectsOf(before, undone)], ["recent", ["log"]]);
  assert.deepEqual([texts(read), read.wanted], [["play 1"], ""]);
});

test("who looks at an earlier moment sees now when the game goes back, and shares are mixed", () => {
  const doings = [{ number: 5, kind: "went_back", player: "Red", text: "back" }];
  const before = red(stated(seen("Red", 5)), { type: "looked", at: 2 });
  const back = step(before, stated(seen("Red", 4, { number: 6, doings, is_mixing: true, to_move: [] })));

  assert.deepEqual([back.at, back.spoken.text], [null, "back"]);
  assert.deepEqual(effectsOf(before, back), ["log", "mix"]);
  assert.deepEqual(step(back, { type: "missing", players: ["Yellow"] }).status, { missing: ["Yellow"] });
});

test("a question of another player calls who has to answer it", () => {
  const question = { player: "Yellow", plays: 0, waiting: ["Red"] };
  const before = red(stated(seen("Red", 1)));
  const asked = step(before, stated(seen("Red", 1, { number: 2, question })));

  assert.deepEqual([isMine(before), isToAnswer(asked), isMine(asked)], [false, true, true]);
  assert.deepEqual(effectsOf(before, asked), ["ring"]);
});

test("one is called when it is one's turn, once", () => {
  const before = red(stated(seen("Red", 1)));
  const turn = step(before, stated(seen("Red", 2)));

  assert.deepEqual(effectsOf(before, turn), ["ring"]);
  assert.deepEqual(effectsOf(turn, step(turn, stated(seen("Red", 2)))), []);
});

test("a game waits for a bot if nobody else is to choose", () => {
  const bot = { sitting: { Red: "", Yellow: "random" } };

  assert.equal(isThinking(seen("Red", 1, bot)), true);
  assert.equal(isThinking(seen("Red", 1, { ...bot, to_move: ["Red", "Yellow"] })), false);
});

test("no event changes a state that was there before", () => {
  const freeze = (value) => {
    if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const events = [
    stated(seen("Red", 0)),
    { type: "sent" },
    stated(seen("Red", 1)),
    { type: "lost" },
    { type: "looked", at: 0 },
    stated(seen("Red", 3, { since: 1 })),
    { type: "uncovered" },
  ];
  assert.equal(events.map(freeze).reduce((state, event) => freeze(step(state, event)), red()).number, 3);
});
