// @ts-check
// What the page of a game asks the table until it knows it: who sits where, the log, a moment, shares of a seed.
import { PAUSE, isTemporary } from "../parts/api.js";
import { look } from "./shares.js";

/** @typedef {import("./page.js").GamePage} GamePage */

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/**
 * Who sits at each seat; whether the table has told it.
 * @param {GamePage} page
 */
export async function sitDown(page) {
  for (;;) {
    try {
      const first = page.seats.length === 1 ? await page.seat.state() : null; // which one seat is shown at once
      for (const seat of page.seats) seat.player = (first ?? (await seat.glance())).seat;
      page.happens({ type: "seated", players: page.seats.map(({ player }) => player) });
      if (first !== null) page.happens({ type: "stated", seat: 0, seen: first });
      return true;
    } catch (error) {
      page.fails(error);
      if (!isTemporary(error)) return false;
    }
    await pause();
  }
}

/**
 * The log anew: an answer that is older than what is seen is asked for again.
 * @param {GamePage} page
 */
export async function readLog(page) {
  while (page.state.wanted) {
    const { seat, wanted } = page.state;
    try {
      const seen = await page.seats[seat].state(wanted === "whole" ? 0 : undefined);
      page.happens({ type: "stated", seat, seen, isAnew: true });
    } catch (error) {
      page.happens({ type: "logWanted", wanted: "" });
      page.refused(error);
    }
  }
}

/**
 * What the seat saw at the moment that is looked at.
 * @param {GamePage} page
 */
export async function remember(page) {
  const { seat, at } = page.state;
  if (at === null) return;
  try {
    page.happens({ type: "remembered", seat, at, moment: await page.seats[seat].moment(at) });
  } catch (error) {
    page.refused(error);
  }
}

/**
 * The game went back, and its next seed is mixed of the shares of all.
 * @param {GamePage} page
 */
export async function mix(page) {
  while (page.state.seen?.is_mixing) {
    try {
      const players = await look(page.seats);
      if (players === null) await page.news.look();
      else page.happens({ type: "missing", players });
    } catch (error) {
      page.fails(error);
    }
    if (page.state.seen?.is_mixing) await pause();
  }
}

/**
 * Work that is not begun again while it goes on.
 * @param {() => Promise<void>} work
 */
export function atATime(work) {
  let isOn = false;
  return async () => {
    if (isOn) return;
    isOn = true;
    await work().finally(() => {
      isOn = false;
    });
  };
}
