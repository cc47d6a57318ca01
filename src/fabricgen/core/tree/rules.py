r"""Reads the risk rules of each section from the text of a rule table.

A rule is a block of lines. The first rule that matches a change rates it:

    PORT > \S+ > admin_status
      session-reset: the link goes down
      from {USE}

The first part is the pattern of core/tree/risk.py's `Rule.where`, over several lines where it is
long. The second part is its class, optionally `added`, `removed` or `changed`, `if` and a
condition, and the reason. The third part is the source. Longer text continues four blanks deep.
`NAME = text` defines the text of {NAME} from there on. `== name` begins a section. Blocks of `#`
are remarks.
"""

import re
from collections.abc import Mapping

from fabricgen.core.tree.risk import ANY, CAUTION, USE, Kind, Risk, Rule, When, named

_WORD = re.compile(r"([A-Z_]+) = (.+(?:\n    .+)*)\n?")
_USED = re.compile(r"\{([A-Z_]+)\}")
_RISKS = "|".join(risk.word for risk in Risk)
_KINDS = "|".join(kind.value for kind in Kind)
_RULE = re.compile(
    r"(?P<where>\S.*(?:\n\S.*)*)\n"
    rf"  (?P<risk>{_RISKS})(?: (?P<kind>{_KINDS}))?(?: if (?P<when>\w+))?: "
    r"(?P<why>.+(?:\n    .+)*)\n"
    r"  from (?P<source>.+(?:\n    .+)*)"
)


def rules(table: str, conditions: Mapping[str, When], **words: str) -> dict[str, tuple[Rule, ...]]:
    """Return the rules by section, those before the first one under the empty name.

    `conditions`: possible names after `if`. `words`: given ones, in addition to USE and CAUTION.
    Raises ValueError for a block that is not a rule, KeyError for an unknown word or condition.
    """
    known = {"USE": USE, "CAUTION": CAUTION, **words}
    sections: dict[str, list[Rule]] = {"": []}
    name = ""
    for block in re.split(r"\n{2,}", table.strip()):
        if block.startswith("== "):
            name = block[3:]
            sections[name] = []
        elif _WORD.match(block):
            for word, text in _WORD.findall(block):
                known[word] = _filled(text, known)
        elif not block.startswith("#"):
            sections[name].append(_rule(block, conditions, known))
    return {name: tuple(own) for name, own in sections.items()}


def _rule(block: str, conditions: Mapping[str, When], words: Mapping[str, str]) -> Rule:
    match = _RULE.fullmatch(block)
    if match is None:
        raise ValueError(f"not a rule: {block}")
    return Rule(
        _filled(match["where"].replace("\n", ""), words),
        named(match["risk"]),
        _filled(match["why"], words),
        _filled(match["source"], words),
        frozenset({Kind(match["kind"])}) if match["kind"] else ANY,
        conditions[match["when"]] if match["when"] else None,
    )


def _filled(text: str, words: Mapping[str, str]) -> str:
    """Join the lines of a text and replace its placeholders."""
    return _USED.sub(lambda used: words[used[1]], text.replace("\n    ", " "))
