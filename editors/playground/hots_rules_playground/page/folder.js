// A folder of the reader's computer: read from its files or from a zip, and given back as a zip; or, where the browser
// can, opened itself and saved in place.
import { NAME } from "./names.js";
import { make } from "./table/parts/dom.js";
import { strFromU8, strToU8, unzipSync, zipSync } from "./vendor/codemirror.js";

const MOST = 2_000_000; // bytes of all files, as the library has it
const MOST_FILES = 2000; // of a folder that is opened
const KINDS = /\.(rules|md|csv|txt|json|toml|ini)$/;

// The texts of chosen files by name, without the folder that all are in.
export async function openFiles(chosen) {
  const found = {};
  for (const file of chosen) {
    if (file.name.endsWith(".zip")) Object.assign(found, unzipped(new Uint8Array(await file.arrayBuffer())));
    else if (isWanted(file.webkitRelativePath || file.name, file.size))
      found[file.webkitRelativePath || file.name] = await file.text();
  }
  return checked(withoutTop(found));
}

function checked(texts) {
  if (!Object.keys(texts).some((name) => name.endsWith(".rules")))
    throw new Error("No file with rules is there: their names end with `.rules`.");
  if (Object.values(texts).reduce((sum, text) => sum + text.length, 0) > MOST)
    throw new Error("The folder is too large: at most 2 MB of rules.");
  return texts;
}

// Whether the browser opens folders themselves: Chromium does, Firefox and Safari do not.
export const opensFolders = () => "showDirectoryPicker" in window;

// A folder that the reader chooses, or null: its texts, and what saves them there.
export async function pickFolder() {
  const place = await window.showDirectoryPicker({ id: "rules" }).catch((error) => {
    if (error.name === "AbortError") return null;
    throw error;
  });
  if (!place) return null;
  const found = {};
  await readInto(found, place, "", { files: MOST_FILES });
  return new Folder(place, checked(named(found)));
}

async function readInto(found, place, prefix, left) {
  for await (const entry of place.values()) {
    const name = prefix + entry.name;
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if ((left.files -= 1) < 0) throw new Error(`The folder is too large: at most ${MOST_FILES} files.`);
    if (entry.kind === "directory") await readInto(found, entry, `${name}/`, left);
    else if (KINDS.test(name)) {
      const file = await entry.getFile();
      if (isWanted(name, file.size)) found[name] = await file.text();
    }
  }
}

class Folder {
  // `texts` are those that are on the disk, as the page knows them.
  constructor(place, texts) {
    Object.assign(this, { place, texts });
  }

  // Writes what has changed, and removes what is no longer there; nothing, if a file was changed elsewhere meanwhile.
  async save(texts) {
    if ((await this.place.requestPermission({ mode: "readwrite" })) !== "granted")
      throw new Error("The browser may not write to the folder. Export saves a zip.");
    const changed = Object.keys(texts).filter((name) => texts[name] !== this.texts[name]);
    const removed = Object.keys(this.texts).filter((name) => !(name in texts));
    for (const name of [...changed, ...removed])
      if ((await this.#onDisk(name)) !== this.texts[name])
        throw new Error(`${name} was changed outside this page since it was opened or saved. Export saves a zip.`);
    for (const name of changed) await this.#write(name, texts[name]);
    for (const name of removed) await (await this.#parent(name)).removeEntry(name.split("/").at(-1));
    this.texts = { ...texts };
    return changed.length + removed.length;
  }
  async #parent(name, create = false) {
    let place = this.place;
    for (const part of name.split("/").slice(0, -1)) place = await place.getDirectoryHandle(part, { create });
    return place;
  }
  // The text of a file; undefined if there is none.
  async #onDisk(name) {
    try {
      const file = await (await this.#parent(name)).getFileHandle(name.split("/").at(-1));
      return await (await file.getFile()).text();
    } catch (error) {
      if (error.name === "NotFoundError") return undefined;
      throw error;
    }
  }
  async #write(name, text) {
    const file = await (await this.#parent(name, true)).getFileHandle(name.split("/").at(-1), { create: true });
    const stream = await file.createWritable();
    await stream.write(text);
    await stream.close();
  }
}

const isWanted = (name, size) =>
  KINDS.test(name) && size <= MOST && !name.split("/").some((part) => part.startsWith("."));

function unzipped(bytes) {
  let total = 0;
  const filter = ({ name, originalSize }) => isWanted(name, originalSize) && (total += originalSize) <= MOST;
  return Object.fromEntries(
    Object.entries(unzipSync(bytes, { filter })).map(([name, content]) => [name, strFromU8(content)]),
  );
}

function withoutTop(texts) {
  const tops = new Set(
    Object.keys(texts).map((name) => (name.includes("/") ? name.slice(0, name.indexOf("/") + 1) : "")),
  );
  const top = tops.size === 1 ? [...tops][0] : "";
  return named(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name.slice(top.length), text])));
}

const named = (texts) =>
  Object.fromEntries(
    Object.entries(texts)
      .filter(([name]) => NAME.test(name))
      .sort(),
  );

export function exportFolder(texts) {
  const zip = zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])));
  const address = URL.createObjectURL(new Blob([zip], { type: "application/zip" }));
  make("a", { href: address, download: "rules.zip" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
