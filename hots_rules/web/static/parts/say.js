// @ts-check
// Texts of the page: words in which a value stands, and why something was refused.

/** @typedef {{ readonly [name: string]: string }} Words of the pages by their names, in the language of the reader */

/**
 * A text in which "%" stands for a value.
 * @param {string} text
 * @param {string | number} value
 */
export const say = (text, value) => text.replace("%", () => String(value));

/**
 * The status of an answer that refuses something; 0 of an error that did not come from the table.
 * @param {unknown} error
 */
export const statusOf = (error) => (error instanceof Error && "status" in error ? Number(error.status) : 0);

/**
 * What is told of an error.
 * @param {unknown} error
 * @param {Words} words
 */
export const toldOf = (error, words) => (error instanceof Error && statusOf(error) ? error.message : words.lost);
