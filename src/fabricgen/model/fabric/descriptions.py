"""Defines the patterns of interface descriptions for each kind of port."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record()
class Description:
    """A pattern with placeholders such as {port}, and its reason."""

    pattern: str
    because: Provenance


@record(kw_only=True)
class Descriptions:
    """Patterns by type of neighbor; None if both ends of the cable are written."""

    link: Description | None = None
    server: Description | None = None
    external: Description | None = None
    bundle: Description | None = None


BOTH_ENDS = Descriptions()
"""Patterns of a fabric without descriptions in the intent."""
