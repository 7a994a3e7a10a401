"""What is shown above declarations in an editor."""

from hots_rules import editing

PATHS = ("/one.rules", "/two.rules", "/three.rules")
TEXTS = (
    'ruleset fox-1.0 "Fox"\nplayers Fur\ntype Fur = Red | Grey\ndefine many = 1\n',
    'ruleset fox-2.0 "Fox"\n  extends fox-1.0\namend define many = 2\n',
    'ruleset fox-3.0 "Fox"\n  extends fox-2.0\namend define many = 3\ndefine\n',
)


def test_an_amendment_differs_from_the_edition_below_though_its_own_is_malformed() -> None:
    space = editing.Workspace()
    for path, text in zip(PATHS, TEXTS, strict=True):
        space.open(path, text)
        space.check(path)

    assert [
        ["differs from fox-1.0: show"] * 2,
        ["differs from fox-2.0: show"] * 2,
    ] == [[lens.text for lens in editing.lenses(space, path)] for path in PATHS[1:]]


def test_a_lens_counts_the_cases_about_a_ruleset() -> None:
    space = editing.Workspace()
    space.open(PATHS[0], TEXTS[0])
    space.open("/cases/one.md", "## A case\n\n```case\nlike: x\n```\n")

    assert ["1 case"] == [lens.text for lens in editing.lenses(space, PATHS[0])]
