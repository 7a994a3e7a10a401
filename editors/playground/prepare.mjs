// Compiles the library and its rulesets by the Python of the browser: `node prepare.mjs PACKAGES LIBRARY.zip`.
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [packages, target] = process.argv.slice(2);
const python = await loadPyodide({ env: { HOTS_RULES_CACHE: "/library/cache", PYTHONHASHSEED: "0" } });
python.FS.mkdirTree("/given");
python.mountNodeFS("/given", packages);
python.runPython(readFileSync(new URL("prepare.py", import.meta.url), "utf-8"));
writeFileSync(target, python.FS.readFile("/library.zip"));
