// The shares of the seed: each seat commits to a random share, reveals it when all have, and checks all at the end.
import { digest } from "./blake2b.js";
import { make } from "./dom.js";

const PAUSE = 1500; // milliseconds between two looks at who has sat down

export const commitmentOf = (player, secret) => digest(["hots_rules commitment 1", player, secret]);
export const seedOf = (secrets) => digest(["hots_rules mixed seed 1", ...Object.keys(secrets).sort().flatMap((player) => [player, secrets[player]])]);

// Whether the game has begun: waits for it, and gives the shares of these seats meanwhile. Says what is wrong.
export async function gather(main, words, seats, say) {
  for (;;) {
    try {
      const missing = await look(seats);
      if (missing === null) return true;
      main.replaceChildren(make("p", { class: "links", role: "status" }, words.gather.replace("%", missing.join(", "))));
    } catch (error) {
      say(error.status ? error.message : words.lost);
      if (error.status) return false;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

// Whose shares are missing; null when the game has begun.
async function look(seats) {
  let missing = [];
  for (const seat of seats) {
    const shares = await seat.shares();
    if (shares.is_begun) return null;
    if (shares.seat !== null) await give(seat, shares);
    missing = shares.expected.filter((player) => !shares.revealed.includes(player));
  }
  return missing;
}

async function give(seat, { seat: player, expected, commitments, revealed }) {
  const own = ownShare(seat);
  if (!(player in commitments)) await seat.commit(commitmentOf(player, own));
  // Only when every other commitment is there, and with it nobody can choose any longer.
  else if (!revealed.includes(player) && expected.every((other) => other in commitments)) {
    remember(seat, commitments);
    await seat.reveal(own);
  }
}

const nameOf = (seat, what) => `hots_rules ${what} ${seat.path} ${seat.key}`;
const remember = (seat, commitments) => localStorage.setItem(nameOf(seat, "commitments"), JSON.stringify(commitments));

function ownShare(seat) {
  const name = nameOf(seat, "share");
  if (!localStorage.getItem(name)) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    localStorage.setItem(name, [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return localStorage.getItem(name);
}

// Whether the dice of a game that is over come from the shares; null if they were not mixed.
export async function areDiceFair(seat) {
  const { commitments, secrets, seed } = await seat.shares();
  if (Object.keys(commitments).length === 0) return null;
  const seen = JSON.parse(localStorage.getItem(nameOf(seat, "commitments")) ?? "{}");
  const isKept = Object.entries(seen).every(([player, commitment]) => commitments[player] === commitment);
  const areOpened = Object.entries(commitments).every(([player, commitment]) => commitmentOf(player, secrets[player] ?? "") === commitment);
  return isKept && areOpened && seedOf(secrets) === seed;
}
