"""From EOS text: a tree of lines, so that a test asks for blocks and not for positions."""

from __future__ import annotations

from dataclasses import dataclass, field

_BANNER, _END_OF_BANNER = "banner login", "EOF"


@dataclass(slots=True)
class Block:
    """One line with the lines indented below it."""

    line: str
    children: list[Block] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The lines directly below this one."""
        return [child.line for child in self.children]

    def has(self, line: str) -> bool:
        return line in self.lines

    def block(self, line: str) -> Block:
        """Return the one block opened by `line`."""
        found = [child for child in self.children if child.line == line]
        assert len(found) == 1, f"{len(found)} times {line!r} below {self.line!r}"
        return found[0]

    def starting(self, prefix: str) -> list[Block]:
        """Return the blocks whose line starts so."""
        return [child for child in self.children if child.line.startswith(prefix)]

    def rests(self, prefix: str) -> list[str]:
        """Return what follows the prefix, line by line."""
        return [child.line.removeprefix(prefix) for child in self.starting(prefix)]

    def value(self, prefix: str) -> str:
        """Return what follows the prefix on the one line that has it."""
        (only,) = self.rests(prefix)
        return only


def parse(text: str) -> Block:
    """Return the whole configuration as one block; the text of a banner is left out."""
    root = Block("")
    above: list[tuple[int, Block]] = [(-1, root)]
    in_banner = False
    for line in text.splitlines():
        if in_banner or line == _END_OF_BANNER:
            in_banner = line != _END_OF_BANNER
            continue
        word = line.strip()
        if word in ("", "!"):
            continue
        indent = len(line) - len(line.lstrip())
        while above[-1][0] >= indent:
            above.pop()
        made = Block(word)
        above[-1][1].children.append(made)
        above.append((indent, made))
        in_banner = word == _BANNER
    return root
