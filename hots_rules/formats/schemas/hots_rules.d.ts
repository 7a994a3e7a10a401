// The messages of hots_rules, made from their schemas.

/**
 * Why a step of the last play happened, and what it caused: the result of `Game.explain`.
 */
export interface AccountV1 {
  schema: "hots_rules/account.v1";
  ruleset: string;
  causes: Step[];
  happening: TraceNode;
  language: string;
}

/**
 * One choice at one decision, or one outcome at a chance point.
 */
export interface ActionV2 {
  schema: "hots_rules/action.v2";
  player: string;
  name: string;
  args: { [name: string]: string };
  text: string;
  code: number;
  probability: string | null;
}

/**
 * A game from its beginning, moment by moment, with its record.
 */
export interface CorpusV2 {
  schema: "hots_rules/corpus.v2";
  record: GameRecord;
  record_text: string;
  moments: Moment[];
  outcome: Outcome | null;
}

/**
 * Who has to choose now, and the legal actions; after the end of the game nobody, with the
 * outcome.
 */
export interface DecisionV3 {
  schema: "hots_rules/decision.v3";
  ruleset: string;
  content: string;
  number: number;
  phase: string;
  to_move: string[];
  actions: Action[];
  outcome: Outcome | null;
}

/**
 * One step of a trace.
 */
export interface EventV1 {
  schema: "hots_rules/event.v1";
  kind: string;
  name: string;
  values: { [name: string]: string };
  text: string;
  rule: string;
  edition: string;
  sections: string[];
}

/**
 * Why an action is legal or not at one moment of a game: the result of `why` and `why_not`.
 */
export interface ExplanationV1 {
  schema: "hots_rules/explanation.v1";
  ruleset: string;
  action: string;
  against: Reason[];
  support: Reason[];
  sets: number[][];
  changes: string[][];
  alternatives: string[];
  player: string | null;
  language: string;
}

/**
 * The shapes of a board: points across and down from the top left, all lengths in tenths of
 * a unit of its picture.
 */
export interface GeometryV1 {
  schema: "hots_rules/geometry.v1";
  canvas: number[];
  background: string;
  block: number;
  small_block: number;
  areas: { [name: string]: AreaShape };
  borders: BorderShape[];
  styles: { [name: string]: BorderStyle };
  sides: { [name: string]: SideStyle };
}

/**
 * A game as its beginning, its actions, and a seal.
 */
export interface RecordV1 {
  schema: "hots_rules/record.v1";
  ruleset: string;
  content: string;
  engine: string;
  rng: string;
  seed: string;
  chance: string;
  scenario: string;
  position: string | null;
  options: { [name: string]: string };
  readings: { [name: string]: string };
  entries: Entry[];
  comments: string[];
  seal: string;
  texts: string;
}

/**
 * An error as data.
 */
export interface RefusalV1 {
  schema: "hots_rules/refusal.v1";
  kind: string;
  message: string;
  text: string | null;
  near: string | null;
  meanings: string[];
  reasons: Reason[];
  faults: string[];
  path: string | null;
}

/**
 * What a ruleset declares that a front end shows: words, actions, tables, the map, sections.
 */
export interface RulesetV1 {
  schema: "hots_rules/ruleset.v1";
  ruleset: string;
  content: string;
  title: string;
  language: string;
  players: string[];
  scenarios: { [name: string]: string };
  words: { [name: string]: { [name: string]: string } };
  actions: ActionType[];
  tables: Table[];
  places: { [name: string]: number[] };
  lines: MapLine[];
  headings: { [name: string]: string };
}

/**
 * A state: every variable by name, and the point in the phases.
 */
export interface StateV2 {
  schema: "hots_rules/state.v2";
  ruleset: string;
  layout: string;
  options: { [name: string]: string };
  readings: { [name: string]: string };
  variables: { [name: string]: Value };
  point: string;
}

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
 * An action that the ruleset declares.
 */
export interface ActionType {
  name: string;
  params: { [name: string]: string };
  label: string;
  summary: string;
  sections: string[];
}

/**
 * The shape of a place of the map.
 */
export interface AreaShape {
  outline: number[][];
  colour: string;
  label: LabelShape | null;
  slots: number[][];
  small_slots: number[][];
  marker: number[];
  icons: { [name: string]: number[] };
}

/**
 * The border of two places.
 */
export interface BorderShape {
  between: string[];
  lines: number[][][];
  badge: number[] | null;
}

/**
 * How the borders of one colour of the map are drawn.
 */
export interface BorderStyle {
  colour: string;
  dash: string;
  badge: string;
  number: number | null;
}

/**
 * An action of a record.
 */
export interface Entry {
  text: string;
  digest: string;
  comments: string[];
  variations: Entry[][];
}

/**
 * Why a condition holds or fails.
 */
export interface Explanation {
  text: string;
  change: string;
  parts: Explanation[];
  needs: string;
  sections: string[];
  is_fixed: boolean;
}

/**
 * Where a name stands: its middle, its width, and the box of the name with its icons.
 */
export interface LabelShape {
  at: number[];
  width: number;
  box: number[];
}

/**
 * A line between places of the map; the colour may be empty.
 */
export interface MapLine {
  ends: string[];
  colour: string;
}

/**
 * A moment of a game, and the action that is played next.
 */
export interface Moment {
  position: string;
  phase: string;
  to_move: string[];
  actions: string[];
  chances: string[];
  refused: Refused[];
  trace: string[];
  play: string;
  digest: string;
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
 * A clause of the rules that was checked for an action, and its result.
 */
export interface Reason {
  kind: string;
  rule: string;
  edition: string;
  sections: string[];
  summary: string;
  values: string[];
  found: string;
  ground: Explanation | null;
  stands: boolean;
  lifted_by: Reason[];
}

/**
 * A game as its beginning, its actions, and a seal.
 */
export interface GameRecord {
  ruleset: string;
  content: string;
  engine: string;
  rng: string;
  seed: string;
  chance: string;
  scenario: string;
  position: string | null;
  options: { [name: string]: string };
  readings: { [name: string]: string };
  entries: Entry[];
  comments: string[];
  seal: string;
  texts: string;
}

/**
 * An error as data.
 */
export interface Refusal {
  kind: string;
  message: string;
  text: string | null;
  near: string | null;
  meanings: string[];
  reasons: Reason[];
  faults: string[];
  path: string | null;
}

/**
 * A text that cannot be played at a moment of the game, and its refusal.
 */
export interface Refused {
  text: string;
  refusal: Refusal;
}

/**
 * How the pieces of a player are drawn.
 */
export interface SideStyle {
  colour: string;
  corner: number;
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
 * A table of the ruleset, such as the pieces with their ratings.
 */
export interface Table {
  name: string;
  columns: { [name: string]: string };
  rows: { [name: string]: { [name: string]: Value } };
}

/**
 * A step of a play, with the steps that it caused.
 */
export interface TraceNode {
  step: Step;
  parts: TraceNode[];
}

/**
 * A value of the ruleset: a name, a number, a boolean, null, a set, a pair, or a map by
 * names.
 */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

export type Message = AccountV1 | ActionV2 | CorpusV2 | DecisionV3 | EventV1 | ExplanationV1 | GeometryV1 | RecordV1 | RefusalV1 | RulesetV1 | StateV2 | ViewV4;
