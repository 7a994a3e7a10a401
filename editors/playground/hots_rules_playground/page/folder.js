// A folder of the reader's computer: read from its files or from a zip, and given back as a zip.
import { NAME } from "./names.js";
import { make } from "./table/dom.js";
import { strFromU8, strToU8, unzipSync, zipSync } from "./vendor/codemirror.js";

const MOST = 2_000_000; // bytes of all files, as the library has it
const KINDS = /\.(rules|md|csv|txt|json|toml|ini)$/;

// The texts of chosen files by name, without the folder that all are in.
export async function openFiles(chosen) {
  const found = {};
  for (const file of chosen) {
    if (file.name.endsWith(".zip")) Object.assign(found, unzipped(new Uint8Array(await file.arrayBuffer())));
    else if (isWanted(file.webkitRelativePath || file.name, file.size)) found[file.webkitRelativePath || file.name] = await file.text();
  }
  const texts = withoutTop(found);
  if (!Object.keys(texts).some((name) => name.endsWith(".rules"))) throw new Error("No file with rules is there: their names end with `.rules`.");
  if (Object.values(texts).reduce((sum, text) => sum + text.length, 0) > MOST) throw new Error("The folder is too large: at most 2 MB of rules.");
  return texts;
}

const isWanted = (name, size) => KINDS.test(name) && size <= MOST && !name.split("/").some((part) => part.startsWith("."));

function unzipped(bytes) {
  let total = 0;
  const filter = ({ name, originalSize }) => isWanted(name, originalSize) && (total += originalSize) <= MOST;
  return Object.fromEntries(Object.entries(unzipSync(bytes, { filter })).map(([name, content]) => [name, strFromU8(content)]));
}

function withoutTop(texts) {
  const tops = new Set(Object.keys(texts).map((name) => name.includes("/") ? name.slice(0, name.indexOf("/") + 1) : ""));
  const top = tops.size === 1 ? [...tops][0] : "";
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name.slice(top.length), text]).filter(([name]) => NAME.test(name)).sort());
}

export function exportFolder(texts) {
  const zip = zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])));
  const address = URL.createObjectURL(new Blob([zip], { type: "application/zip" }));
  make("a", { href: address, download: "rules.zip" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
