"""The directive `public-api`, which documents what a package exports, and links from names to these entries.

`{public-api} hots_rules.records` documents each name of its `__all__`, in that order. A name that `hots_rules` exports
itself is documented there only; the other page links to it. `:only: errors` and `:except: errors` select.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

FRONT = "hots_rules"
# Classes that a caller constructs: only these show the parameters of their constructor.
CONSTRUCTED = ("Best", "GameLog", "Journal", "MonteCarloBot", "RandomBot", "Settler")
API = "reference/api/"
# Methods of the engine, which other packages call and programs do not.
INTERNAL = {
    "Game": {
        *(
            "after",
            "chance_seed",
            "initial_slots",
            "is_chance",
            "legal_code_set",
            "machine",
            "memo",
        ),
        *(
            "moment_reason",
            "notation",
            "outcome_actions",
            "point",
            "point_facts",
            "ruleset",
            "slots",
        ),
        "reasons_against",
    },
    "Ruleset": {
        *("chosen", "compiled_source", "labels", "linked_rules", "machine", "notation", "schema"),
        *("rulebook", "settings", "source"),
    },
}
# How the pages call an object of a class; every other class is called by its name in small letters.
VARIABLES = {"hr": FRONT, "rules": f"{FRONT}.Ruleset"}
NAME = re.compile(r"([A-Za-z]\w*(?:\.\w+)*)(\(.*\))?", re.DOTALL)


def exported(module: str) -> dict[str, Any]:
    """The public names of a module with their objects, submodules left out."""
    package = import_module(module)
    found = {name: getattr(package, name) for name in getattr(package, "__all__", ())}
    return {name: value for name, value in found.items() if not inspect.ismodule(value)}


def is_error(value: object) -> bool:
    """Whether a public object is an exception or a warning."""
    return isinstance(value, type) and issubclass(value, BaseException)


def entry(module: str, name: str, value: object) -> Iterator[str]:
    """The lines of reStructuredText that document one object."""
    kind = "exception" if is_error(value) else "class" if isinstance(value, type) else "function"
    if not callable(value):
        kind = "data"
    signature = "()" if isinstance(value, type) and name not in CONSTRUCTED else ""
    yield f".. auto{kind}:: {module}.{name}{signature}"
    if name in INTERNAL and isinstance(value, type):
        yield ""
        for member, member_kind in methods(value).items():
            yield f"   .. auto{member_kind}:: {module}.{name}.{member}"
    elif isinstance(value, type):
        yield "   :members:"
        yield "   :exclude-members: __init__, __new__"
        if "Attributes:" not in (value.__doc__ or ""):
            yield "   :undoc-members:"
    yield ""


def methods(value: type) -> dict[str, str]:
    """The methods and properties of a class and its bases, as their source orders them, with their kind."""
    found = {}
    for base in reversed(value.__mro__[:-1]):
        for name, member in vars(base).items():
            is_public = not name.startswith("_") and name not in INTERNAL[value.__name__]
            if is_public and isinstance(member, property | cached_property):
                found[name] = "property"
            elif is_public and inspect.isroutine(member):
                found[name] = "method"
    return found


class PublicApi(SphinxDirective):
    """Documents every name that a module exports."""

    required_arguments = 1
    option_spec = {"only": directives.unchanged, "except": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """The entries, and a line of links to what is documented with the front package."""
        module = self.arguments[0]
        front = exported(FRONT) if module != FRONT else {}
        names = exported(module)
        if "only" in self.options:
            names = {name: value for name, value in names.items() if is_error(value)}
        if "except" in self.options:
            names = {name: value for name, value in names.items() if not is_error(value)}
        elsewhere = [name for name, value in names.items() if front.get(name) is value]
        own = {name: value for name, value in names.items() if name not in elsewhere}
        lines = [line for name, value in own.items() for line in entry(module, name, value)]
        text = "\n".join(["`````{eval-rst}", *lines, "`````"]) if lines else ""
        if elsewhere:
            text += f"\n\nAlso exported here: {', '.join(f'`hr.{name}`' for name in elsewhere)}.\n"
        return self.parse_text_to_nodes(text)


def without_constructor(
    _app: Sphinx,
    what: str,
    name: str,
    _value: object,
    _options: object,
    signature: str,
    returns: str,
) -> tuple[str, str] | None:
    """A class that callers do not construct shows no parameters."""
    return ("", "") if what in {"class", "exception"} and signature == "()" else None


def keep_first_line(
    _app: Sphinx, what: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    """Keeps napoleon from reading `Who is to move: one player, …` as a type and a text."""
    if what in {"attribute", "property"}:
        lines.insert(0, "")


def shorten_types(
    _app: Sphinx, _what: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    """Types of attributes without their modules, as in signatures."""
    lines[:] = [
        re.sub(r"\b\w+(?:\.\w+)*\.(\w+)", r"\1", line) if ":type: " in line else line
        for line in lines
    ]


def by_last_part(env: BuildEnvironment) -> dict[str, str]:
    """The full name of each documented class and function, by its last part."""
    objects = env.get_domain("py").objects  # type: ignore[attr-defined]
    return {
        name.rpartition(".")[2]: name
        for name, one in objects.items()
        if one.objtype in {"class", "exception", "function", "data"} and one.docname.startswith(API)
    }


def link_types(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.reference | None:
    """A type in a signature is linked under its public name, wherever its module lies."""
    if node.get("refdomain") != "py":
        return None
    name = by_last_part(env).get(node["reftarget"].rpartition(".")[2])
    return linked(app, env, node["refdoc"], name, content) if name else None


def linked(
    app: Sphinx, env: BuildEnvironment, page: str, name: str, content: nodes.Element
) -> nodes.reference:
    """A link from a page to a documented name."""
    target = env.get_domain("py").objects[name]  # type: ignore[attr-defined]
    return make_refnode(app.builder, page, target.docname, target.node_id, content, name)


class LinkNames(SphinxPostTransform):
    """Code in a sentence that names something public, such as `hr.load` or `game.why_not(text)`, becomes a link."""

    default_priority = 400

    def run(self, **_: Any) -> None:
        """Replaces the literals of one page."""
        objects = self.env.get_domain("py").objects  # type: ignore[attr-defined]
        last = by_last_part(self.env)
        owners = {
            name.lower(): full for name, full in last.items() if name[0].isupper()
        } | VARIABLES
        for node in list(self.document.findall(nodes.literal)):
            name = self.full_name(node.astext(), owners, last)
            if name in objects and not self.is_linked(node):
                link = linked(self.app, self.env, self.env.docname, name, node.deepcopy())
                node.replace_self(link)

    def full_name(self, text: str, owners: dict[str, str], last: dict[str, str]) -> str:
        """What a literal names, or an empty text."""
        found = NAME.fullmatch(text)
        if found is None:
            return ""
        owner, _, rest = found[1].partition(".")
        if rest and owner in owners:
            name = f"{owners[owner]}.{rest}"
            return last.get(rest.rpartition(".")[2], name) if owner == "hr" else name
        if not self.env.docname.startswith(API) or not (owner[0].isupper() or found[2]):
            return ""
        return ".".join(filter(None, (last.get(owner, ""), rest)))

    @staticmethod
    def is_linked(node: nodes.Element) -> bool:
        """Whether a literal stands in a link or in a heading."""
        above: nodes.Element | None = node.parent
        while above is not None:
            if isinstance(above, nodes.reference | nodes.title):
                return True
            above = above.parent
        return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Adds the directive and the links."""
    app.add_directive("public-api", PublicApi)
    app.add_post_transform(LinkNames)
    app.connect("autodoc-process-docstring", keep_first_line, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", shorten_types, priority=600)  # after napoleon
    app.connect("autodoc-process-signature", without_constructor)
    app.connect("missing-reference", link_types)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
