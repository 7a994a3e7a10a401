// The types of client.js, made from the description of the table by `python clients/javascript.py`; those of messages
// are the ones that `hots export types` prints.

/**
 * What one player, or a spectator, sees of a game at one moment, as plain data.
 */
export interface ViewV4 {
  schema: "hots_rules/view.v4";
  ruleset: string;
  player: string | null;
  plays: number;
  phase: string;
  to_move: string[];
  outcome: Outcome | null;
  undo_limit: number;
  actions: Action[];
  state: { [name: string]: Value };
  stacks: Stack[];
  log: Step[];
  language: string;
}

/**
 * One choice at one decision, or one outcome at a chance point.
 */
export interface Action {
  player: string;
  name: string;
  args: { [name: string]: string };
  text: string;
  code: number;
  probability: string | null;
}

/**
 * How a game ended.
 */
export interface Outcome {
  winner: string | null;
  reason: string;
  summary: string;
  sections: string[];
  edition: string;
  text: string;
  winners: string[];
}

/**
 * Hidden pieces that the viewer cannot tell apart.
 */
export interface Stack {
  name: string;
  type: string;
  count: number;
  text: string;
}

/**
 * One step of a trace.
 */
export interface Step {
  kind: string;
  name: string;
  values: { [name: string]: string };
  text: string;
  rule: string;
  edition: string;
  sections: string[];
}

/**
 * A value of the ruleset: a name, a number, a boolean, null, a set, a pair, or a map by
 * names.
 */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

export interface Answer {
  number: number;
  agrees: boolean;
}

export interface AskBack {
  number: number;
  plays: number;
}

export interface BotChoice {
  kind: string;
  text: string;
}

export interface ChatLine {
  player: string;
  text: string;
}

export interface Claim {
  number: number;
}

export interface Clock {
  seconds?: number;
  increment?: number;
  days?: number;
}

export interface ClockStart {
  number: number;
}

export interface ClockTimes {
  left: { [name: string]: number };
  running: string[];
  days: number;
  increment: number;
}

export interface Commitment {
  commitment: string;
}

export interface Doing {
  number: number;
  kind: string;
  player: string;
  text: string;
}

export interface Effects {
  effects: string[];
}

export interface Ending {
  number: number;
}

export interface EstimatedShare {
  text: string;
  share: number;
  low: number;
  high: number;
}

export interface EstimatedShares {
  text: string;
  shares: EstimatedShare[];
}

export interface Film {
  svg: string;
}

export interface FormVariable {
  name: string;
  keys: string[];
  type: string;
  is_set: boolean;
}

export type GameOutcome = Outcome;

export interface LaterShares {
  seat: string | null;
  is_begun: boolean;
  expected: string[];
  commitments: { [name: string]: string };
  revealed: string[];
  secrets: { [name: string]: string };
  seed: string;
  later: LaterShares[];
  line: number;
  plays: number | null;
}

export type LegalAction = Action;

export interface LostAnswer {
  player: string;
  agrees: boolean;
}

export interface LostKey {
  player: string;
  key: string;
}

export interface LostSeat {
  player: string;
  code: string;
  asker: string;
  agreed: string;
  until: number;
}

export interface Moment {
  plays: number;
  phase: string;
  board: string;
  picture: Picture | null;
  facts: string;
  log: Told[];
}

export interface NewAction {
  number: number;
  action: string;
}

export interface NewGame {
  ruleset: string;
  scenario: string;
  seed?: string | null;
  bots?: { [name: string]: string };
  settings?: { [name: string]: boolean | number | string };
  shares?: boolean;
  position?: string;
  odds?: boolean;
  clock?: Clock | null;
  claim?: boolean;
}

export interface NewKey {
  key: string;
}

export interface NewSeats {
  game: string;
  keys: { [name: string]: string };
}

export interface NextGame {
  game: string;
}

export interface OddsQuestion {
  until: string;
  action?: string;
}

export interface OddsTold {
  until: string;
  assumed: string;
  worlds: number;
  exact: boolean;
  samples: number;
  outcomes: EstimatedShare[];
  changes: EstimatedShares[];
}

export interface OddsUntil {
  until: string;
  text: string;
}

export interface OpenQuestion {
  player: string;
  kind: string;
  plays: number;
  waiting: string[];
}

export interface OpeningFact {
  kind: string;
  text: string;
}

export interface PageWords {
  language: string;
  languages: string[];
  words: { [name: string]: string };
  takes_rulesets: boolean;
}

export interface Picture {
  name: string;
  frame: string;
  height: number;
  since: string;
  parts: { [name: string]: string };
}

export interface PositionDraft {
  text: string;
  faults: string[];
  board: string;
  values: { [name: string]: { [name: string]: string } };
  next: string;
  actions: string[];
  odds: OddsUntil[];
}

export interface PositionForm {
  variables: FormVariable[];
  choices: { [name: string]: string[][] };
}

export interface PositionOdds {
  text: string;
  until: string;
  action?: string;
  settings?: { [name: string]: boolean | number | string };
}

export interface PositionQuestion {
  text: string;
  words: string;
  settings?: { [name: string]: boolean | number | string };
}

export interface PositionText {
  text: string;
  change?: string;
  settings?: { [name: string]: boolean | number | string };
}

export interface PreviewQuestion {
  words: string;
  number?: number | null;
}

export interface Question {
  words: string;
}

export interface RecordMoment {
  plays: number;
  phase: string;
  board: string;
  picture: Picture | null;
  facts: string;
  log: Told[];
  actions: string[];
  odds: OddsUntil[];
  position: string;
}

export interface RecordText {
  record: string;
}

export interface RulesetFacts {
  players: { [name: string]: string };
  bots: { [name: string]: BotChoice[] };
  settings: Setting[];
}

export interface RulesetLine {
  name: string;
  title: string;
  scenarios: { [name: string]: string };
}

export interface RulesetText {
  text: string;
}

export interface Said {
  text: string;
}

export interface SeatKey {
  key: string;
}

export interface Seating {
  claims: boolean;
  claimed: string[];
  lost: LostSeat[];
}

export interface SeatsTold {
  claims: boolean;
  claimed: string[];
  lost: LostSeat[];
  seat: string | null;
  players: { [name: string]: string };
  is_link: boolean;
  opening: OpeningFact[];
}

export interface Secret {
  secret: string;
}

export interface SectionRules {
  section: string;
  heading: string;
  rules: Sentence[];
}

export interface Sentence {
  name: string;
  text: string;
}

export interface Setting {
  name: string;
  kind: string;
  text: string;
  sections: string[];
  values: (boolean | number | string | null)[];
  texts: string[];
  default: boolean | number | string | null;
  scenarios: string[];
}

export interface Share {
  text: string;
  share: number;
}

export interface SharesOfSeed {
  seat: string | null;
  is_begun: boolean;
  expected: string[];
  commitments: { [name: string]: string };
  revealed: string[];
  secrets: { [name: string]: string };
  seed: string;
  later: LaterShares[];
}

export interface State {
  ruleset: string;
  title: string;
  players: { [name: string]: string };
  seat: string | null;
  settings: { [name: string]: boolean | number | string | null };
  phase: string;
  outcome: string | null;
  is_over: boolean;
  view: ViewOfSeat;
  types: { [name: string]: { [name: string]: string } };
  sentences: { [name: string]: string };
  board: string;
  picture: Picture | null;
  facts: string;
  log_since: number;
  log: Told[];
  number: number;
  sitting: { [name: string]: string };
  bots: { [name: string]: string };
  odds: OddsUntil[];
  question: OpenQuestion | null;
  is_mixing: boolean;
  clock: ClockTimes | null;
  doings: Doing[];
  seating: Seating;
  opening: OpeningFact[];
}

export interface Told {
  kind: string;
  text: string;
  sections: string[];
  edition: string;
}

export interface TriedRuleset {
  faults: string;
  title: string;
  players: string[];
  scenario: string;
  games: number;
  decisions: number;
  winners: Share[];
  board: string;
}

export interface Undo {
  number: number;
}

export interface UploadFacts {
  ruleset: string;
  title: string;
  scenario: string;
  players: { [name: string]: string };
  settings: { [name: string]: boolean | number | string | null };
  plays: number;
  outcome: string | null;
  is_sealed: boolean;
  odds: OddsUntil[];
  until: number;
}

export interface UploadedRecord {
  name: string;
  until: number;
}

export type ViewOfSeat = Omit<ViewV4, "log">;

export interface Words {
  text: string;
}

/** The table has refused a request: the status that HTTP has for it, and the kind of the error. */
export class Refused extends Error {
  constructor(status: number, answer: { message: string; kind?: string });
  readonly status: number;
  readonly kind: string | undefined;
}

/**
 * Who asks: a seat by its key, a program by its token; texts are in a language. With the name of a picture that the
 * asker has, or "", boards come in parts. A request that is not answered in `longest` milliseconds is given up.
 */
export interface Asker {
  key?: string | null;
  token?: string | null;
  language?: string;
  picture?: string | null;
  longest?: number | null;
}

/** What stands behind the `?` of an address. */
export type Query = { [name: string]: string | number | boolean | null | undefined };

/** What a request holds. */
export interface Sent {
  query?: Query;
  body?: unknown;
}

/** A table, asked as a seat with its key, or as a spectator. */
export class Table {
  /** The address is that of the page if omitted. */
  constructor(address?: string, as?: Asker);
  address: string;
  key: string | null;
  token: string | null;
  language: string;
  picture: string | null;
  longest: number | null;
  addressOf(path: string, query?: Query): string;
  ask(method: string, path: string, sent?: Sent): Promise<Response>;
  send<Answer>(method: string, path: string, sent?: Sent): Promise<Answer>;
  /**
   * The rulesets of which games can be opened here, with their scenarios; the page proposes the first.
   */
  listRulesets(): Promise<RulesetLine[]>;
  /**
   * Who plays a game, which bots can sit there, and what can be chosen about the rules.
   */
  readRuleset(name: string): Promise<RulesetFacts>;
  /**
   * The heading of a section, and the sentences of the rules that cite it.
   */
  readSection(name: string, section: string): Promise<SectionRules>;
  /**
   * The words of the pages in a language, and the languages that there are.
   */
  listWords(): Promise<PageWords>;
  /**
   * Begin a game; the answer has the key of each seat, once.
   */
  createGame(body: NewGame): Promise<NewSeats>;
  /**
   * What all boards of a ruleset share in a language, by the name that a picture gives: SVG with slots for parts.
   */
  readFrame(name: string, frame: string): Promise<string>;
  /**
   * All that a seat, or a spectator, sees; with `board=false` without the picture, for programs.
   */
  readGame(name: string, query?: { since?: number; board?: boolean }): Promise<State>;
  /**
   * What a seat, or a spectator, saw after a number of plays.
   */
  readMoment(name: string, plays: number): Promise<Moment>;
  /**
   * All that a seat, or a spectator, sees, as text.
   */
  readFacts(name: string): Promise<Said>;
  /**
   * Play an action; the answer is what the seat sees after it.
   */
  playAction(name: string, body: NewAction, query?: { board?: boolean }): Promise<State>;
  /**
   * Take the seat's last action back; the answer is what the seat sees then.
   */
  undoAction(name: string, body: Undo): Promise<State>;
  /**
   * What an action changes for certain, as the seat may know; nothing if the game has gone on since `number`.
   */
  previewAction(name: string, body: PreviewQuestion): Promise<Effects>;
  /**
   * Why something is not legal, as the seat may know.
   */
  explainRefusal(name: string, body: Question): Promise<Said>;
  /**
   * What a thing on the board is, and what the seat can do with it.
   */
  explainThing(name: string, body: Question): Promise<Said>;
  /**
   * The record of a game that is over; before the end it would tell all secrets.
   */
  readRecord(name: string): Promise<string>;
  /**
   * The number of changes, now and after each, and of messages after each; everybody may know them.
   */
  followGame(name: string): EventSource;
  /**
   * Ask the other seats to go back to an earlier moment; the answer is what the seat sees then.
   */
  askBack(name: string, body: AskBack): Promise<State>;
  /**
   * Agree to what another seat asks, or refuse it; who has asked withdraws it by refusing.
   */
  answerQuestion(name: string, body: Answer): Promise<State>;
  /**
   * Start the clock before the first action; else the time runs from that action on.
   */
  startClock(name: string, body: ClockStart): Promise<State>;
  /**
   * Claim the game, as the time of another player is out; that ends it.
   */
  claimGame(name: string, body: Claim): Promise<State>;
  /**
   * Give the game up, so that the other player wins; that ends it.
   */
  resignGame(name: string, body: Ending): Promise<State>;
  /**
   * Ask the other seats to end the game as a draw; they answer as to any question.
   */
  offerDraw(name: string, body: Ending): Promise<State>;
  /**
   * End the game before the first action.
   */
  abortGame(name: string, body: Ending): Promise<State>;
  /**
   * The next game between the same seats, which their keys open as well; two who play exchange their sides.
   */
  openRematch(name: string): Promise<NextGame>;
  /**
   * The odds that a seat can know, if the table tells odds at this game.
   */
  computeOdds(name: string, body: OddsQuestion): Promise<OddsTold>;
  /**
   * What was said at the table; spectators read it as well.
   */
  readMessages(name: string): Promise<ChatLine[]>;
  /**
   * Say something to everybody at the table.
   */
  say(name: string, body: Words): Promise<ChatLine>;
  /**
   * What the seat has noted for itself; nobody else reads it.
   */
  readNote(name: string): Promise<Said>;
  /**
   * Keep what the seat notes for itself.
   */
  keepNote(name: string, body: Words): Promise<Said>;
  /**
   * The commitments to the shares of the seed; the shares themselves when the game is over.
   */
  readShares(name: string): Promise<SharesOfSeed>;
  /**
   * Commit the seat to a share of the seed.
   */
  commitShare(name: string, body: Commitment): Promise<null>;
  /**
   * Reveal the share of the seat to the table; the last one begins the game.
   */
  revealShare(name: string, body: Secret): Promise<null>;
  /**
   * What can be set in the positions of a ruleset.
   */
  readForm(name: string): Promise<PositionForm>;
  /**
   * A position after a change, with its faults, its picture and its values.
   */
  draftPosition(name: string, body: PositionText): Promise<PositionDraft>;
  /**
   * Why an action is legal or not at a position, or the answer to a question.
   */
  askPosition(name: string, body: PositionQuestion): Promise<Said>;
  /**
   * The odds of a position.
   */
  computePositionOdds(name: string, body: PositionOdds): Promise<OddsTold>;
  /**
   * Check a record and keep it under a name; at a closed table only with a token.
   */
  uploadRecord(body: RecordText): Promise<UploadedRecord>;
  /**
   * What an uploaded record is of, and until when it is kept.
   */
  readUpload(name: string): Promise<UploadFacts>;
  /**
   * The game after a number of plays, as all players together saw it or as one player did.
   */
  readUploadMoment(name: string, plays: number, query?: { player?: string }): Promise<RecordMoment>;
  /**
   * Why an action is legal or not at a moment of a record, or the answer to a question.
   */
  askUpload(name: string, plays: number, body: Question): Promise<Said>;
  /**
   * The odds at a moment of a record.
   */
  computeUploadOdds(name: string, plays: number, body: OddsQuestion): Promise<OddsTold>;
  /**
   * A record as an animated picture.
   */
  readUploadFilm(name: string): Promise<Film>;
  /**
   * A game that is over as an animated picture; before the end it would tell all secrets.
   */
  readFilm(name: string): Promise<Film>;
  /**
   * Check, compile and play a ruleset at random, in a process that is ended when it overruns its limits.
   */
  tryRuleset(body: RulesetText): Promise<TriedRuleset>;
  /**
   * Who has sat down; this claims nothing, also with the key of a link.
   */
  readSeats(name: string): Promise<SeatsTold>;
  /**
   * Trade the key of a link for one that the request has made; from then on it is the key of the seat.
   */
  sitDown(name: string, body: SeatKey): Promise<SeatsTold>;
  /**
   * The key of a link for another device of the seat; the seat has all its keys still.
   */
  addDevice(name: string): Promise<NewKey>;
  /**
   * Another key for the seat; those that it had are worth nothing from now on.
   */
  changeKey(name: string): Promise<NewKey>;
  /**
   * Ask for the seat of a player, whose key is lost, with a key that the request has made.
   */
  askForSeat(name: string, body: LostKey): Promise<SeatsTold>;
  /**
   * Consent to another key for the seat of a player, or refuse it.
   */
  answerLostSeat(name: string, body: LostAnswer): Promise<SeatsTold>;
}
