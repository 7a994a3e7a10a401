"""Two wheels hold the same files; one is built from the tree, the other from the sdist."""

import sys
from zipfile import ZipFile

# The record of a wheel names every file with its hash.
tree, sdist = (
    {info.filename: info.CRC for info in ZipFile(path).infolist()} for path in sys.argv[1:]
)
differ = sorted(name for name in tree.keys() | sdist.keys() if tree.get(name) != sdist.get(name))
if differ:
    sys.exit(
        "expected the same wheel from the tree and from the sdist, got others of\n  "
        + "\n  ".join(differ)
    )
data = [name for name in tree if name.startswith("hots_rules/_data/")]
print(f"{len(tree)} files, {len(data)} of them grammar and rulesets")
