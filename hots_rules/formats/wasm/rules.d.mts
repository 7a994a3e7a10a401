// The types of rules.mjs.

export interface Action {
  /** Its number in this ruleset and these settings. */
  readonly code: number
  readonly player: string
  readonly name: string
  readonly args: Readonly<Record<string, string>>
  readonly text: string
}

export interface Outcome {
  /** The player who won alone, or "nobody"; null where several won together. */
  readonly winner: string | null
  /** All players who won. */
  readonly winners: readonly string[]
  /** The rule that ended the game, or "no outcome". */
  readonly reason: string
}

export interface Playout {
  readonly state: BigInt64Array
  readonly decisions: number
}

export interface PlayoutOptions {
  /** How many games: 100 if omitted. */
  readonly games?: number
  /** Game i has the seed `seed/i`: "0" if omitted. */
  readonly seed?: string | number
  /** The number of the first game: 0 if omitted. */
  readonly first?: number
}

export interface Statistics {
  readonly games: number
  readonly finished: number
  readonly wins: Readonly<Record<string, number>>
  readonly reasons: Readonly<Record<string, number>>
  readonly decisions: number
}

export class RulesetFault extends Error {}

export class Ruleset {
  private constructor()
  readonly name: string
  readonly players: readonly string[]
  readonly scenarios: readonly string[]
  start(scenario: string, seed: string | number): Game
  play(game: Game, code: number): Game
  codes(state: BigInt64Array): number[]
  action(code: number): Action
  outcome(state: BigInt64Array): Outcome | null
  playouts(scenario: string, options?: PlayoutOptions): AsyncGenerator<Playout, void, undefined>
  simulate(scenario: string, options?: PlayoutOptions): Promise<Statistics>
}

export class Game {
  private constructor()
  readonly ruleset: Ruleset
  /** The slots of the state, which show everything that is hidden. */
  readonly state: BigInt64Array
  readonly seed: string
  readonly actions: readonly Action[]
  readonly toMove: readonly string[]
  readonly isOver: boolean
  readonly outcome: Outcome | null
  play(text: string): Game
}

export function load(folder?: URL): Promise<Ruleset>
export function instantiate(layout: unknown, code: BufferSource): Promise<Ruleset>
