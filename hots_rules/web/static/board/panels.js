// @ts-check
// The panels of a picture stand beside the map where the window has room for them there, and else below it: as large as
// fits. The service draws them below, each as a group of its own.

/** @typedef {{ shape: SVGElement, width: number, height: number }} Panel */
const GAP = 12; // units of the picture
const LARGEST = 1.6; // times the size in which a panel is drawn
const READABLE = 1.25; // pixels for each unit of a panel, with which its words are as large as those of the page
const LEAST = 0.45; // of the width of the map, which the panels beside it have

/**
 * @param {SVGSVGElement} picture
 * @param {HTMLElement} place
 */
export function placePanels(picture, place) {
  /** @type {SVGElement | null} */
  const below = picture.querySelector(":scope > .below"),
    ground = below?.firstElementChild;
  if (!below || !ground) return;
  const top = Number(below.dataset.top);
  /** @type {NodeListOf<SVGElement>} */
  const shapes = below.querySelectorAll(":scope > .panel");
  const panels = [...shapes].map(measured);
  const most = parseFloat(getComputedStyle(picture).maxHeight); // pixels
  if (!top || panels.length === 0 || !(most > 0)) return;
  picture.dataset.size ??= picture.getAttribute("viewBox") ?? "";
  const [, , width] = picture.dataset.size.split(" ").map(Number);
  const large = largest(place.clientWidth / width);
  const whole = heightOf(panels, width - 2 * GAP, large) + top;
  const scale = Math.min(most / top, place.clientWidth / (width * (1 + LEAST))); // with the panels beside the map
  const isBeside = scale > Math.min(most / whole, place.clientWidth / width);
  const room = isBeside ? Math.min(place.clientWidth / scale - width, width) : width - GAP;
  const times = isBeside ? largest(scale) : large;
  const shrunk = isBeside ? Math.min(top / heightOf(panels, room - GAP, times), 1) : 1;
  let y = isBeside ? GAP * shrunk : top + GAP;
  for (const panel of panels) {
    const drawn = timesOf(panel, room - GAP, times) * shrunk;
    panel.shape.setAttribute("transform", `translate(${isBeside ? width + GAP / 2 : GAP} ${y}) scale(${drawn})`);
    y += panel.height * drawn + GAP * shrunk;
  }
  const box = isBeside ? [width, 0, room, top] : [0, top, width, whole - top];
  ["x", "y", "width", "height"].forEach((name, i) => ground.setAttribute(name, String(box[i])));
  picture.setAttribute("viewBox", isBeside ? `0 0 ${width + room} ${top}` : `0 0 ${width} ${whole}`);
}

/** @param {number} scale */
const largest = (scale) => Math.min(Math.max(READABLE / scale, 1), LARGEST);
/**
 * @param {Panel} panel
 * @param {number} room
 * @param {number} most
 */
const timesOf = (panel, room, most) => Math.min(room / panel.width, most);
/**
 * @param {readonly Panel[]} panels
 * @param {number} room
 * @param {number} most
 */
const heightOf = (panels, room, most) =>
  panels.reduce((sum, panel) => sum + panel.height * timesOf(panel, room, most) + GAP, GAP);

/**
 * @param {SVGElement} shape
 * @returns {Panel}
 */
function measured(shape) {
  const frame = shape.querySelector(":scope > rect");
  const size = (/** @type {string} */ name) => Number(frame?.getAttribute(name));
  return { shape, width: size("width"), height: size("height") };
}
