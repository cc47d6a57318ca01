"""From frr.conf: a tree of lines by their indent, so that a test asks for blocks."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Block:
    """One line with the lines indented below it."""

    line: str
    below: list[Block] = field(default_factory=list)

    def rests(self, prefix: str) -> list[str]:
        """Return what follows the prefix, line by line."""
        return [b.line.removeprefix(prefix) for b in self.below if b.line.startswith(prefix)]

    def block(self, line: str) -> Block:
        """Return the one block opened by `line`."""
        (found,) = (block for block in self.below if block.line == line)
        return found

    def starting(self, prefix: str) -> list[Block]:
        return [block for block in self.below if block.line.startswith(prefix)]


def blocks(text: str) -> Block:
    """Return the whole file as one block; what only closes a block is left out."""
    root = Block("")
    above: list[tuple[int, Block]] = [(-1, root)]
    for line in text.splitlines():
        word = line.strip()
        if word in ("", "!", "exit") or word.startswith("exit-"):
            continue
        indent = len(line) - len(line.lstrip())
        while above[-1][0] >= indent:
            above.pop()
        made = Block(word)
        above[-1][1].below.append(made)
        above.append((indent, made))
    return root
