// The colours of words before anything is parsed, by the table of the library.
import { HighlightStyle, StreamLanguage, Tag } from "./vendor/codemirror.js";

const KINDS = [
  "comment",
  "declaration",
  "keyword",
  "constant",
  "ruleset",
  "declared",
  "called",
  "name",
  "text",
  "section",
  "number",
  "operator",
  "bracket",
];
const TAGS = Object.fromEntries(KINDS.map((kind) => [kind, Tag.define(kind)]));
const OPEN_TEXT = /^"[^"]*$/; // a text that has no end in its line
const GOES_ON = /^[ \t]+(?=[^\s"])/; // a line that goes on with it

// The language from the table: patterns with the kinds of their groups.
export function rulesLanguage(table) {
  const patterns = table.map(({ pattern, kinds }) => ({ pattern: new RegExp(pattern, "dmy"), kinds }));
  return StreamLanguage.define({
    startState: () => ({ isText: false, parts: [] }),
    copyState: ({ isText, parts }) => ({ isText, parts: [...parts] }),
    token: (stream, state) => token(patterns, stream, state),
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
    tokenTable: TAGS,
  });
}

function token(patterns, stream, state) {
  if (state.parts.length) return part(stream, state);
  if (stream.sol() && state.isText) {
    state.isText = GOES_ON.test(stream.string);
    if (state.isText) return restOfText(stream, state);
  }
  if (stream.eatSpace()) return null;
  for (const { pattern, kinds } of patterns) {
    pattern.lastIndex = stream.pos;
    const found = pattern.exec(stream.string);
    if (!found || found[0] === "") continue;
    if (kinds.length === 1) {
      stream.pos += found[0].length;
      state.isText = kinds[0] === "text" && OPEN_TEXT.test(found[0]);
      return kinds[0];
    }
    state.parts = kinds.map((kind, i) => [found.indices[i + 1][1], kind]);
    return part(stream, state);
  }
  stream.next();
  return null;
}

// The next group of a pattern with several.
function part(stream, state) {
  const [end, kind] = state.parts.shift();
  stream.pos = end;
  return kind === "blank" ? null : kind;
}

function restOfText(stream, state) {
  const end = stream.string.indexOf('"');
  stream.pos = end < 0 ? stream.string.length : end + 1;
  state.isText = end < 0;
  return "text";
}

const colour = (name) => ({ color: `var(--code-${name})` });
export const STYLE = HighlightStyle.define([
  { tag: TAGS.comment, ...colour("comment"), fontStyle: "italic" },
  ...["declaration", "keyword", "constant"].map((kind) => ({ tag: TAGS[kind], ...colour("keyword") })),
  ...["ruleset", "declared", "called"].map((kind) => ({ tag: TAGS[kind], ...colour("function") })),
  { tag: TAGS.text, ...colour("text") },
  { tag: TAGS.section, ...colour("section") },
  { tag: TAGS.number, ...colour("number") },
]);
