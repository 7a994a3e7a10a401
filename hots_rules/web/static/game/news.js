// @ts-check
// The states of a game as they become known: asked for one at a time, and asked for again when the table did not
// answer.
import { PAUSE, isTemporary } from "../parts/api.js";

const LONGEST = 60_000; // milliseconds for an answer: a connection that is dead says nothing

/** @template Answer */
export class News {
  /**
   * @param {{ ask: () => Promise<Answer>, show: (answer: Answer) => void, fail: (error: unknown) => void }} deeds
   *   `ask` gives a promise of what the table knows now; `fail` is told why there is none
   */
  constructor({ ask, show, fail }) {
    this.ask = ask;
    this.show = show;
    this.fail = fail;
    this.isWanted = false;
    /** @type {Promise<void> | null} */
    this.looking = null;
    /** @type {number | undefined} */
    this.trying = undefined;
  }

  // Over when what the table knows now is shown, or could not be had.
  look() {
    this.isWanted = true;
    this.looking ??= this.#look().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  async #look() {
    while (this.isWanted) {
      this.isWanted = false;
      const answer = await this.#answer();
      if (answer !== null) this.show(answer);
    }
  }

  /** @returns {Promise<Answer | null>} */
  async #answer() {
    let timer;
    /** @type {Promise<never>} */
    const tooLate = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("no answer")), LONGEST);
    });
    try {
      return await Promise.race([this.ask(), tooLate]);
    } catch (error) {
      this.fail(error);
      if (isTemporary(error)) this.#tryAgain();
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  // The stream of events may outlive the loss of an answer, and tells nothing then.
  #tryAgain() {
    clearTimeout(this.trying);
    this.trying = setTimeout(() => this.look(), PAUSE);
  }
}
