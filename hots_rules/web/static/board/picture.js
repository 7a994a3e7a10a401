// @ts-check
// A board in parts: the frame, which is the same at all moments, and what stands in its slots. Nothing here draws or
// asks.

/**
 * @typedef {import("../client.js").Picture} Told what the table tells of a picture: the parts that have changed
 * @typedef {{ readonly [variable: string]: import("../client.js").Value }} Values
 * @typedef {object} Whole
 * @property {string} name
 * @property {string} frame the text of the frame
 * @property {number} height
 * @property {{ readonly [part: string]: string }} parts all of them
 * @property {Values} values all values of the view at its moment; none of an earlier moment, with which none are told
 */

const SLOT = /<g data-part="([^"]+)"\/>/g;
const MOST_KEPT = 4; // answers may cross on their way

/**
 * A part with the parts that stand in it.
 * @param {Whole["parts"]} parts
 * @param {string} text
 * @returns {string}
 */
export const filled = (parts, text) =>
  text.replace(SLOT, (_, /** @type {string} */ name) => filled(parts, parts[name] ?? ""));

/**
 * The whole picture as SVG.
 * @param {Whole} whole
 */
export const svgOf = ({ frame, parts, height }) => filled(parts, highAs(frame, height));

/**
 * The frame with the height of a picture, which stands in its first tag.
 * @param {string} frame
 * @param {number} height
 */
export const highAs = (frame, height) =>
  frame.replace(
    /viewBox="0 0 (\S+) \S+" width="(\S+)" height="[^"]+"/,
    (_, across, width) => `viewBox="0 0 ${across} ${shown(height)}" width="${width}" height="${shown(height)}"`,
  );

/** @param {number} height */
const shown = (height) => height.toFixed(1).replace(/\.0$/, "");

/**
 * The names of the parts in which two pictures with the same frame differ, without those that stand in one of them.
 * @param {Whole} before
 * @param {Whole} after
 */
export function changedParts(before, after) {
  const changed = Object.keys(after.parts).filter((name) => after.parts[name] !== before.parts[name]);
  const inside = new Set(changed.flatMap((name) => [...after.parts[name].matchAll(SLOT)].map(([, inner]) => inner)));
  return changed.filter((name) => !inside.has(name));
}

// The last pictures that a seat was told.
export class Pictures {
  /** @param {(frame: string) => Promise<string>} fetchFrame */
  constructor(fetchFrame) {
    this.fetchFrame = fetchFrame;
    /** @type {Map<string, Promise<string>>} */
    this.frames = new Map();
    /** @type {Map<string, Whole>} */
    this.kept = new Map();
    this.newest = "";
  }
  /**
   * What the table has told, whole; null if it was told what differs from a picture that is not here any more.
   * @param {Told} told
   * @param {Values} [values] those that have changed; an earlier moment has none
   * @returns {Promise<Whole | null>}
   */
  async take({ name, frame, height, since, parts }, values = {}) {
    const before = since === "" ? { parts: {}, values: {} } : this.kept.get(since);
    if (before === undefined) return null;
    if (!this.frames.has(frame)) this.frames.set(frame, this.fetchFrame(frame));
    try {
      const whole = {
        name,
        frame: (await this.frames.get(frame)) ?? "",
        height,
        parts: { ...before.parts, ...parts },
        values: { ...before.values, ...values },
      };
      this.#keep(whole);
      return whole;
    } catch (error) {
      this.frames.delete(frame); // to be asked for again
      throw error;
    }
  }
  /** @param {Whole} whole */
  #keep(whole) {
    this.kept.delete(whole.name);
    this.kept.set(whole.name, whole);
    this.newest = whole.name;
    for (const name of [...this.kept.keys()].slice(0, -MOST_KEPT)) this.kept.delete(name);
  }
}
