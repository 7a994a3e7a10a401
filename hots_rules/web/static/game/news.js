// The states of a game as they become known: asked for one at a time, shown in order, and asked for again when the
// table did not answer.
import { PAUSE, isTemporary } from "../parts/api.js";

const LONGEST = 60_000; // milliseconds for an answer: a connection that is dead says nothing

export class News {
  // `ask` gives a promise of the state now, or of null if nobody wants it any more; `fail` is told why there is none.
  constructor({ ask, show, fail }) {
    Object.assign(this, { ask, show, fail });
    this.number = -1; // of changes, of the newest state
  }
  // Somebody tells that there have been so many changes.
  hear(number) {
    if (number > this.number || this.isLost) this.look();
  }
  // An answer that comes late is no news.
  take(state) {
    if (state.number < this.number) return;
    this.number = state.number;
    this.show(state);
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
      const state = await this.#answer();
      if (state) this.take(state);
    }
  }
  async #answer() {
    let timer;
    const tooLate = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("no answer")), LONGEST);
    });
    try {
      const state = await Promise.race([this.ask(), tooLate]);
      this.isLost = false;
      return state;
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
