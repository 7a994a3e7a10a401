"""Writes the schemas and the types of TypeScript anew, after a change of what is sent."""

from pathlib import Path

from hots_rules.formats.shipped import made

if __name__ == "__main__":
    folder = Path(__file__).parent / "schemas"
    folder.mkdir(exist_ok=True)
    for file, text in made().items():
        (folder / file).write_text(text, encoding="utf-8")
        print(file)
