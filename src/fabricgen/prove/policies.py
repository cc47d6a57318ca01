"""Clauses and prefix lists of a policy in; the values that a grammar gives back for them out."""

from functools import lru_cache

from fabricgen.core.tree.facts import Value
from fabricgen.model.fabric.routing import AllowedPrefix


def clause(action: str, **more: Value) -> Value:
    """Return one clause of a policy, as a grammar gives it back."""
    named = {"action": action, **more}
    return tuple(sorted((word.replace("_", "-"), value) for word, value in named.items()))


@lru_cache(maxsize=64)
def allowed(prefixes: tuple[AllowedPrefix, ...]) -> Value:
    """Return the meaning of a prefix list: prefix and the shortest and longest length, in order."""
    return tuple(
        (("permit", f"{each.prefix.prefix},{each.shortest}-{each.longest}"),) for each in prefixes
    )
