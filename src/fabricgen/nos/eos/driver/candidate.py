"""Convert the text of a whole configuration to the eAPI commands that enter it into a session.

NAPALM drops lines that begin with `!` and all indentation before it looks for multi-line commands.
That damages banners. This module leaves the lines of a banner unchanged.
"""

from collections.abc import Iterator, Mapping

from napalm.base.exceptions import ReplaceConfigException

_END = "EOF"
_UNRESOLVED = ("<<secret:", "<<hidden:")

Command = str | dict[str, str]


def commands(text: str, multiline: Mapping[str, int]) -> list[Command]:
    """Return the eAPI commands. `multiline`: commands whose input ends at the n-th line `EOF`."""
    if any(mark in text for mark in _UNRESOLVED):
        raise ReplaceConfigException("the candidate contains an unresolved secret")
    entered: list[Command] = []
    comment: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        word = line.strip()
        if word.startswith("!!"):
            comment.append(word.lstrip("! "))
            continue
        if comment:
            entered.append({"cmd": "comment", "input": "\n".join(comment)})
            comment = []
        if word in multiline:
            entered.append({"cmd": word, "input": _input(word, lines, multiline[word])})
        elif word and not word.startswith("!") and word != "end":
            entered.append(word)
    return entered


def _input(command: str, lines: Iterator[str], ends: int) -> str:
    body: list[str] = []
    for line in lines:
        ends -= line.strip() == _END
        if not ends:
            return "\n".join(body)
        body.append(line)
    raise ReplaceConfigException(f"{command}: the closing line {_END} is missing")
