// What was chosen so far, and which legal actions have all of it among their arguments. No rule is known here:
// the table lists the legal actions, and the names of their arguments are those of the shapes on the board.
export class Choice {
  constructor(actions) {
    this.actions = actions;
    this.things = [];
  }
  get left() { return this.actions.filter((action) => this.things.every((thing) => names(action, thing))); }
  // The things that a further choice may have: what all actions that are left have in common decides nothing.
  get next() {
    const left = this.left;
    const values = left.flatMap((action) => Object.values(action.args));
    const isCommon = (value) => left.length > 1 && left.every((action) => names(action, value));
    return new Set(values.filter((value) => !this.things.includes(value) && !isCommon(value)));
  }
  // Whether only one action is left of several, or was asked for.
  get single() { return this.things.length > 0 && this.left.length === 1 ? this.left[0] : null; }
  choose(thing) {
    if (this.things.includes(thing)) this.things = this.things.filter((other) => other !== thing);
    else this.things = [...this.things, thing];
  }
  take(action) { this.things = []; this.actions = this.actions.filter((other) => other === action); this.taken = action; }
  back() { this.things = this.things.slice(0, -1); }
}

function names(action, thing) {
  const values = Object.values(action.args);
  if (values.includes(thing)) return true;
  const ends = thing.split("-"); // a border is named by both of its ends
  return ends.length === 2 && ends.every((end) => values.includes(end));
}
