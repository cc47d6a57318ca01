"""Defines a neutral difference of one device."""

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key, Value


@record(kw_only=True)
class FactDifference:
    """One attribute that differs; `attribute` is empty for a complete object.

    `origin`: the object of the design, if the key is another one for people.
    """

    key: Key
    attribute: str
    before: Value | None
    after: Value | None
    origin: Key = ()

    @property
    def designed(self) -> Key:
        """Return the object of the design."""
        return self.origin or self.key
