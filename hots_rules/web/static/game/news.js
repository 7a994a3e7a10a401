// @ts-check
// The states of a game as they become known: asked for one at a time, and asked for again when the table did not
// answer.
import { PAUSE, isTemporary } from "../parts/api.js";

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
    this.giveUp = () => {};
  }

  // Over when what the table knows now is shown, or could not be had.
  look() {
    this.isWanted = true;
    this.looking ??= this.#look();
    return this.looking;
  }

  // What is on its way was asked for over a connection that is lost, and may never come: it is not waited for.
  lookAnew() {
    this.giveUp();
    return this.look();
  }

  async #look() {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        const answer = await this.#answer();
        if (answer !== null) this.show(answer);
      }
    } finally {
      this.looking = null; // at once: who looks from now on is answered by another look
    }
  }

  /** @returns {Promise<Answer | null>} */
  async #answer() {
    clearTimeout(this.trying); // this is another try
    /** @type {Promise<null>} */
    const isGivenUp = new Promise((resolve) => {
      this.giveUp = () => resolve(null);
    });
    try {
      return await Promise.race([this.ask(), isGivenUp]);
    } catch (error) {
      this.fail(error);
      if (isTemporary(error)) this.#tryAgain();
      return null;
    }
  }

  // The stream of events may outlive the loss of an answer, and tells nothing then.
  #tryAgain() {
    this.trying = setTimeout(() => this.look(), PAUSE);
  }
}
