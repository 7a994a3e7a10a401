// The little of Markdown that the library writes: headings, bold, code, and blocks of code. All text is text.
import { make } from "./table/parts/dom.js";

export function showMarkdown(place, text) {
  place.replaceChildren(...text.split(/^(```.*\n[\s\S]*?^```)/m).flatMap(block));
}

function block(text) {
  const code = /^```.*\n([\s\S]*?)\n?```$/.exec(text.trim());
  if (code) return [make("pre", { tabindex: "0" }, code[1])];
  return text
    .split(/\n\s*\n/)
    .filter((each) => each.trim())
    .map((each) => {
      const heading = /^#+\s+(.*)/.exec(each.trim());
      return heading ? make("h3", {}, ...inline(heading[1])) : make("p", {}, ...inline(each.trim()));
    });
}

function inline(text) {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("**") && part.endsWith("**") && part.length > 4) return make("strong", {}, part.slice(2, -2));
      if (part.startsWith("`") && part.endsWith("`") && part.length > 2) return make("code", {}, part.slice(1, -1));
      return part;
    });
}
