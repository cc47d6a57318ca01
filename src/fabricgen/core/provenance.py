"""Records why an object exists: its place in the intent and the rule in one sentence."""

from typing import ClassVar

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record


@record()
class Provenance:
    """The reason of one block. `paths`: where the intent says so, the main place first."""

    paths: tuple[IntentPath, ...]
    rule: str

    @property
    def main(self) -> IntentPath:
        """The place that a finding about the block points at; () is the whole site."""
        return self.paths[0] if self.paths else ()


@record(eq=False)
class Block:
    """A block of lines in a file as its template sees it: why it is there."""

    because: Provenance


@record(eq=False)
class SharedBlock(Block):
    """A block that is alike on several switches or servers: it is rendered once for all of them."""

    shared: ClassVar[bool] = True
