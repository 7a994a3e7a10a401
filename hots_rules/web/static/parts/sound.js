// @ts-check
// A short sound when it is one's turn, until it is switched off.
import { make } from "./dom.js";

const SOUND = "hots_rules sound";
/** @type {AudioContext | null} */
let context = null;

/** @param {import("./say.js").Words} words */
export function offerSound(words) {
  const box = make("input", {
    type: "checkbox",
    id: "sound",
    onchange: () => localStorage.setItem(SOUND, box.checked ? "on" : "off"),
  });
  box.checked = localStorage.getItem(SOUND) !== "off";
  return make("label", { class: "box" }, box, words.sound);
}

export function ring() {
  if (localStorage.getItem(SOUND) === "off" || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const tone = context.createOscillator(),
    volume = context.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.15, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.4);
}
