// @ts-check
// A client of the table, made from its description by `python clients/javascript.py`; its types are in client.d.ts.

/** @typedef {import("./client.d.ts").Table} Typed */

/** The table has refused a request: the status that HTTP has for it, and the kind of the error. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{message: string, kind?: string}} answer
   */
  constructor(status, answer) {
    super(answer.message);
    this.status = status;
    this.kind = answer.kind;
  }
}

const SHORT = 10_000; // characters of a body; browsers take 64 kB together from pages that are left

/** @param {string | number} value */
const part = (value) => encodeURIComponent(value);

/** A table, asked as a seat with its key, or as a spectator. */
export class Table {
  /**
   * @param {string} [address] of the table; that of the page if omitted
   * @param {import("./client.d.ts").Asker} [as] who asks
   */
  constructor(address = "", { key = null, token = null, language = "en", picture = null, longest = null } = {}) {
    this.address = address.replace(/\/$/, "");
    this.key = key;
    this.token = token;
    this.language = language;
    this.picture = picture;
    this.longest = longest;
  }

  /**
   * @param {string} path
   * @param {import("./client.d.ts").Query} [query]
   */
  addressOf(path, query = {}) {
    const given = Object.entries({ language: this.language, ...query }).filter(([, value]) => value !== undefined);
    return `${this.address}${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  }

  /** @type {Typed["ask"]} */
  async ask(method, path, { query = {}, body = undefined } = {}) {
    const headers = new Headers();
    if (this.token !== null) headers.set("Authorization", `Bearer ${this.token}`);
    if (this.key !== null) headers.set(this.token === null ? "Authorization" : "Seat-Key", `Bearer ${this.key}`);
    if (this.picture !== null) headers.set("Known-Picture", this.picture);
    const text = JSON.stringify(body);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const keepalive = text?.length < SHORT; // what is sent arrives even if the page is left at once
    const signal = this.longest === null ? null : AbortSignal.timeout(this.longest);
    const answer = await fetch(this.addressOf(path, query), { method, headers, body: text, keepalive, signal });
    if (!answer.ok) throw new Refused(answer.status, await answer.json());
    return answer;
  }

  /** @type {Typed["send"]} */
  async send(method, path, sent = {}) {
    const text = await (await this.ask(method, path, sent)).text();
    return JSON.parse(text || "null");
  }

  /** @type {Typed["listRulesets"]} */
  listRulesets() {
    return this.send("GET", "/api/rulesets");
  }

  /** @type {Typed["readRuleset"]} */
  readRuleset(name) {
    return this.send("GET", `/api/rulesets/${part(name)}`);
  }

  /** @type {Typed["readSection"]} */
  readSection(name, section) {
    return this.send("GET", `/api/rulesets/${part(name)}/sections/${part(section)}`);
  }

  /** @type {Typed["listWords"]} */
  listWords() {
    return this.send("GET", "/api/words");
  }

  /** @type {Typed["createGame"]} */
  createGame(body) {
    return this.send("POST", "/api/games", { body });
  }

  /** @type {Typed["readFrame"]} */
  readFrame(name, frame) {
    return this.ask("GET", `/api/rulesets/${part(name)}/frames/${part(frame)}`).then((answer) => answer.text());
  }

  /** @type {Typed["readGame"]} */
  readGame(name, query = {}) {
    return this.send("GET", `/api/games/${part(name)}`, { query });
  }

  /** @type {Typed["readMoment"]} */
  readMoment(name, plays) {
    return this.send("GET", `/api/games/${part(name)}/moments/${part(plays)}`);
  }

  /** @type {Typed["readFacts"]} */
  readFacts(name) {
    return this.send("GET", `/api/games/${part(name)}/facts`);
  }

  /** @type {Typed["playAction"]} */
  playAction(name, body, query = {}) {
    return this.send("POST", `/api/games/${part(name)}/actions`, { query, body });
  }

  /** @type {Typed["undoAction"]} */
  undoAction(name, body) {
    return this.send("POST", `/api/games/${part(name)}/undo`, { body });
  }

  /** @type {Typed["previewAction"]} */
  previewAction(name, body) {
    return this.send("POST", `/api/games/${part(name)}/preview`, { body });
  }

  /** @type {Typed["explainRefusal"]} */
  explainRefusal(name, body) {
    return this.send("POST", `/api/games/${part(name)}/why-not`, { body });
  }

  /** @type {Typed["explainThing"]} */
  explainThing(name, body) {
    return this.send("POST", `/api/games/${part(name)}/about`, { body });
  }

  /** @type {Typed["readRecord"]} */
  readRecord(name) {
    return this.ask("GET", `/api/games/${part(name)}/record`).then((answer) => answer.text());
  }

  /** @type {Typed["followGame"]} */
  followGame(name) {
    return new EventSource(this.addressOf(`/api/games/${part(name)}/events`));
  }

  /** @type {Typed["askBack"]} */
  askBack(name, body) {
    return this.send("POST", `/api/games/${part(name)}/ask-back`, { body });
  }

  /** @type {Typed["answerQuestion"]} */
  answerQuestion(name, body) {
    return this.send("POST", `/api/games/${part(name)}/answer`, { body });
  }

  /** @type {Typed["startClock"]} */
  startClock(name, body) {
    return this.send("POST", `/api/games/${part(name)}/start-clock`, { body });
  }

  /** @type {Typed["claimGame"]} */
  claimGame(name, body) {
    return this.send("POST", `/api/games/${part(name)}/claim`, { body });
  }

  /** @type {Typed["resignGame"]} */
  resignGame(name, body) {
    return this.send("POST", `/api/games/${part(name)}/resign`, { body });
  }

  /** @type {Typed["offerDraw"]} */
  offerDraw(name, body) {
    return this.send("POST", `/api/games/${part(name)}/offer-draw`, { body });
  }

  /** @type {Typed["abortGame"]} */
  abortGame(name, body) {
    return this.send("POST", `/api/games/${part(name)}/abort`, { body });
  }

  /** @type {Typed["openRematch"]} */
  openRematch(name) {
    return this.send("POST", `/api/games/${part(name)}/rematch`);
  }

  /** @type {Typed["computeOdds"]} */
  computeOdds(name, body) {
    return this.send("POST", `/api/games/${part(name)}/odds`, { body });
  }

  /** @type {Typed["readMessages"]} */
  readMessages(name) {
    return this.send("GET", `/api/games/${part(name)}/messages`);
  }

  /** @type {Typed["say"]} */
  say(name, body) {
    return this.send("POST", `/api/games/${part(name)}/messages`, { body });
  }

  /** @type {Typed["readNote"]} */
  readNote(name) {
    return this.send("GET", `/api/games/${part(name)}/note`);
  }

  /** @type {Typed["keepNote"]} */
  keepNote(name, body) {
    return this.send("PUT", `/api/games/${part(name)}/note`, { body });
  }

  /** @type {Typed["readShares"]} */
  readShares(name) {
    return this.send("GET", `/api/games/${part(name)}/shares`);
  }

  /** @type {Typed["commitShare"]} */
  commitShare(name, body) {
    return this.send("POST", `/api/games/${part(name)}/commitment`, { body });
  }

  /** @type {Typed["revealShare"]} */
  revealShare(name, body) {
    return this.send("POST", `/api/games/${part(name)}/secret`, { body });
  }

  /** @type {Typed["readForm"]} */
  readForm(name) {
    return this.send("GET", `/api/rulesets/${part(name)}/form`);
  }

  /** @type {Typed["draftPosition"]} */
  draftPosition(name, body) {
    return this.send("POST", `/api/rulesets/${part(name)}/positions`, { body });
  }

  /** @type {Typed["askPosition"]} */
  askPosition(name, body) {
    return this.send("POST", `/api/rulesets/${part(name)}/positions/ask`, { body });
  }

  /** @type {Typed["computePositionOdds"]} */
  computePositionOdds(name, body) {
    return this.send("POST", `/api/rulesets/${part(name)}/positions/odds`, { body });
  }

  /** @type {Typed["uploadRecord"]} */
  uploadRecord(body) {
    return this.send("POST", "/api/records", { body });
  }

  /** @type {Typed["readUpload"]} */
  readUpload(name) {
    return this.send("GET", `/api/records/${part(name)}`);
  }

  /** @type {Typed["readUploadMoment"]} */
  readUploadMoment(name, plays, query = {}) {
    return this.send("GET", `/api/records/${part(name)}/moments/${part(plays)}`, { query });
  }

  /** @type {Typed["askUpload"]} */
  askUpload(name, plays, body) {
    return this.send("POST", `/api/records/${part(name)}/moments/${part(plays)}/ask`, { body });
  }

  /** @type {Typed["computeUploadOdds"]} */
  computeUploadOdds(name, plays, body) {
    return this.send("POST", `/api/records/${part(name)}/moments/${part(plays)}/odds`, { body });
  }

  /** @type {Typed["readUploadFilm"]} */
  readUploadFilm(name) {
    return this.send("GET", `/api/records/${part(name)}/film`);
  }

  /** @type {Typed["readFilm"]} */
  readFilm(name) {
    return this.send("GET", `/api/games/${part(name)}/film`);
  }

  /** @type {Typed["tryRuleset"]} */
  tryRuleset(body) {
    return this.send("POST", "/api/rulesets/try", { body });
  }

  /** @type {Typed["readSeats"]} */
  readSeats(name) {
    return this.send("GET", `/api/games/${part(name)}/seats`);
  }

  /** @type {Typed["sitDown"]} */
  sitDown(name, body) {
    return this.send("POST", `/api/games/${part(name)}/seat`, { body });
  }

  /** @type {Typed["addDevice"]} */
  addDevice(name) {
    return this.send("POST", `/api/games/${part(name)}/device`);
  }

  /** @type {Typed["changeKey"]} */
  changeKey(name) {
    return this.send("POST", `/api/games/${part(name)}/key`);
  }

  /** @type {Typed["askForSeat"]} */
  askForSeat(name, body) {
    return this.send("POST", `/api/games/${part(name)}/lost-seat`, { body });
  }

  /** @type {Typed["answerLostSeat"]} */
  answerLostSeat(name, body) {
    return this.send("POST", `/api/games/${part(name)}/lost-seat/answer`, { body });
  }
}
