// Runs tests of the library by the Python of the browser: `node core_tests.mjs PACKAGES TEST…`; PACKAGES has pytest.
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const [packages, ...tests] = process.argv.slice(2);
const python = await loadPyodide({ env: { HOME: "/tmp", PYTHONDONTWRITEBYTECODE: "1" } });
for (const [place, folder] of [
  ["/packages", packages],
  ["/tree", fileURLToPath(new URL("../..", import.meta.url))],
]) {
  python.FS.mkdirTree(place);
  python.mountNodeFS(place, folder);
}
python.globals.set("tests", python.toPy(tests));
process.exitCode = python.runPython(`
import os, sys
sys.path[:0] = ["/packages", "/tree"]
os.chdir("/tree")
import pytest
plugins = "--disable-plugin-autoload -p hypothesispytest -p hots_rules.pytest_plugin"  # no xdist
options = f"{plugins} --strict-markers -m 'not nightly'"
int(pytest.main(["-q", "-o", f"addopts={options}", "-p", "no:cacheprovider", *tests]))
`);
