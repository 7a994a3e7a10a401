// The board as the table draws it for this seat, with shapes that can be chosen.
const SHAPES = "[data-block], [data-area], [data-border]";
const keyOf = (shape) => shape.dataset.block ?? shape.dataset.area ?? shape.dataset.border;

export class Board {
  constructor(place, onChoose) {
    this.place = place;
    this.choose = onChoose;
    place.addEventListener("click", (event) => this.#chosen(event));
    place.addEventListener("keydown", (event) => this.#key(event));
  }
  show(text, number) {
    this.place.dataset.number = number;
    const focused = this.place.querySelector(":focus")?.id;
    // The style sheet of the page has the rules of the picture; the page's policy allows no other.
    const plain = text.replace(/<style>.*?<\/style>/gs, "");
    const drawn = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
    for (const name of ["width", "height"]) drawn.removeAttribute(name);
    this.place.replaceChildren(document.importNode(drawn, true));
    if (focused) this.place.querySelector(`#${CSS.escape(focused)}`)?.focus();
  }
  mark(chosen, next) {
    for (const shape of this.place.querySelectorAll(SHAPES)) {
      shape.classList.toggle("chosen", chosen.includes(keyOf(shape)));
      shape.classList.toggle("can", next.has(keyOf(shape)));
    }
  }
  #chosen(event) {
    const shape = event.target.closest(SHAPES);
    if (shape) this.choose(keyOf(shape));
  }
  #key(event) {
    if (event.key === " " || event.key === "Enter") {
      const shape = event.target.closest(SHAPES);
      // Enter on a chosen shape confirms, as it does elsewhere on the page.
      if (!shape || (event.key === "Enter" && shape.classList.contains("chosen"))) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(keyOf(shape));
    } else if (event.key.startsWith("Arrow") && event.target.closest(SHAPES)) {
      event.preventDefault();
      nearest(event.target.closest(SHAPES), event.key, this.place)?.focus();
    }
  }
}

// The nearest shape that lies in the direction of an arrow.
function nearest(from, arrow, place) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[arrow];
  const middle = (shape) => { const box = shape.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from);
  let found = null, least = Infinity;
  for (const shape of place.querySelectorAll("[tabindex]")) {
    const [left, top] = middle(shape);
    const along = (left - x) * dx + (top - y) * dy, aside = Math.abs((left - x) * dy) + Math.abs((top - y) * dx);
    if (shape !== from && along > 1 && along + 2 * aside < least) [found, least] = [shape, along + 2 * aside];
  }
  return found;
}
