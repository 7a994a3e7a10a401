// What the page takes of CodeMirror and of fflate; the build makes one file of it.
export { basicSetup } from "codemirror";
export { autocompletion } from "@codemirror/autocomplete";
export { indentWithTab } from "@codemirror/commands";
export { HighlightStyle, StreamLanguage, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, hoverTooltip, keymap } from "@codemirror/view";
export { Tag } from "@lezer/highlight";
export { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
