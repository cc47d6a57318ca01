"""Write the risk rules of every platform: the classes, and a page for each platform."""

import re
from collections.abc import Iterable, Iterator

from fabricgen.core.tree.risk import ANY, MEANING, Dialect, Risk, Rule
from fabricgen.nos.eos import risk as eos
from fabricgen.nos.hosts import risk as hosts
from fabricgen.nos.linux import risk as linux
from fabricgen.nos.shared.frr import risk as frrouting
from fabricgen.nos.sonic import risk as sonic

PAGES: dict[str, tuple[str, tuple[Dialect, ...]]] = {
    "eos.md": ("EOS", eos.DIALECTS),
    "sonic.md": ("SONiC", sonic.DIALECTS),
    "frr.md": ("FRR on Linux switches", (frrouting.dialect(r"frr\.conf"),)),
    "linux.md": ("Linux switches", linux.DIALECTS[1:]),
    "servers.md": ("Servers", hosts.DIALECTS),
}
_HEAD = """# Risk rules: {title}

The [classes and the method](index.md) are on their own page. The first rule that fits decides.
"""


def classes() -> str:
    """Return the table of the classes, from the least harm to the most."""
    rows = [f"| `{risk.word}` | {MEANING[risk]} |" for risk in Risk]
    return "\n".join(["| class | what happens |", "|--|--|", *rows])


def risk_pages() -> dict[str, str]:
    """Return the page of each platform by file, with its rules in the order of their use."""
    return {file: _page(title, dialects) for file, (title, dialects) in PAGES.items()}


def _page(title: str, dialects: tuple[Dialect, ...]) -> str:
    several = len(dialects) > 1
    rows = [row for dialect in dialects for row in _rows(dialect, several=several)]
    unknown = dialects[-1].unknown
    rows.append(_row("*no rule fits*", unknown, ""))
    head = _HEAD.format(title=title)
    return "\n".join([head, "| where | class | reason | source |", "|--|--|--|--|", *rows, ""])


def _rows(dialect: Dialect, *, several: bool) -> Iterator[str]:
    for rule in dialect.rules:
        file = f"{readable(dialect.file.pattern)}: " if several else ""
        kinds = "" if rule.kinds == ANY else ", ".join(_words(rule))
        yield _row(f"`{file}{readable(rule.where)}`", rule, f" {kinds}".rstrip())


def _words(rule: Rule) -> Iterable[str]:
    return sorted(kind.value for kind in rule.kinds)


def _row(where: str, rule: Rule, kinds: str) -> str:
    why = f"{rule.why} (condition: {_condition(rule)})" if rule.when else rule.why
    cells = (f"{where}{kinds}", f"`{rule.risk.word}`", why, rule.source)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _condition(rule: Rule) -> str:
    said = (rule.when.__doc__ or "").split("\n")[0]
    assert said.startswith("Tell whether "), rule
    return said.removeprefix("Tell ").removesuffix(".")


def readable(pattern: str) -> str:
    """Return a pattern as people read it: groups without their marks, anything as `…`."""
    text = re.sub(r"\(\?P<value>(?:[^()]|\([^()]*\))*\)", "<value>", pattern)
    text = text.replace("(?:", "(").replace("\\.", ".").replace("\\b", " ")
    text = re.sub(r"\\S\+|\\S\*|\[\^ >\]\+|\\d\+|\.\*\?|\.\*", "…", text)
    return re.sub(r" {2,}", " ", text.replace("… …", "…")).strip()
