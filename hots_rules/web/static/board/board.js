// @ts-check
// The board as the table draws it for this seat, with shapes that can be chosen.
import { placePanels } from "./panels.js";
import { changedParts, filled, svgOf } from "./picture.js";
import { closest } from "../parts/dom.js";
import { idOf } from "./things.js";

/**
 * @typedef {HTMLElement | SVGElement} Shape
 * @typedef {readonly [number, number]} Point
 * @typedef {import("./picture.js").Whole} Whole
 * @typedef {string | Whole} Drawn a picture as SVG, or in parts
 */

const SHAPES = "[data-block], [data-area], [data-border]";
const NARROW = 700; // pixels of the window below which the board opens enlarged where it is touched
const FINGER = 44; // pixels below which a piece is too small to be touched, in a window of any width
const TIMES = 2.5; // that an enlarged board is larger
const LONG_PRESS = 500; // milliseconds
const keyOf = (/** @type {Shape} */ shape) => {
  const [[kind, name]] = Object.entries(shape.dataset);
  return idOf(kind, name ?? "");
};

export class Board {
  /**
   * Tells of a shape that is chosen, and of one that is asked about.
   * @param {HTMLElement} place
   * @param {(thing: string) => void} onChoose
   * @param {(thing: string) => void} onAsk
   */
  constructor(place, onChoose, onAsk) {
    this.place = place;
    this.choose = onChoose;
    this.ask = onAsk;
    /** @type {ReadonlySet<string>} */
    this.shapes = new Set();
    /** @type {Drawn} */
    this.drawn = "";
    /** @type {Shape | null} */
    this.pressed = null;
    this.isHeld = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    place.addEventListener("click", (event) => this.#chosen(event));
    place.addEventListener("contextmenu", (event) => this.#asked(event));
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("pointermove", (event) => this.#magnify(event, event.shiftKey));
    place.addEventListener("pointerdown", (event) => this.#press(event));
    place.addEventListener("pointerup", (event) => this.#lifted(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      place.addEventListener(end, () => this.#release());
    document.addEventListener("keyup", (event) => {
      if (event.key === "Shift") this.#release();
    });
    new ResizeObserver(() => this.#lay()).observe(place);
  }
  /**
   * What is under a pointer, or has the focus, stays if it is as it was.
   * @param {Drawn} drawn
   * @param {number} number
   */
  show(drawn, number) {
    this.place.dataset.number = String(number);
    const before = this.drawn;
    if (isSame(before, drawn)) return;
    this.drawn = drawn;
    const focused = this.place.querySelector(":focus")?.id;
    const isLarge = this.place.classList.contains("large");
    if (typeof before !== "string" && typeof drawn !== "string" && before.frame === drawn.frame && !isLarge)
      this.#replaceParts(before, drawn);
    else this.#replaceAll(typeof drawn === "string" ? drawn : svgOf(drawn));
    this.#lay();
    this.shapes = new Set(this.#drawn().map(keyOf));
    if (!focused || this.place.querySelector(":focus")) return;
    /** @type {Shape | null} */
    const again = this.place.querySelector(`#${CSS.escape(focused)}`);
    again?.focus();
  }
  /** @param {string} text */
  #replaceAll(text) {
    const picture = parsed(text);
    for (const name of ["width", "height"]) picture.removeAttribute(name);
    this.place.replaceChildren(picture);
  }
  /**
   * @param {Whole} before
   * @param {Whole} after with the same frame
   */
  #replaceParts(before, after) {
    const names = changedParts(before, after);
    const texts = names.map((name) => filled(after.parts, after.parts[name]));
    const made = parsed(`<svg xmlns="http://www.w3.org/2000/svg">${texts.join("")}</svg>`);
    for (const part of [...made.children])
      this.place.querySelector(`[data-part="${CSS.escape(part.getAttribute("data-part") ?? "")}"]`)?.replaceWith(part);
    const picture = this.#picture;
    if (!picture) return;
    const [, , width] = (picture.dataset.size ?? picture.getAttribute("viewBox") ?? "").split(" ");
    picture.setAttribute("viewBox", `0 0 ${width} ${after.height}`); // as it was before panels were placed
    delete picture.dataset.size;
  }
  // Nothing is to be seen.
  clear() {
    this.place.replaceChildren();
    delete this.place.dataset.number;
    [this.drawn, this.shapes] = ["", new Set()];
  }
  // Whether there is anything to choose on the board: some games have no places.
  get isBare() {
    return this.shapes.size === 0;
  }
  /**
   * Tab stops at what can be chosen, or else at one shape; the arrows go from there to all others.
   * @param {readonly string[]} chosen
   * @param {ReadonlySet<string>} next
   * @param {readonly string[]} [acting]
   */
  mark(chosen, next, acting = []) {
    const shapes = this.#drawn();
    for (const shape of shapes) {
      shape.classList.toggle("chosen", chosen.includes(keyOf(shape)));
      shape.classList.toggle("can", next.has(keyOf(shape)));
      shape.classList.toggle("acting", acting.includes(keyOf(shape)));
    }
    const reachable = shapes.filter((shape) => shape.hasAttribute("tabindex"));
    const isStop = (/** @type {Shape} */ shape) => shape.matches(".can, .chosen");
    const stops = reachable.some(isStop) ? reachable.filter(isStop) : reachable.slice(0, 1);
    for (const shape of reachable) shape.tabIndex = stops.includes(shape) ? 0 : -1;
  }
  /**
   * The whole board, or enlarged around a point of the picture.
   * @param {boolean} isLarge
   * @param {Point} [point]
   */
  enlarge(isLarge, [x, y] = [0.5, 0.5]) {
    this.place.classList.toggle("large", isLarge);
    if (!isLarge) return;
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.place;
    this.place.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2);
  }
  toggleSize() {
    this.enlarge(!this.place.classList.contains("large"));
  }

  /** @returns {Shape[]} */
  #drawn() {
    /** @type {NodeListOf<Shape>} */
    const shapes = this.place.querySelectorAll(SHAPES);
    return [...shapes];
  }
  get #picture() {
    const picture = this.place.firstElementChild;
    return picture instanceof SVGSVGElement ? picture : null;
  }
  #lay() {
    const picture = this.#picture,
      isLarge = this.place.classList.contains("large");
    if (picture && !isLarge) placePanels(picture, this.place);
  }
  /** @param {PointerEvent | MouseEvent} event */
  #chosen(event) {
    if (this.isHeld) {
      this.isHeld = false;
      return;
    } // the end of a long press
    const shape = closest(event, SHAPES);
    const isSmall = window.innerWidth < NARROW || (isTouch(event) && this.#isTooSmall(shape));
    const isOverview = isSmall && !this.place.classList.contains("large");
    if (isOverview && !this.isBare && event.detail > 0) {
      this.enlarge(true, this.#part(event));
      return;
    }
    if (shape) this.choose(keyOf(shape));
  }
  /**
   * A browser tells of no click if the board is drawn anew between its beginning and its end.
   * @param {PointerEvent} event
   */
  #lifted(event) {
    if (!this.pressed || this.pressed.isConnected || this.isHeld) return;
    /** @type {Shape | null | undefined} */
    const shape = document.elementFromPoint(event.clientX, event.clientY)?.closest(SHAPES);
    if (shape && this.place.contains(shape) && keyOf(shape) === keyOf(this.pressed)) this.choose(keyOf(shape));
  }
  /** @param {MouseEvent} event */
  #asked(event) {
    const shape = closest(event, SHAPES);
    if (!shape) return;
    event.preventDefault();
    if (!isTouch(event)) this.ask(keyOf(shape)); // a long press has asked
  }
  /** @param {Shape | null} shape */
  #isTooSmall(shape) {
    const box = shape?.dataset.border === undefined ? shape?.getBoundingClientRect() : undefined;
    return box !== undefined && Math.min(box.width, box.height) < FINGER;
  }
  /** @param {KeyboardEvent} event */
  #key(event) {
    const shape = closest(event, SHAPES);
    if (!shape) return;
    if (event.key === " " || event.key === "Enter") {
      // Enter on a chosen shape confirms, as it does elsewhere on the page.
      if (event.key === "Enter" && shape.classList.contains("chosen")) return;
      this.choose(keyOf(shape));
    } else if (event.key.startsWith("Arrow")) nearest(shape, event.key, this.place)?.focus();
    else if (event.key === "?") this.ask(keyOf(shape));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /**
   * The part of the picture at which a pointer is, from 0 to 1 in both directions.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  #part(event) {
    const box = (this.#picture ?? this.place).getBoundingClientRect();
    return [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height];
  }
  /**
   * @param {PointerEvent} event
   * @param {boolean} isWanted
   */
  #magnify(event, isWanted) {
    const drawn = this.#picture;
    if (!drawn || !isWanted) return;
    if (!this.place.classList.contains("magnified")) {
      const [x, y] = this.#part(event);
      drawn.style.transformOrigin = `${100 * x}% ${100 * y}%`;
      drawn.style.transform = `scale(${TIMES})`;
    }
    this.place.classList.add("magnified");
  }
  /** @param {PointerEvent} event */
  #press(event) {
    const shape = closest(event, SHAPES);
    [this.isHeld, this.pressed] = [false, shape];
    if (event.pointerType !== "touch") return;
    this.timer = setTimeout(() => {
      this.isHeld = true;
      this.#magnify(event, true);
      if (shape) this.ask(keyOf(shape));
    }, LONG_PRESS);
  }
  #release() {
    clearTimeout(this.timer);
    this.place.classList.remove("magnified");
    const drawn = this.#picture;
    if (drawn) drawn.style.transform = "";
  }
}

/**
 * @param {Drawn} one
 * @param {Drawn} other
 */
const isSame = (one, other) =>
  one === other || (typeof one !== "string" && typeof other !== "string" && one.name === other.name);

/**
 * SVG as an element of the page. The style sheet of the page has the rules of the picture; the page's policy allows no
 * other.
 * @param {string} text
 */
function parsed(text) {
  const plain = text.replace(/<style>.*?<\/style>/gs, "");
  return document.importNode(new DOMParser().parseFromString(plain, "image/svg+xml").documentElement, true);
}

// A click is told with its pointer by most browsers, not by all.
const isTouch = (/** @type {MouseEvent} */ event) => "pointerType" in event && event.pointerType === "touch";

/** @type {{ readonly [arrow: string]: Point }} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest shape that lies in the direction of an arrow.
 * @param {Shape} from
 * @param {string} arrow
 * @param {HTMLElement} place
 * @returns {Shape | null}
 */
function nearest(from, arrow, place) {
  const [dx, dy] = DIRECTIONS[arrow];
  const middle = (/** @type {Shape} */ shape) => {
    const box = shape.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  /** @type {NodeListOf<Shape>} */
  const shapes = place.querySelectorAll("[tabindex]");
  /** @type {Shape | null} */
  let found = null;
  let least = Infinity;
  for (const shape of shapes) {
    const [left, top] = middle(shape);
    const along = (left - x) * dx + (top - y) * dy,
      aside = Math.abs((left - x) * dy) + Math.abs((top - y) * dx);
    if (shape !== from && along > 1 && along + 2 * aside < least) [found, least] = [shape, along + 2 * aside];
  }
  return found;
}
