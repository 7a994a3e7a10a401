// Colours the files that are named on standard input, one a line, by a grammar: for each a line of JSON with
// [line, start, end, scope] for each token, in the order of the text.
//
//     node tokens.mjs ../vscode/syntaxes/rules.tmLanguage.json < files.txt
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const onigLib = oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).then(() => ({
  createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text) => new oniguruma.OnigString(text),
}));
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(process.argv[2], "utf8"), "rules.json"),
});
const grammar = await registry.loadGrammar("source.rules");
for (const path of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const found = [];
  let state = textmate.INITIAL;
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((line, number) => {
      const read = grammar.tokenizeLine(line, state);
      state = read.ruleStack;
      for (const { startIndex, endIndex, scopes } of read.tokens) {
        found.push([number, startIndex, Math.min(endIndex, line.length), scopes.at(-1)]);
      }
    });
  console.log(JSON.stringify(found));
}
