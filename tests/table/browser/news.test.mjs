// What the page of a game asks over connections that are lost: `node --test tests/table/browser/news.test.mjs`.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { News } from "../../../hots_rules/web/static/game/news.js";
import { Seat } from "../../../hots_rules/web/static/parts/api.js";

const nothing = () => new Promise(() => {});

// What a page shows that asks for one answer after another; an answer may be a promise.
function newsOf(answers, more = {}) {
  const shown = [];
  const news = new News({
    ask: async () => answers.shift(),
    show: (answer) => shown.push(answer),
    fail: (error) => shown.push(error.message),
    ...more,
  });
  return { news, shown };
}

test("looks while an answer is on its way are answered together by the next", async () => {
  const { news, shown } = newsOf([1, 2, 3]);
  news.look();
  news.look();
  await news.look();

  assert.deepEqual(shown, [1, 2]);
});

test("what was asked for over a connection that is lost is not waited for", async () => {
  const { news, shown } = newsOf([nothing(), 7]);
  news.look();
  await news.lookAnew();

  assert.deepEqual(shown, [7]);
});

test("a look at the end of another one is not lost", async () => {
  const shown = [];
  const { news } = newsOf([1, 2], {
    show: (answer) => {
      shown.push(answer);
      if (answer === 1) Promise.resolve().then(() => news.look());
    },
  });
  await news.look();
  await new Promise((resolve) => setTimeout(resolve));

  assert.deepEqual(shown, [1, 2]);
});

test("what was answered meanwhile is not tried again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { news, shown } = newsOf([Promise.reject(new Error("lost")), 1, 2]);
  await news.look();
  await news.look();
  mock.timers.tick(5_000);
  await news.looking;
  mock.timers.reset();

  assert.deepEqual(shown, ["lost", 1]);
});

// ------------------------------------------------------------------ a table that does not answer
test("a state and an action are given up when no answer comes, and what may take long is not", async () => {
  const limits = [];
  mock.method(AbortSignal, "timeout", () => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  mock.method(globalThis, "fetch", (_, { signal }) => {
    if (signal === null) return nothing();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const seat = new Seat("0", "key");
  const asked = [seat.state(), seat.play(0, "a1"), seat.messages()];
  for (const limit of limits) limit.abort();

  for (const answer of asked) await assert.rejects(answer);
  seat.odds("game", "");
  assert.equal(limits.length, 3);
});

// ------------------------------------------------------------------ the stream of events
function streamsOf(seat) {
  const [streams, told] = [[], []];
  seat.table.followGame = () => {
    const stream = Object.assign(new EventTarget(), { readyState: 1, close: () => told.push("close") });
    streams.push(stream);
    return stream;
  };
  seat.follow(
    (number, isFirst) => told.push(isFirst ? `first ${number}` : number),
    () => told.push("chat"),
    () => told.push("seats"),
    () => told.push("lost"),
  );
  const tell = (kind, data) => streams.at(-1).dispatchEvent(new MessageEvent(kind, { data }));
  return { streams, told, tell };
}

test("the first number of a connection is told as such, and chat is looked at once for it", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { streams, told, tell } = streamsOf(new Seat("0", "key"));
  for (let connection = 0; connection < 2; connection++) {
    streams[0].onopen();
    tell("message", "3");
    tell("still-here", "4");
  }
  mock.timers.reset();

  assert.deepEqual(told, ["chat", "first 3", 4, "chat", "first 3", 4]);
});

test("a stream that is silent is lost, and another one is followed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { streams, told, tell } = streamsOf(new Seat("0", "key"));
  streams[0].onopen();
  for (let i = 0; i < 4; i++) {
    mock.timers.tick(15_000);
    tell("still-here", "0");
  }
  assert.equal(streams.length, 1);
  mock.timers.tick(45_000);
  mock.timers.reset();

  assert.equal(streams.length, 2);
  assert.deepEqual(told.slice(-2), ["close", "lost"]);
});
