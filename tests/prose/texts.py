"""Extract the English of the repository: Markdown, messages, docstrings and comments."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml

Kind = Literal["prose", "heading", "comment"]

# The shortest string of a program that is taken for a sentence, in words.
SENTENCE = 5
STRING = (ast.Constant, ast.JoinedStr)
DIRECTIVE = re.compile(r"#\s*(?:noqa|type:|mypy:|ruff:|!|pragma|fmt:)")
FENCE = re.compile(r"\s*(?:```|~~~)")
GENERATED = re.compile(r"<!-- generated: .*?<!-- end -->", re.DOTALL)
VERDICT = re.compile(r"^  [a-z-]+: (.*(?:\n    .*)*)", re.MULTILINE)
BLOCK = re.compile(r"\s*(?:[-*+]|\d+\.)\s+|\s*>\s?|\s*$")


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, message, docstring or comment and the line where it starts."""

    line: int
    kind: Kind
    words: str


def texts_of(path: Path) -> Iterator[Text]:
    """Yield the texts of a file by its suffix: .md, .py, .yaml or .txt (risk rules).

    Args:
        path: The file. Its suffix selects the reader.

    Raises:
        ValueError: No reader exists for the suffix.

    """
    content = path.read_text()
    match path.suffix:
        case ".md":
            yield from _of_markdown(content)
        case ".py":
            yield from _of_python(content)
        case ".yaml":
            yield from _of_yaml(content)
        case ".txt":
            yield from _of_risk_rules(content)
        case suffix:
            message = f"{path}: no reader for {suffix}"
            raise ValueError(message)


def _of_markdown(content: str) -> Iterator[Text]:
    """Yield paragraphs, list items, table cells and headings outside code."""
    held: list[str] = []
    first = 0
    for number, line in enumerate([*_without_code(content), ""], 1):
        starts = BLOCK.match(line)
        if held and (starts or line.lstrip().startswith(("#", "|"))):
            yield Text(first, "prose", _plain(" ".join(held)))
            held = []
        if line.startswith("#"):
            yield Text(number, "heading", _plain(line.lstrip("# ")))
        elif line.lstrip().startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)
            yield from (Text(number, "prose", _plain(cell.strip())) for cell in cells)
        elif line.strip():
            first = first if held else number
            held.append(line[starts.end() :] if starts else line.strip())


def _without_code(content: str) -> Iterator[str]:
    """Yield each line; a line of fenced code, of a comment or of a generated part is empty."""
    fenced = False
    content = GENERATED.sub(lambda found: "\n" * found[0].count("\n"), content)
    comments = re.compile(r"<!--.*?-->", re.DOTALL)
    for line in comments.sub(lambda found: "\n" * found[0].count("\n"), content).splitlines():
        fence = bool(FENCE.match(line))
        yield "" if fence or fenced else line
        fenced = fenced != fence


def _plain(words: str) -> str:
    """Replace code spans by one word and links by their text."""
    words = re.sub(r"(`+).+?\1", "`code`", words)
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return re.sub(r"[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?=\W|$)", "", words)


def _of_yaml(content: str) -> Iterator[Text]:
    """Yield the comments of a YAML file, and its strings that are long enough to be sentences."""
    for number, line in enumerate(content.splitlines(), 1):
        if found := re.search(r"(?:^|\s)#\s+(.+)", line):
            yield Text(number, "comment", _plain(found[1]))
    for node in _scalars(yaml.compose(content, Loader=yaml.SafeLoader)):
        if len(node.value.split()) >= SENTENCE:
            yield Text(node.start_mark.line + 1, "prose", node.value)


def _of_risk_rules(content: str) -> Iterator[Text]:
    """Yield the reason of each rule of a risk.txt."""
    for found in VERDICT.finditer(content):
        line = content.count("\n", 0, found.start()) + 1
        yield Text(line, "prose", _plain(" ".join(found[1].split())))


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _scalars(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _scalars(value)


def _of_python(content: str) -> Iterator[Text]:
    tree = ast.parse(content)
    docstrings = dict(_docstrings(tree))
    yield from docstrings.values()
    strings = [node for node in ast.walk(tree) if isinstance(node, STRING)]
    parts = {
        id(part) for node in strings if isinstance(node, ast.JoinedStr) for part in node.values
    }
    for node in strings:
        words = "" if id(node) in docstrings or id(node) in parts else _string(node)
        if len(words.split()) >= SENTENCE and "\n" not in words.strip():
            yield Text(node.lineno, "prose", _plain(words))
    yield from _comments(content)


def _docstrings(tree: ast.AST) -> Iterator[tuple[int, Text]]:
    """Yield the paragraphs of each docstring by the identity of its node."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for owner in ast.walk(tree):
        if isinstance(owner, owners) and (words := ast.get_docstring(owner)):
            statement = owner.body[0]
            assert isinstance(statement, ast.Expr)
            yield id(statement.value), Text(statement.lineno, "prose", _plain(words))


def _string(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text of a string; each expression of an f-string becomes one word."""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "value" for part in node.values)
        return "".join(map(str, parts))
    return node.value if isinstance(node.value, str) else ""


def _comments(content: str) -> Iterator[Text]:
    """Yield each block of comment lines as one text."""
    held: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        if token.type != tokenize.COMMENT or DIRECTIVE.match(token.string):
            continue
        if held and token.start[0] != last + 1:
            yield Text(first, "comment", _plain(" ".join(held)))
            held = []
        first = first if held else token.start[0]
        last = token.start[0]
        held.append(token.string.lstrip("# "))
    if held:
        yield Text(first, "comment", _plain(" ".join(held)))
