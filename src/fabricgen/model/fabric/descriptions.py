"""The text on ports in use, as people want it: a pattern for each kind of port."""

from fabricgen.core.record import record
from fabricgen.model.fabric.because import Because


@record()
class Description:
    """A pattern with words as {port}, and why it is so."""

    pattern: str
    because: Because


@record(kw_only=True)
class Descriptions:
    """By what is behind a port; None where both ends of its cable are written."""

    link: Description | None = None
    server: Description | None = None
    external: Description | None = None
    bundle: Description | None = None


BOTH_ENDS = Descriptions()
"""Of a fabric whose people say nothing of it."""
