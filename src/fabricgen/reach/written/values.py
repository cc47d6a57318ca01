"""Values of facts in; one text, or several, out."""

from fabricgen.tree.facts import Value


def text(value: Value | None) -> str:
    """Return a value of one; several where one is meant are none that a switch would take."""
    return value if isinstance(value, str) else ""


def words(value: Value | None) -> tuple[str, ...]:
    """Return a value of several."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value
