// @ts-check
// Elements made from words; every text is a text node, so that no name and no answer is read as HTML.

/**
 * @typedef {{ take(event: Event): void }["take"]} Listener
 * @typedef {{ [name: string]: string | number | boolean | null | Listener }} Properties attributes, and listeners by
 *   `on` and the name of the event
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * The same place, which the keyboard reaches as long as there is something in it: it may scroll.
 * @template {HTMLElement} Place
 * @param {Place} place
 */
export function reached(place) {
  const change = () => {
    place.tabIndex = place.textContent ? 0 : -1;
  };
  new MutationObserver(change).observe(place, { childList: true, subtree: true, characterData: true });
  change();
  return place;
}

/**
 * A part of the page that always stands there.
 * @param {string} id
 */
export function part(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
}

/**
 * The nearest element from that of an event outwards that a selector names.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | SVGElement | null}
 */
export const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);
