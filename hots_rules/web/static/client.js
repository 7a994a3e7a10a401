// A client of the table, made from its description by `python clients/javascript.py`.

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

/**
 * @typedef {object} Answer
 * @property {number} number
 * @property {boolean} agrees
 */

/**
 * @typedef {object} AskBack
 * @property {number} number
 * @property {number} plays
 */

/**
 * @typedef {object} ChatLine
 * @property {string} player
 * @property {string} text
 */

/**
 * @typedef {object} Claim
 * @property {number} number
 */

/**
 * @typedef {object} Clock
 * @property {number} [seconds]
 * @property {number} [increment]
 * @property {number} [days]
 */

/**
 * @typedef {object} ClockStart
 * @property {number} number
 */

/**
 * @typedef {object} ClockTimes
 * @property {Record<string, number>} left
 * @property {string[]} running
 * @property {number} days
 * @property {number} increment
 */

/**
 * @typedef {object} Commitment
 * @property {string} commitment
 */

/**
 * @typedef {object} Doing
 * @property {number} number
 * @property {string} kind
 * @property {string} player
 * @property {string} text
 */

/**
 * @typedef {object} Effects
 * @property {string[]} effects
 */

/**
 * @typedef {object} Film
 * @property {string} svg
 */

/**
 * @typedef {object} FormVariable
 * @property {string} name
 * @property {string[]} keys
 * @property {string} type
 * @property {boolean} is_set
 */

/**
 * @typedef {object} LaterShares
 * @property {string | null} seat
 * @property {boolean} is_begun
 * @property {string[]} expected
 * @property {Record<string, string>} commitments
 * @property {string[]} revealed
 * @property {Record<string, string>} secrets
 * @property {string} seed
 * @property {LaterShares[]} later
 * @property {number} line
 * @property {number | null} plays
 */

/**
 * @typedef {object} LegalAction
 * @property {string} player
 * @property {string} name
 * @property {Record<string, unknown>} args
 * @property {string} text
 * @property {number} code
 * @property {number | null} probability
 */

/**
 * @typedef {object} Moment
 * @property {number} plays
 * @property {string} phase
 * @property {string} board
 * @property {string} facts
 * @property {Told[]} log
 */

/**
 * @typedef {object} NewAction
 * @property {number} number
 * @property {string} action
 */

/**
 * @typedef {object} NewGame
 * @property {string} ruleset
 * @property {string} scenario
 * @property {string | null} [seed]
 * @property {Record<string, string>} [bots]
 * @property {Record<string, boolean | number | string>} [settings]
 * @property {boolean} [shares]
 * @property {string} [position]
 * @property {boolean} [odds]
 * @property {Clock | null} [clock]
 */

/**
 * @typedef {object} NewKey
 * @property {string} key
 */

/**
 * @typedef {object} NewSeats
 * @property {string} game
 * @property {Record<string, string>} keys
 */

/**
 * @typedef {object} OddsQuestion
 * @property {string} until
 * @property {string} [action]
 */

/**
 * @typedef {object} OddsTold
 * @property {string} until
 * @property {string} assumed
 * @property {number} worlds
 * @property {boolean} exact
 * @property {Share[]} outcomes
 * @property {Shares[]} changes
 */

/**
 * @typedef {object} OddsUntil
 * @property {string} until
 * @property {string} text
 */

/**
 * @typedef {object} OpenQuestion
 * @property {string} player
 * @property {number} plays
 * @property {string[]} waiting
 */

/**
 * @typedef {object} PageWords
 * @property {string} language
 * @property {string[]} languages
 * @property {Record<string, string>} words
 * @property {boolean} takes_rulesets
 */

/**
 * @typedef {object} PositionDraft
 * @property {string} text
 * @property {string[]} faults
 * @property {string} board
 * @property {Record<string, Record<string, string>>} values
 * @property {string} next
 * @property {string[]} actions
 * @property {OddsUntil[]} odds
 */

/**
 * @typedef {object} PositionForm
 * @property {FormVariable[]} variables
 * @property {Record<string, string[][]>} choices
 */

/**
 * @typedef {object} PositionOdds
 * @property {string} text
 * @property {string} until
 * @property {string} [action]
 * @property {Record<string, boolean | number | string>} [settings]
 */

/**
 * @typedef {object} PositionQuestion
 * @property {string} text
 * @property {string} words
 * @property {Record<string, boolean | number | string>} [settings]
 */

/**
 * @typedef {object} PositionText
 * @property {string} text
 * @property {string} [change]
 * @property {Record<string, boolean | number | string>} [settings]
 */

/**
 * @typedef {object} PreviewQuestion
 * @property {string} words
 * @property {number | null} [number]
 */

/**
 * @typedef {object} Question
 * @property {string} words
 */

/**
 * @typedef {object} RecordFacts
 * @property {string} ruleset
 * @property {string} title
 * @property {string} scenario
 * @property {Record<string, string>} players
 * @property {Record<string, boolean | number | string | null>} settings
 * @property {number} plays
 * @property {string | null} outcome
 * @property {boolean} is_sealed
 * @property {OddsUntil[]} odds
 */

/**
 * @typedef {object} RecordMoment
 * @property {number} plays
 * @property {string} phase
 * @property {string} board
 * @property {string} facts
 * @property {Told[]} log
 * @property {string[]} actions
 * @property {OddsUntil[]} odds
 * @property {string} position
 */

/**
 * @typedef {object} RecordText
 * @property {string} record
 */

/**
 * @typedef {object} RulesetFacts
 * @property {Record<string, string>} players
 * @property {string[]} bots
 * @property {Setting[]} settings
 */

/**
 * @typedef {object} RulesetLine
 * @property {string} name
 * @property {string} title
 * @property {Record<string, string>} scenarios
 */

/**
 * @typedef {object} RulesetText
 * @property {string} text
 */

/**
 * @typedef {object} Said
 * @property {string} text
 */

/**
 * @typedef {object} Secret
 * @property {string} secret
 */

/**
 * @typedef {object} SectionRules
 * @property {string} section
 * @property {string} heading
 * @property {Sentence[]} rules
 */

/**
 * @typedef {object} Sentence
 * @property {string} name
 * @property {string} text
 */

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} kind
 * @property {string} text
 * @property {string[]} sections
 * @property {(boolean | number | string | null)[]} values
 * @property {string[]} texts
 * @property {boolean | number | string | null} default
 * @property {string[]} scenarios
 */

/**
 * @typedef {object} Share
 * @property {string} text
 * @property {number} share
 */

/**
 * @typedef {object} Shares
 * @property {string} text
 * @property {Share[]} shares
 */

/**
 * @typedef {object} SharesOfSeed
 * @property {string | null} seat
 * @property {boolean} is_begun
 * @property {string[]} expected
 * @property {Record<string, string>} commitments
 * @property {string[]} revealed
 * @property {Record<string, string>} secrets
 * @property {string} seed
 * @property {LaterShares[]} later
 */

/**
 * @typedef {object} Stack
 * @property {string} name
 * @property {string} type
 * @property {number} count
 * @property {string} text
 */

/**
 * @typedef {object} State
 * @property {string} ruleset
 * @property {string} title
 * @property {Record<string, string>} players
 * @property {string | null} seat
 * @property {Record<string, boolean | number | string | null>} settings
 * @property {string} phase
 * @property {string | null} outcome
 * @property {boolean} is_over
 * @property {ViewOfSeat} view
 * @property {Record<string, Record<string, string>>} types
 * @property {Record<string, string>} sentences
 * @property {string} board
 * @property {string} facts
 * @property {number} log_since
 * @property {Told[]} log
 * @property {number} number
 * @property {Record<string, string>} sitting
 * @property {OddsUntil[]} odds
 * @property {OpenQuestion | null} question
 * @property {boolean} is_mixing
 * @property {ClockTimes | null} clock
 * @property {Doing[]} doings
 */

/**
 * @typedef {object} Told
 * @property {string} kind
 * @property {string} text
 * @property {string[]} sections
 * @property {string} edition
 */

/**
 * @typedef {object} TriedRuleset
 * @property {string} faults
 * @property {string} title
 * @property {string[]} players
 * @property {string} scenario
 * @property {number} games
 * @property {number} decisions
 * @property {Share[]} winners
 * @property {string} board
 */

/**
 * @typedef {object} Undo
 * @property {number} number
 */

/**
 * @typedef {object} UploadedRecord
 * @property {string} name
 */

/**
 * @typedef {object} ViewOfSeat
 * @property {string} schema
 * @property {string} ruleset
 * @property {string | null} player
 * @property {number} plays
 * @property {string} phase
 * @property {string[]} to_move
 * @property {string | null} outcome
 * @property {number} undo_limit
 * @property {LegalAction[]} actions
 * @property {Record<string, unknown>} state
 * @property {Stack[]} stacks
 * @property {string} language
 */

/**
 * @typedef {object} Words
 * @property {string} text
 */

/** A table, asked as a seat with its key, or as a spectator. */
export class Table {
  /**
   * @param {string} [address] of the table; that of the page if omitted
   * @param {{key?: string | null, token?: string | null, language?: string}} [as] who asks: a seat, a program
   */
  constructor(address = "", { key = null, token = null, language = "en" } = {}) {
    this.address = address.replace(/\/$/, "");
    this.key = key;
    this.token = token;
    this.language = language;
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} [query]
   */
  addressOf(path, query = {}) {
    const given = Object.entries({ language: this.language, ...query }).filter(([, value]) => value !== undefined);
    return `${this.address}${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{query?: Record<string, unknown>, body?: unknown, isText?: boolean}} [sent]
   * @returns {Promise<any>}
   */
  async send(method, path, { query = {}, body = undefined, isText = false } = {}) {
    const headers = new Headers();
    if (this.token !== null) headers.set("Authorization", `Bearer ${this.token}`);
    if (this.key !== null) headers.set(this.token === null ? "Authorization" : "Seat-Key", `Bearer ${this.key}`);
    const text = JSON.stringify(body);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const keepalive = text?.length < SHORT; // what is sent arrives even if the page is left at once
    const answer = await fetch(this.addressOf(path, query), { method, headers, body: text, keepalive });
    if (!answer.ok) throw new Refused(answer.status, await answer.json());
    if (answer.status === 204) return null;
    return isText ? answer.text() : answer.json();
  }

  /**
   * The rulesets of which games can be opened here, with their scenarios.
   * @returns {Promise<RulesetLine[]>}
   */
  listRulesets() { return this.send("GET", `/api/rulesets`); }

  /**
   * Who plays a game, which bots can sit there, and what can be chosen about the rules.
   * @param {string} name
   * @returns {Promise<RulesetFacts>}
   */
  readRuleset(name) { return this.send("GET", `/api/rulesets/${part(name)}`); }

  /**
   * The heading of a section, and the sentences of the rules that cite it.
   * @param {string} name
   * @param {string} section
   * @returns {Promise<SectionRules>}
   */
  readSection(name, section) { return this.send("GET", `/api/rulesets/${part(name)}/sections/${part(section)}`); }

  /**
   * The words of the pages in a language, and the languages that there are.
   * @returns {Promise<PageWords>}
   */
  listWords() { return this.send("GET", `/api/words`); }

  /**
   * Begin a game; the answer has the key of each seat, once.
   * @param {NewGame} body
   * @returns {Promise<NewSeats>}
   */
  createGame(body) { return this.send("POST", `/api/games`, { body }); }

  /**
   * All that a seat, or a spectator, sees; with `board=false` without the picture, for programs.
   * @param {string} name
   * @param {{since?: number, board?: boolean}} [query]
   * @returns {Promise<State>}
   */
  readGame(name, query = {}) { return this.send("GET", `/api/games/${part(name)}`, { query }); }

  /**
   * What a seat, or a spectator, saw after a number of plays.
   * @param {string} name
   * @param {number} plays
   * @returns {Promise<Moment>}
   */
  readMoment(name, plays) { return this.send("GET", `/api/games/${part(name)}/moments/${part(plays)}`); }

  /**
   * Play an action; the answer is what the seat sees after it.
   * @param {string} name
   * @param {NewAction} body
   * @param {{board?: boolean}} [query]
   * @returns {Promise<State>}
   */
  playAction(name, body, query = {}) { return this.send("POST", `/api/games/${part(name)}/actions`, { query, body }); }

  /**
   * Take the seat's last action back; the answer is what the seat sees then.
   * @param {string} name
   * @param {Undo} body
   * @returns {Promise<State>}
   */
  undoAction(name, body) { return this.send("POST", `/api/games/${part(name)}/undo`, { body }); }

  /**
   * What an action changes for certain, as the seat may know; nothing if the game has gone on since `number`.
   * @param {string} name
   * @param {PreviewQuestion} body
   * @returns {Promise<Effects>}
   */
  previewAction(name, body) { return this.send("POST", `/api/games/${part(name)}/preview`, { body }); }

  /**
   * Why something is not legal, as the seat may know.
   * @param {string} name
   * @param {Question} body
   * @returns {Promise<Said>}
   */
  explainRefusal(name, body) { return this.send("POST", `/api/games/${part(name)}/why-not`, { body }); }

  /**
   * What a thing on the board is, and what the seat can do with it.
   * @param {string} name
   * @param {Question} body
   * @returns {Promise<Said>}
   */
  explainThing(name, body) { return this.send("POST", `/api/games/${part(name)}/about`, { body }); }

  /**
   * The record of a game that is over; before the end it would tell all secrets.
   * @param {string} name
   * @returns {Promise<string>}
   */
  readRecord(name) { return this.send("GET", `/api/games/${part(name)}/record`, { isText: true }); }

  /**
   * The number of changes, now and after each, and of messages after each; everybody may know them.
   * @param {string} name
   * @returns {EventSource}
   */
  followGame(name) { return new EventSource(this.addressOf(`/api/games/${part(name)}/events`)); }

  /**
   * Ask the other seats to go back to an earlier moment; the answer is what the seat sees then.
   * @param {string} name
   * @param {AskBack} body
   * @returns {Promise<State>}
   */
  askBack(name, body) { return this.send("POST", `/api/games/${part(name)}/ask-back`, { body }); }

  /**
   * Agree to what another seat asks, or refuse it; who has asked withdraws it by refusing.
   * @param {string} name
   * @param {Answer} body
   * @returns {Promise<State>}
   */
  answerQuestion(name, body) { return this.send("POST", `/api/games/${part(name)}/answer`, { body }); }

  /**
   * Start the clock before the first action; else the time runs from that action on.
   * @param {string} name
   * @param {ClockStart} body
   * @returns {Promise<State>}
   */
  startClock(name, body) { return this.send("POST", `/api/games/${part(name)}/start-clock`, { body }); }

  /**
   * Claim the game, as the time of another player is out; that ends it.
   * @param {string} name
   * @param {Claim} body
   * @returns {Promise<State>}
   */
  claimGame(name, body) { return this.send("POST", `/api/games/${part(name)}/claim`, { body }); }

  /**
   * The odds that a seat can know, if the table tells odds at this game.
   * @param {string} name
   * @param {OddsQuestion} body
   * @returns {Promise<OddsTold>}
   */
  computeOdds(name, body) { return this.send("POST", `/api/games/${part(name)}/odds`, { body }); }

  /**
   * What was said at the table; spectators read it as well.
   * @param {string} name
   * @returns {Promise<ChatLine[]>}
   */
  readMessages(name) { return this.send("GET", `/api/games/${part(name)}/messages`); }

  /**
   * Say something to everybody at the table.
   * @param {string} name
   * @param {Words} body
   * @returns {Promise<ChatLine>}
   */
  say(name, body) { return this.send("POST", `/api/games/${part(name)}/messages`, { body }); }

  /**
   * What the seat has noted for itself; nobody else reads it.
   * @param {string} name
   * @returns {Promise<Said>}
   */
  readNote(name) { return this.send("GET", `/api/games/${part(name)}/note`); }

  /**
   * Keep what the seat notes for itself.
   * @param {string} name
   * @param {Words} body
   * @returns {Promise<Said>}
   */
  keepNote(name, body) { return this.send("PUT", `/api/games/${part(name)}/note`, { body }); }

  /**
   * Another key for the seat; the old one is worth nothing from now on.
   * @param {string} name
   * @returns {Promise<NewKey>}
   */
  changeKey(name) { return this.send("POST", `/api/games/${part(name)}/key`); }

  /**
   * The commitments to the shares of the seed; the shares themselves when the game is over.
   * @param {string} name
   * @returns {Promise<SharesOfSeed>}
   */
  readShares(name) { return this.send("GET", `/api/games/${part(name)}/shares`); }

  /**
   * Commit the seat to a share of the seed.
   * @param {string} name
   * @param {Commitment} body
   * @returns {Promise<null>}
   */
  commitShare(name, body) { return this.send("POST", `/api/games/${part(name)}/commitment`, { body }); }

  /**
   * Reveal the share of the seat to the table; the last one begins the game.
   * @param {string} name
   * @param {Secret} body
   * @returns {Promise<null>}
   */
  revealShare(name, body) { return this.send("POST", `/api/games/${part(name)}/secret`, { body }); }

  /**
   * What can be set in the positions of a ruleset.
   * @param {string} name
   * @returns {Promise<PositionForm>}
   */
  readForm(name) { return this.send("GET", `/api/rulesets/${part(name)}/form`); }

  /**
   * A position after a change, with its faults, its picture and its values.
   * @param {string} name
   * @param {PositionText} body
   * @returns {Promise<PositionDraft>}
   */
  draftPosition(name, body) { return this.send("POST", `/api/rulesets/${part(name)}/positions`, { body }); }

  /**
   * Why an action is legal or not at a position, or the answer to a question.
   * @param {string} name
   * @param {PositionQuestion} body
   * @returns {Promise<Said>}
   */
  askPosition(name, body) { return this.send("POST", `/api/rulesets/${part(name)}/positions/ask`, { body }); }

  /**
   * The odds of a position.
   * @param {string} name
   * @param {PositionOdds} body
   * @returns {Promise<OddsTold>}
   */
  computePositionOdds(name, body) { return this.send("POST", `/api/rulesets/${part(name)}/positions/odds`, { body }); }

  /**
   * Check a record and keep it under a name; at a closed table only with a token.
   * @param {RecordText} body
   * @returns {Promise<UploadedRecord>}
   */
  uploadRecord(body) { return this.send("POST", `/api/records`, { body }); }

  /**
   * What an uploaded record is of.
   * @param {string} name
   * @returns {Promise<RecordFacts>}
   */
  readUpload(name) { return this.send("GET", `/api/records/${part(name)}`); }

  /**
   * The game after a number of plays, as all together saw it or as one player did.
   * @param {string} name
   * @param {number} plays
   * @param {{player?: string}} [query]
   * @returns {Promise<RecordMoment>}
   */
  readUploadMoment(name, plays, query = {}) { return this.send("GET", `/api/records/${part(name)}/moments/${part(plays)}`, { query }); }

  /**
   * Why an action is legal or not at a moment of a record, or the answer to a question.
   * @param {string} name
   * @param {number} plays
   * @param {Question} body
   * @returns {Promise<Said>}
   */
  askUpload(name, plays, body) { return this.send("POST", `/api/records/${part(name)}/moments/${part(plays)}/ask`, { body }); }

  /**
   * The odds at a moment of a record.
   * @param {string} name
   * @param {number} plays
   * @param {OddsQuestion} body
   * @returns {Promise<OddsTold>}
   */
  computeUploadOdds(name, plays, body) { return this.send("POST", `/api/records/${part(name)}/moments/${part(plays)}/odds`, { body }); }

  /**
   * A record as an animated picture.
   * @param {string} name
   * @returns {Promise<Film>}
   */
  readUploadFilm(name) { return this.send("GET", `/api/records/${part(name)}/film`); }

  /**
   * A game that is over as an animated picture; before the end it would tell all secrets.
   * @param {string} name
   * @returns {Promise<Film>}
   */
  readFilm(name) { return this.send("GET", `/api/games/${part(name)}/film`); }

  /**
   * Check, compile and play a ruleset at random, in a process that is ended when it overruns its limits.
   * @param {RulesetText} body
   * @returns {Promise<TriedRuleset>}
   */
  tryRuleset(body) { return this.send("POST", `/api/rulesets/try`, { body }); }
}
