// @ts-check
// Somebody sits down: the key of a link is traded, once, for one that this browser makes. Only this page asks for it.
import { PAUSE, Seat, isTemporary } from "../parts/api.js";
import { keepFor, keptFor, newKey, newestFor } from "../parts/keys.js";
import { statusOf, toldOf } from "../parts/say.js";

/**
 * Whether the seats of the screen are sat at; their keys are then those of this browser. Says what is wrong.
 * @param {readonly Seat[]} seats
 * @param {import("../parts/say.js").Words} words
 * @param {(text: string) => void} tell
 */
export async function takeSeats(seats, words, tell) {
  for (;;) {
    try {
      for (const seat of seats) if (seat.key !== null) seat.key = await taken(seat.game, seat.key);
      return true;
    } catch (error) {
      tell(toldOf(error, words));
      if (!isTemporary(error)) return false;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/**
 * The key with which this browser sits at a seat.
 * @param {string} game
 * @param {string} link the key in the address of the page
 */
async function taken(game, link) {
  const newest = newestFor(game, link);
  try {
    const { is_link: isLink } = await new Seat(game, newest).seats();
    return isLink ? await traded(game, newest) : newest;
  } catch (error) {
    // The claim may not have come to the table; to send it again changes nothing if it has.
    if (statusOf(error) !== 401 || newest === link) throw error;
    return traded(game, link);
  }
}

/**
 * The key is kept before it is sent, so that a lost answer loses no seat.
 * @param {string} game
 * @param {string} link
 */
async function traded(game, link) {
  const key = keptFor(game, link) ?? newKey();
  keepFor(game, link, key);
  await new Seat(game, link).sitDown(key);
  return key;
}

// ------------------------------------------------------------------ lost seats
/** @typedef {{ player: string, key: string, code: string }} Asked a seat for which this browser has asked */

/** @param {string} game */
const askedName = (game) => `hots_rules asked ${game}`;

/**
 * @param {string} game
 * @returns {Asked | null}
 */
export const askedAt = (game) => JSON.parse(localStorage.getItem(askedName(game)) ?? "null");

/**
 * Asks for the seat of a player, whose key is lost, with a key that this browser keeps.
 * @param {Seat} seat who asks
 * @param {string} player
 */
export async function askFor(seat, player) {
  const key = newKey();
  const { lost } = await seat.askForSeat(player, key);
  const code = lost.find((line) => line.player === player)?.code ?? "";
  localStorage.setItem(askedName(seat.game), JSON.stringify({ player, key, code }));
}

/**
 * The key for which this browser has asked, as soon as it opens the seat; else null.
 * @param {string} game
 */
export async function grantedAt(game) {
  const asked = askedAt(game);
  if (asked === null) return null;
  const { lost } = await new Seat(game, null).seats();
  if (lost.some(({ code }) => code === asked.code)) return null;
  localStorage.removeItem(askedName(game)); // it was given, or refused
  try {
    await new Seat(game, asked.key).seats();
    return asked.key;
  } catch {
    return null;
  }
}
