// @ts-check
// A page to set up a position is opened: for a ruleset, perhaps with what a link holds.
import * as api from "../parts/api.js";
import { unpacked } from "../parts/packing.js";
import { PositionPage } from "./position.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("../client.js").RulesetLine} RulesetLine
 * @typedef {import("../lobby/settings.js").Chosen} Chosen
 */

/**
 * Opens a ruleset with what a link holds: a text and settings.
 * @param {HTMLElement} main
 * @param {Words} words
 * @param {string} ruleset
 * @param {string} [link]
 */
export async function showPosition(main, words, ruleset, link) {
  const rulesets = await api.anybody().listRulesets();
  const [text, settings] = heldIn(link ? await unpacked(link) : null);
  const line = rulesets.find((each) => each.name === ruleset) ?? rulesets[0];
  await load(main, words, rulesets, line, text, settings);
}

/**
 * @param {unknown} link
 * @returns {[string, Chosen]}
 */
const heldIn = (link) => (Array.isArray(link) && typeof link[0] === "string" ? [link[0], link[1] ?? {}] : ["", {}]);

/**
 * @param {HTMLElement} main
 * @param {Words} words
 * @param {readonly RulesetLine[]} rulesets
 * @param {RulesetLine} line
 * @param {string} text
 * @param {Chosen} given
 */
async function load(main, words, rulesets, line, text, given) {
  const table = api.anybody();
  const [facts, form] = await Promise.all([table.readRuleset(line.name), table.readForm(line.name)]);
  const open = (/** @type {RulesetLine} */ other) => load(main, words, rulesets, other, "", {});
  const page = new PositionPage(main, words, { rulesets, line, facts, form, given, open });
  const [first] = Object.keys(line.scenarios);
  await page.draft(text || `like ${first}`);
}
