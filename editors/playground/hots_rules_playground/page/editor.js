// The text of a file: colours, faults in their places, completion and hovers, all from the library.
import { rulesLanguage, STYLE } from "./colours.js";
import { showMarkdown } from "./markdown.js";
import {
  Decoration,
  EditorState,
  EditorView,
  StateEffect,
  StateField,
  autocompletion,
  basicSetup,
  hoverTooltip,
  indentUnit,
  indentWithTab,
  keymap,
  lintGutter,
  setDiagnostics,
  syntaxHighlighting,
} from "./vendor/codemirror.js";

const coloured = StateEffect.define();
const names = StateField.define({
  create: () => Decoration.none,
  update: (marks, transaction) =>
    transaction.effects.find((each) => each.is(coloured))?.value ?? marks.map(transaction.changes),
  provide: (field) => EditorView.decorations.from(field),
});
// What the library names, as the colours of the style sheet.
const COLOURS = {
  type: "type",
  table: "type",
  product: "type",
  value: "value",
  variable: "variable",
  local: "variable",
  column: "variable",
  define: "function",
  action: "function",
  event: "function",
  phase: "function",
  stage: "function",
  rule: "function",
};
const KINDS = {
  define: "function",
  action: "function",
  event: "function",
  phase: "function",
  stage: "function",
  rule: "method",
  type: "type",
  table: "class",
  product: "class",
  value: "enum",
  variable: "variable",
  local: "variable",
  column: "property",
  section: "text",
  keyword: "keyword",
};
const NAME_COLOURS = Object.fromEntries(
  [...new Set(Object.values(COLOURS))].map((name) => [
    `.name-${name}, .name-${name} span`,
    { color: `var(--code-${name})` },
  ]),
);
const THEME = EditorView.theme(
  {
    "&": { height: "100%", fontSize: ".9rem", color: "var(--ink)", backgroundColor: "var(--paper)" },
    ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", overflow: "auto" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": { backgroundColor: "var(--soft)", color: "var(--faint)", borderColor: "var(--line)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selected) !important" },
    ".cm-tooltip, .cm-panels": {
      backgroundColor: "var(--soft)",
      color: "var(--ink)",
      borderColor: "var(--line)",
      maxWidth: "min(40rem, 90vw)",
    },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--ink)" },
    ".hover": { padding: ".4rem .6rem", maxHeight: "16rem", overflow: "auto" },
    ".hover p": { margin: "0 0 .4rem" },
    ".hover pre": { margin: "0", overflow: "auto", fontSize: ".85rem" },
    ".cm-diagnosticAction": { backgroundColor: "var(--mine)", color: "var(--paper)" },
    ...NAME_COLOURS,
  },
  { dark: matchMedia("(prefers-color-scheme: dark)").matches },
);

export class Editor {
  // Tells of changes; `library` completes and explains; `table` has the colours of words.
  constructor(place, table, library, onChange) {
    Object.assign(this, { library, onChange, states: new Map(), name: "" });
    this.language = rulesLanguage(table);
    const root = place.attachShadow({ mode: "open" }); // the styles of the editor stay in it
    this.view = new EditorView({ parent: root, root, state: this.#begin("", "") });
  }
  // Shows a file; what was typed in another one is kept with its history.
  show(name, text) {
    if (this.name) this.states.set(this.name, this.view.state);
    this.name = name;
    const known = this.states.get(name);
    this.view.setState(known && known.doc.toString() === text ? known : this.#begin(name, text));
  }
  forget() {
    this.states.clear();
    this.name = "";
  }
  focus() {
    this.view.focus();
  }
  get text() {
    return this.view.state.doc.toString();
  }
  get cursor() {
    return this.view.state.selection.main.head;
  }

  // The faults of the shown file, if its text is still the one that was checked.
  showFaults(faults, text) {
    if (text !== this.text) return;
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        faults.map((fault) => this.#diagnostic(fault)),
      ),
    );
  }
  showNames(ranges, text) {
    if (text !== this.text) return;
    const marks = ranges
      .filter(([from, to, kind]) => to > from && COLOURS[kind])
      .map(([from, to, kind]) => Decoration.mark({ class: `name-${COLOURS[kind]}` }).range(from, to));
    this.view.dispatch({ effects: coloured.of(Decoration.set(marks, true)) });
  }
  // Puts a text at the end, and the cursor into it.
  append(text) {
    const { doc } = this.view.state;
    const before = doc.length === 0 || doc.toString().endsWith("\n") ? "" : "\n";
    const insert = `${before}\n${text}\n`;
    this.view.dispatch({
      changes: { from: doc.length, insert },
      selection: { anchor: doc.length + before.length + 1 },
      scrollIntoView: true,
    });
    this.focus();
  }
  // Another text in place of the whole; what is the same stays, and the cursor with it.
  replace(text) {
    const old = this.text;
    if (text === old) return;
    let [start, end] = [0, 0];
    while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
    while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
    this.view.dispatch({
      changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
    });
  }
  apply({ changes }) {
    this.view.dispatch({ changes });
  }
  go(offset) {
    this.view.dispatch({ selection: { anchor: Math.min(offset, this.view.state.doc.length) }, scrollIntoView: true });
    this.focus();
  }

  #begin(name, doc) {
    const isRules = name.endsWith(".rules");
    return EditorState.create({
      doc,
      extensions: [
        basicSetup,
        keymap.of([indentWithTab]),
        indentUnit.of("  "),
        EditorState.tabSize.of(2),
        EditorView.lineWrapping,
        lintGutter(),
        THEME,
        names,
        EditorView.contentAttributes.of({ "aria-label": name || "text", tabindex: "0" }),
        ...(isRules ? [this.language, syntaxHighlighting(STYLE)] : []),
        autocompletion({ override: [(context) => this.#complete(context)] }),
        hoverTooltip((view, position) => this.#hover(position)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.onChange(this.name, this.text);
        }),
      ],
    });
  }
  #diagnostic(fault) {
    const length = this.view.state.doc.length;
    return {
      from: Math.min(fault.from, length),
      to: Math.min(fault.to, length),
      severity: "error",
      source: fault.code,
      message: fault.help ? `${fault.headline}\n${fault.help}` : fault.headline,
      actions: fault.fixes.map((fix) => ({ name: fix.title, apply: () => this.apply(fix) })),
    };
  }
  async #complete(context) {
    const word = context.matchBefore(/[\w.§-]*/);
    if (!context.explicit && word.from === word.to) return null;
    const found = await this.library
      .askLatest("complete", { name: this.name, text: this.text, offset: context.pos })
      .catch(() => null);
    if (!found || context.aborted) return null;
    return {
      from: word.from,
      options: found.map((each) => ({ ...each, type: KINDS[each.type] })),
      validFor: /^[\w.§-]*$/,
    };
  }
  async #hover(position) {
    const found = await this.library.askLatest("hover", { name: this.name, offset: position }).catch(() => null);
    if (!found) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "hover";
      showMarkdown(dom, found.text);
      return { dom };
    };
    return { pos: found.from, end: found.to, create };
  }
}
