// @ts-check
// The shares of the seed: each seat commits to a random share, reveals it when all have, and checks all at the end.
import { isTemporary } from "../parts/api.js";
import { digest } from "./blake2b.js";
import { make } from "../parts/dom.js";
import { say, toldOf } from "../parts/say.js";
import { openingLines } from "./seating.js";

/**
 * @typedef {import("../parts/api.js").Seat} Seat
 * @typedef {import("../client.js").SharesOfSeed} SharesOfSeed
 * @typedef {SharesOfSeed & { line: number }} Round of shares, and the line of the log of the table after which it holds
 */

const PAUSE = 1500; // milliseconds between two looks at who has sat down

/**
 * @param {string} player
 * @param {string} secret
 */
export const commitmentOf = (player, secret) => digest(["hots_rules commitment 1", player, secret]);
/** @param {{ [player: string]: string }} secrets */
export const seedOf = (secrets) =>
  digest([
    "hots_rules mixed seed 1",
    ...Object.keys(secrets)
      .sort()
      .flatMap((player) => [player, secrets[player]]),
  ]);

/**
 * Whether the game has begun: waits for it, and gives the shares of these seats meanwhile. Says what is wrong.
 * @param {HTMLElement} main
 * @param {import("../parts/say.js").Words} words
 * @param {readonly Seat[]} seats
 * @param {(text: string) => void} tell
 */
export async function gather(main, words, seats, tell) {
  const begun = nameOf(seats[0], 0, "begun"); // a game that has begun needs not be asked again
  for (;;) {
    try {
      if (localStorage.getItem(begun) !== null) return true;
      if ((await seats[0].shares()).is_begun) {
        localStorage.setItem(begun, "");
        return true;
      }
      const missing = (await look(seats)) ?? [];
      const { opening } = await seats[0].seats();
      main.replaceChildren(
        make("p", { class: "links", role: "status" }, say(words.gather, missing.join(", "))),
        make("ul", { class: "links note", id: "opening", "aria-label": words.opening }, ...openingLines(opening)),
      );
    } catch (error) {
      tell(toldOf(error, words));
      if (!isTemporary(error)) return false;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/**
 * The shares of each seed of a game: of the first, and of those after the game went back.
 * @param {SharesOfSeed} shares
 * @returns {Round[]}
 */
const rounds = (shares) => [{ ...shares, line: 0 }, ...shares.later];

/**
 * Gives the shares that are wanted of these seats, and tells whose are missing; null when the game goes on.
 * @param {readonly Seat[]} seats
 */
export async function look(seats) {
  /** @type {string[]} */
  let missing = [];
  for (const seat of seats) {
    const shares = await seat.shares();
    const open = rounds(shares).find((round) => !round.is_begun);
    if (!open) return null;
    if (shares.seat !== null && open.expected.includes(shares.seat)) await give(seat, shares.seat, open);
    missing = open.expected.filter((player) => !open.revealed.includes(player));
  }
  return missing;
}

/**
 * @param {Seat} seat
 * @param {string} player
 * @param {Round} round
 */
async function give(seat, player, { line, expected, commitments, revealed }) {
  const own = ownShare(seat, line);
  if (!(player in commitments)) await seat.commit(commitmentOf(player, own));
  // Only when every other commitment is there, and with it nobody can choose any longer.
  // Another device of the seat may have given another share.
  else if (commitments[player] !== commitmentOf(player, own)) return;
  else if (!revealed.includes(player) && expected.every((other) => other in commitments)) {
    remember(seat, line, commitments);
    await seat.reveal(own);
  }
}

/**
 * @param {Seat} seat
 * @param {number} line
 * @param {string} what
 */
const nameOf = (seat, line, what) => `hots_rules ${what} ${seat.path} ${line ? `${line} ` : ""}${seat.key}`;
/**
 * @param {Seat} seat
 * @param {number} line
 * @param {{ [player: string]: string }} commitments
 */
const remember = (seat, line, commitments) =>
  localStorage.setItem(nameOf(seat, line, "commitments"), JSON.stringify(commitments));

/**
 * @param {Seat} seat
 * @param {number} line
 */
function ownShare(seat, line) {
  const name = nameOf(seat, line, "share");
  const kept = localStorage.getItem(name);
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const share = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(name, share);
  return share;
}

/**
 * Whether all dice of a game that is over come from the shares; null if they were not mixed.
 * @param {Seat} seat
 */
export async function areDiceFair(seat) {
  const all = rounds(await seat.shares());
  if (Object.keys(all[0].commitments).length === 0) return null;
  return all.every((round) => isFair(seat, round));
}

/**
 * @param {Seat} seat
 * @param {Round} round
 */
function isFair(seat, { line, commitments, secrets, seed, expected }) {
  const seen = JSON.parse(localStorage.getItem(nameOf(seat, line, "commitments")) ?? "{}");
  const isKept = Object.entries(seen).every(([player, commitment]) => commitments[player] === commitment);
  const isWhole = expected.every((player) => player in commitments);
  const areOpened = Object.entries(commitments).every(
    ([player, commitment]) => commitmentOf(player, secrets[player] ?? "") === commitment,
  );
  return isKept && isWhole && areOpened && seedOf(secrets) === seed;
}
