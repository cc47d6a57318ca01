"""Records why an object exists: its place in the intent and the rule in one sentence."""

from typing import ClassVar

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record


@record()
class Provenance:
    """The reason of one block. `paths`: its places in the intent, the main place first."""

    paths: tuple[IntentPath, ...]
    rule: str

    @property
    def main(self) -> IntentPath:
        """The place of findings about the block; () is the whole site."""
        return self.paths[0] if self.paths else ()


@record(eq=False)
class Block:
    """A block of lines in a file as its template sees it, with its reason."""

    because: Provenance


@record(eq=False)
class SharedBlock(Block):
    """A block that is equal on several switches or servers, so it is rendered once."""

    shared: ClassVar[bool] = True
