// The requests to the table. A key of a seat is sent in a header, never in an address.
let language = "en";
export const speak = (chosen) => { language = chosen; };

export class Refused extends Error {
  constructor(status, answer) {
    super(answer.message);
    this.status = status;
  }
}

async function ask(path, { key = null, body = null, query = {}, method = body ? "POST" : "GET" } = {}) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  if (body) headers["Content-Type"] = "application/json";
  const words = new URLSearchParams({ language, ...query });
  const answer = await fetch(`${path}?${words}`, { method, headers, body: body && JSON.stringify(body) });
  const said = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}

export const words = () => ask("/api/words");
export const rulesets = () => ask("/api/rulesets");
export const ruleset = (name) => ask(`/api/rulesets/${encodeURIComponent(name)}`);
export const section = (name, number) => ask(`/api/rulesets/${encodeURIComponent(name)}/sections/${encodeURIComponent(number)}`);
export const create = (asked) => ask("/api/games", { body: asked });

// A seat at a game; without a key, a spectator.
export class Seat {
  constructor(game, key) {
    this.path = `/api/games/${encodeURIComponent(game)}`;
    this.key = key;
  }
  // What the seat sees; its log begins after a number of plays, or some plays ago.
  state(since) { return ask(this.path, { key: this.key, query: since === undefined ? {} : { since } }); }
  play(number, action) { return ask(`${this.path}/actions`, { key: this.key, body: { number, action } }); }
  undo(number) { return ask(`${this.path}/undo`, { key: this.key, body: { number } }); }
  whyNot(asked) { return ask(`${this.path}/why-not`, { key: this.key, body: { words: asked } }); }
  preview(action) { return ask(`${this.path}/preview`, { key: this.key, body: { words: action } }); }
  about(thing) { return ask(`${this.path}/about`, { key: this.key, body: { words: thing } }); }
  // What the seat saw after a number of plays.
  moment(plays) { return ask(`${this.path}/moments/${plays}`, { key: this.key }); }
  messages() { return ask(`${this.path}/messages`, { key: this.key }); }
  say(text) { return ask(`${this.path}/messages`, { key: this.key, body: { text } }); }
  note() { return ask(`${this.path}/note`, { key: this.key }); }
  keepNote(text) { return ask(`${this.path}/note`, { key: this.key, body: { text }, method: "PUT" }); }
  changeKey() { return ask(`${this.path}/key`, { key: this.key, method: "POST" }); }
  shares() { return ask(`${this.path}/shares`, { key: this.key }); }
  commit(commitment) { return ask(`${this.path}/commitment`, { key: this.key, body: { commitment } }); }
  reveal(secret) { return ask(`${this.path}/secret`, { key: this.key, body: { secret } }); }
  // Tells of each change and each message, and anew after a lost connection, until `close` is called on what it gives.
  follow(onNumber, onChat, onLost) {
    const events = new EventSource(`${this.path}/events`);
    events.onmessage = (event) => onNumber(Number(event.data));
    events.addEventListener("chat", onChat);
    events.onerror = onLost;
    return events;
  }
}
