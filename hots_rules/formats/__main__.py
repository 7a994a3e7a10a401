"""Write the schemas and the TypeScript types anew, after a change of a format."""

from pathlib import Path

from hots_rules.formats.json_schema import make_files

if __name__ == "__main__":
    folder = Path(__file__).parent / "schemas"
    folder.mkdir(exist_ok=True)
    for name, text in make_files().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        print(name)
