// The library as the page asks it. A worker that takes too long is ended, and a new one takes its place.
const START = 120; // seconds in which a worker has to begin: a slow network brings 15 MB
const usual = () => Number(localStorage.getItem("hots_rules seconds")) || 30; // seconds for an answer

// The library has refused a request, or was ended; like an answer of the table, it has a status.
export class Failed extends Error {
  status = 400;
}

export class Library {
  // `restore` gives the requests that bring a new worker to where the old one was; `settle` sends a text that was not
  // sent yet; `tell` hears what happens.
  constructor({ restore, settle, tell }) {
    Object.assign(this, { restore, settle, tell });
    this.waiting = [];
    this.running = null;
    this.#begin();
  }

  // The answer to a request; it waits for those before it.
  ask(method, parameters = {}, seconds = usual()) {
    if ("ruleset" in parameters || "new" in parameters) this.settle();
    return new Promise((resolve, reject) => {
      this.waiting.push({ method, parameters, seconds, resolve, reject });
      this.#next();
    });
  }

  // The same, but an older request of this method that still waits is given up: its answer is undefined.
  askLatest(method, parameters = {}, seconds = usual()) {
    const isOlder = (each) => each.method === method;
    for (const each of this.waiting.filter(isOlder)) each.resolve(undefined);
    this.waiting = this.waiting.filter((each) => !isOlder(each));
    return this.ask(method, parameters, seconds);
  }

  #begin() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.isReady = false;
    this.worker.onmessage = ({ data }) => this.#heard(data);
    this.worker.onerror = (event) => this.#fail(event.message || "the library cannot be loaded");
    this.timer = setTimeout(() => this.#fail("the library did not come; reload the page"), START * 1000);
  }

  #heard({ ready, answer, failed }) {
    if (failed !== undefined) this.#restart(`The library failed and was started anew: ${failed}`);
    else if (ready) {
      clearTimeout(this.timer);
      this.isReady = true;
      this.#tellIfRestored();
      this.#next();
    } else this.#answered(JSON.parse(answer));
  }

  #answered({ result, error }) {
    clearTimeout(this.timer);
    const { resolve, reject, isRestoring } = this.running;
    this.running = null;
    if (isRestoring) this.#tellIfRestored();
    if (error === undefined) resolve(result);
    else reject(new Failed(error));
    this.#next();
  }

  // A worker is ready when it stands where the old one was.
  #tellIfRestored() {
    if (!this.waiting.some((each) => each.isRestoring)) this.tell("ready");
  }

  #next() {
    if (!this.isReady || this.running || this.waiting.length === 0) return;
    this.running = this.waiting.shift();
    const { method, parameters, seconds } = this.running;
    this.worker.postMessage(JSON.stringify({ method, ...parameters }));
    this.timer = setTimeout(
      () => this.#restart(`This took more than ${seconds} seconds and was ended.`),
      seconds * 1000,
    );
  }

  // What ran is given up; what waits comes after what the new worker has to know.
  #restart(reason) {
    clearTimeout(this.timer);
    this.worker.terminate();
    const { running } = this;
    this.running = null;
    this.tell("restart", reason);
    this.#begin();
    const isRestoring = running?.isRestoring;
    this.waiting = this.waiting.filter((each) => !each.isRestoring);
    if (!isRestoring) this.waiting.unshift(...this.#restoring(running?.method));
    running?.reject(new Failed(reason));
  }

  #restoring(failed) {
    const quiet = { seconds: usual(), resolve: () => {}, reject: () => {}, isRestoring: true };
    return this.restore(failed).map(([method, parameters]) => ({ method, parameters, ...quiet }));
  }

  #fail(reason) {
    clearTimeout(this.timer);
    this.worker.terminate();
    for (const each of [this.running, ...this.waiting]) each?.reject(new Failed(reason));
    [this.running, this.waiting] = [null, []];
    this.tell("failed", reason);
  }
}
