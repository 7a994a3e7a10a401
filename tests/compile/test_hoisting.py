"""What a loop would compute for each member alike is computed once, and means the same."""

import ast

import pytest

import hots_rules as hr
from hots_rules.compile.codegen.hoisting import MAX_SOURCE, hoist


def hoisted(text: str, *bound: str, is_certain: bool = False) -> tuple[str, dict[str, str]]:
    parts: dict[str, str] = {}
    whole = hoist(
        text, bound, lambda part: parts.setdefault(part, f"h{len(parts)}"), is_certain=is_certain
    )
    return whole, parts


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("S[5 + s] & S[9 + a]", "(h0 & S[9 + a])", ["S[5 + s]"]),
        ("S[9 + a] & (m & S[5]) & ~7", "(h0 & S[9 + a])", ["m & S[5] & ~7"]),
        ("40 + a + s * 3", "(h0 + a)", ["40 + s * 3"]),
        ("not S[a] or S[3]", "(not S[a] or h0)", ["S[3]"]),
        ("S[2].bit_count() < a", "(h0 < a)", ["S[2].bit_count()"]),
        ("S[a].bit_count() < 4", "(S[a].bit_count() < 4)", []),
        ("4 & ~1 & a", "(4 & ~1 & a)", []),
    ],
)
def test_the_largest_parts_without_the_member_are_computed_before(
    text: str, whole: str, parts: list[str]
) -> None:
    found, named = hoisted(text, "a")
    assert found == whole
    assert list(named) == parts


def test_a_call_goes_before_the_loop_only_where_each_member_needs_it() -> None:
    text = "few(S) == S[a] and many(S)"
    assert hoisted(text, "a") == ("(few(S) == S[a] and many(S))", {})
    whole, parts = hoisted(text, "a", is_certain=True)
    assert whole == "(h0 == S[a] and many(S))"
    assert list(parts) == ["few(S)"]
    assert hoisted("few(S) if a else many(S)", "a", is_certain=True)[1] == {}


def test_what_is_long_or_deep_stays_as_it_is() -> None:
    long = "S[3] + a" + " + a" * MAX_SOURCE
    deep = "(" * 150 + "S[3] | a" + " | a)" * 150
    assert hoisted(long, "a") == (long, {})
    assert ast.unparse(ast.parse(hoisted(deep, "a")[0])).count("a") == 151


def test_a_generated_module_loops_in_functions_of_their_own() -> None:
    rules = hr.load("hots-4.0")
    machine = rules.machine(rules.chosen({}, {}))
    module = ast.parse(machine.source)
    comprehensions = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    assert not any(isinstance(node, comprehensions) for node in ast.walk(module))
    names = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
    assert len(names) == len(set(names))
    assert {"members", "some", "max"} <= {name.partition("_")[0] for name in names}


def test_a_set_of_what_is_in_some_of_many_sets_is_their_union() -> None:
    rules = hr.load("hots-2.3")
    source = rules.machine(rules.chosen({}, {})).source
    assert "def union_" in source
