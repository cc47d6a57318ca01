"""Defines the patterns of interface descriptions for each kind of port."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record()
class Description:
    """A pattern with words as {port}, and why it is so."""

    pattern: str
    because: Provenance


@record(kw_only=True)
class Descriptions:
    """By what is behind a port; None where both ends of its cable are written."""

    link: Description | None = None
    server: Description | None = None
    external: Description | None = None
    bundle: Description | None = None


BOTH_ENDS = Descriptions()
"""Of a fabric whose people say nothing of it."""
