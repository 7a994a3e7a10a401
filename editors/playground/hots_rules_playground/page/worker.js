// The library, whole, in a worker: it answers one request after the other.
import { loadPyodide } from "./vendor/pyodide/pyodide.mjs";

const LIBRARY = "/library"; // in the file system of this worker alone
const here = (path) => new URL(path, import.meta.url).href;

async function begin() {
  const [python, packed] = await Promise.all([
    loadPyodide({ indexURL: here("vendor/pyodide/"), env: { HOTS_RULES_CACHE: `${LIBRARY}/cache` } }),
    fetch(here("library.zip")).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(packed, "zip", { extractDir: LIBRARY });
  python.runPython(`import sys; sys.path.insert(0, "${LIBRARY}/packages")`);
  return python.pyimport("hots_rules_playground.answers.session").Session();
}

const session = begin();
session.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ answer: (await session).answer(data) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
