// @ts-check
// The keys of seats that this browser has made: each is kept under that which it was traded for.

/**
 * @param {string} game
 * @param {string} key
 */
const nameOf = (game, key) => `hots_rules seat ${game} ${key}`;

// A key that nobody else can guess.
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * What a key was traded for; null if it was not.
 * @param {string} game
 * @param {string} key
 */
export const keptFor = (game, key) => localStorage.getItem(nameOf(game, key));

/**
 * @param {string} game
 * @param {string} key
 * @param {string} next
 */
export const keepFor = (game, key, next) => localStorage.setItem(nameOf(game, key), next);

/**
 * What a key has become in this browser; the key itself if it was not traded.
 * @param {string} game
 * @param {string} key
 */
export function newestFor(game, key) {
  let newest = key;
  for (let next = keptFor(game, key); next; next = keptFor(game, next)) newest = next;
  return newest;
}
