// Elements made from words; every text is a text node, so that no name and no answer is read as HTML.
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// The same place, which the keyboard reaches as long as there is something in it: it may scroll.
export function reached(place) {
  const change = () => {
    place.tabIndex = place.textContent ? 0 : -1;
  };
  new MutationObserver(change).observe(place, { childList: true, subtree: true, characterData: true });
  change();
  return place;
}
