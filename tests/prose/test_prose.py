"""The check of the English finds what rules.yml names, in every kind of text."""

from pathlib import Path

import pytest
from tests.prose import lint
from tests.prose.texts import Kind, Text, texts_of

RULES = lint.load_rules()


def rules_broken(words: str, kind: Kind = "prose") -> set[str]:
    """Return the names of the rules that one text breaks."""
    return {found.rule for found in lint.check(lint.ROOT / "x.md", Text(1, kind, words), RULES)}


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Terms", "The leaf is told a default route."),
        ("Terms", "Ports that are gone stay shut."),
        ("Archaic", "It sends nothing but the default route."),
        ("Archaic", "Nobody reads the file."),
        ("NounClause", "What a platform cannot do is an error."),
        ("Riddle", "The file lists all of them."),
        ("Length", " ".join(["word"] * 31) + "."),
        ("Colons", "First: a leaf; then: a spine."),
    ],
)
def test_a_rule_finds_its_example(rule: str, words: str) -> None:
    assert rule in rules_broken(words)


@pytest.mark.parametrize(
    "words",
    [
        "fabricgen checks all independent parts after an invalid value.",
        "What is a rail?",
        "The route marks packets of the class.",
        "A standby supervisor takes over.",
        " ".join(["word"] * 30) + ".",
        "The session advertises two prefixes: the default route and the loopback.",
    ],
)
def test_plain_english_breaks_no_rule(words: str) -> None:
    assert rules_broken(words) == set()


def test_a_heading_is_a_noun_phrase() -> None:
    assert rules_broken("What it costs", "heading") == {"Heading"}
    assert rules_broken("Performance", "heading") == set()


def test_a_comment_is_checked_for_its_words_alone() -> None:
    assert rules_broken("What follows is long: a; b; c", "comment") == {"Riddle"}


def test_markdown_is_read_without_code_and_links(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading\n\nOne `told` line\nof [two](told.md).\n\n```\ntold\n```\n\n- item one\n"
        "- item two\n\n| a cell | b |\n|--|--|\n<!-- told -->\n"
    )
    assert [(text.line, text.kind, text.words) for text in texts_of(page) if text.words] == [
        (1, "heading", "A heading"),
        (3, "prose", "One `code` line of two."),
        (10, "prose", "item one"),
        (11, "prose", "item two"),
        (13, "prose", "a cell"),
        (13, "prose", "b"),
        (14, "prose", "--"),
        (14, "prose", "--"),
    ]


def test_python_gives_docstrings_messages_and_comments(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Module text."""\n# One comment\n# of two lines.\nX = "short"\n'
        'def f(name):\n    """Function text."""\n'
        '    return f"{name} is no name of a switch"  # noqa: X\n'
    )
    assert sorted((text.line, text.kind, text.words) for text in texts_of(module)) == [
        (1, "prose", "Module text."),
        (2, "comment", "One comment of two lines."),
        (6, "prose", "Function text."),
        (7, "prose", "value is no name of a switch"),
    ]


def test_a_folder_over_its_ceiling_is_a_problem_and_so_is_a_loose_ceiling() -> None:
    finding = lint.Finding(lint.ROOT / "docs/x.md", 1, "Terms", "error", "told", "")
    assert list(lint.problems([finding], {("docs", "error"): 1})) == []
    assert "the ceiling is 0" in next(lint.problems([finding], {}))
    assert "lower the ceiling" in next(lint.problems([finding], {("docs", "error"): 2}))
