// @ts-check
// Which shapes of the board stand for the arguments of which legal actions. Names alone do not tell: a piece and a
// place may have one name. A parameter has a type, and a type is of pieces or of places.

/** @type {{ readonly [kind: string]: number }} */
const RANKS = { block: 0, area: 1, border: 2 }; // people choose the piece first, then the place

/**
 * @typedef {import("../client.js").LegalAction} LegalAction
 * @typedef {LegalAction & { things: string[] }} ActionOnBoard with the ids of the shapes that stand for its arguments
 * @typedef {(action: LegalAction, parameter: string) => string} TypeOf
 */

/**
 * @param {string} kind
 * @param {string} name
 */
export const idOf = (kind, name) => `${kind} ${name}`;
/** @param {string} id */
export const nameOf = (id) => id.slice(id.indexOf(" ") + 1);
/** @param {string} id */
export const rankOf = (id) => RANKS[id.slice(0, id.indexOf(" "))];

/**
 * The legal actions, each with the ids of the shapes that stand for its arguments.
 * @param {Pick<import("../client.js").State, "types" | "view">} state
 * @param {ReadonlySet<string>} shapes
 * @returns {ActionOnBoard[]}
 */
export function withThings(state, shapes) {
  /** @type {TypeOf} */
  const typeOf = (action, parameter) => state.types[action.name]?.[parameter] ?? "";
  const kinds = kindsOfTypes(state.view.actions, typeOf, shapes);
  const standing = standIns(state.view.state, shapes);
  const thingsOf = (/** @type {LegalAction} */ action) => {
    const found = Object.entries(action.args).flatMap(([parameter, value]) => {
      const isShape = (/** @type {string} */ kind) =>
        shapes.has(idOf(kind, value)) && (kinds.get(typeOf(action, parameter)) ?? kind) === kind;
      const drawn = ["block", "area"].filter(isShape).map((kind) => idOf(kind, value));
      return drawn.length ? drawn : (standing.get(value) ?? []);
    });
    return [...found, ...bordersBetween(Object.values(action.args), shapes)];
  };
  return state.view.actions.map((action) => ({ ...action, things: thingsOf(action) }));
}

/**
 * A type is of the kind of which a value that has no other kind is.
 * @param {readonly LegalAction[]} actions
 * @param {TypeOf} typeOf
 * @param {ReadonlySet<string>} shapes
 */
function kindsOfTypes(actions, typeOf, shapes) {
  /** @type {Map<string, string>} */
  const kinds = new Map();
  for (const action of actions)
    for (const [parameter, value] of Object.entries(action.args)) {
      const [isPiece, isPlace] = [shapes.has(idOf("block", value)), shapes.has(idOf("area", value))];
      if (isPiece !== isPlace) kinds.set(typeOf(action, parameter), isPiece ? "block" : "area");
    }
  // Of two types of an action whose values are both, one is of pieces and the other of places.
  for (const action of actions) {
    const open = Object.keys(action.args)
      .map((parameter) => typeOf(action, parameter))
      .filter((type) => !kinds.has(type));
    const known = Object.keys(action.args)
      .map((parameter) => kinds.get(typeOf(action, parameter)))
      .filter(Boolean);
    if (new Set(open).size === 1 && new Set(known).size === 1)
      kinds.set(open[0], known[0] === "area" ? "block" : "area");
  }
  return kinds;
}

/**
 * A place that is not drawn is chosen by the only piece that is there.
 * @param {{ readonly [variable: string]: import("../client.js").Value }} values
 * @param {ReadonlySet<string>} shapes
 */
function standIns(values, shapes) {
  /** @type {Map<string, string[]>} */
  const there = new Map();
  const pieces = [...shapes].filter((id) => rankOf(id) === RANKS.block);
  for (const variable of Object.values(values)) {
    if (variable === null || typeof variable !== "object" || Array.isArray(variable)) continue;
    for (const id of pieces) {
      const place = variable[nameOf(id).split(".")[0]];
      if (typeof place === "string") there.set(place, [...(there.get(place) ?? []), id]);
    }
  }
  return new Map([...there].filter(([, ids]) => new Set(ids).size === 1));
}

/**
 * A border is named by both of its ends.
 * @param {readonly string[]} values
 * @param {ReadonlySet<string>} shapes
 */
function bordersBetween(values, shapes) {
  const pairs = values.flatMap((from) => values.map((to) => idOf("border", `${from}-${to}`)));
  return pairs.filter((id) => shapes.has(id));
}
