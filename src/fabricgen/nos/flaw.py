"""Say what a network OS does badly, or refuses, of what its files ask."""

from fabricgen.core.record import record


@record(kw_only=True)
class Flaw:
    """One known limit of an OS. refused: the OS does not take the line. line: from 1, in `file`."""

    refused: bool
    why: str
    file: str
    line: int
