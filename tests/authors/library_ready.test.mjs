// The library of the playground says that it is ready when a new worker stands where the old one was:
// `node --test tests/authors/library_ready.test.mjs`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Library } from "../../editors/playground/hots_rules_playground/page/library.js";

globalThis.localStorage = { getItem: () => null };

// A worker that is told what it answers.
class Worker {
  static all = [];
  sent = [];
  constructor() {
    Worker.all.push(this);
  }
  postMessage(text) {
    this.sent.push(JSON.parse(text).method);
  }
  terminate() {}
  says(data) {
    this.onmessage({ data });
  }
  answers(result) {
    this.says({ answer: JSON.stringify({ result }) });
  }
}
globalThis.Worker = Worker;

test("a new worker is ready after what it has to know", async () => {
  const told = [];
  const restored = [
    ["open", {}],
    ["resume", {}],
  ];
  const library = new Library({ restore: () => restored, settle: () => {}, tell: (what) => told.push(what) });
  Worker.all[0].says({ ready: true });
  assert.deepEqual(told, ["ready"]);

  const asked = library.ask("check").catch((error) => error.message);
  Worker.all[0].says({ failed: "no memory" });
  const worker = Worker.all[1];
  worker.says({ ready: true });
  assert.match(await asked, /no memory/);
  worker.answers(1);
  assert.deepEqual([worker.sent, told], [["open", "resume"], ["ready", "restart"]]);
  worker.answers(2);
  assert.deepEqual(told, ["ready", "restart", "ready"]);
});
