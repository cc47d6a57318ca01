"""Report keys for a tier that the design of a fabric does not have."""

from collections.abc import Iterator
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.paths import at
from fabricgen.model.fabric.topology import Role

_LACKS = {
    "rail-only": (Role.SPINE, Role.SUPERSPINE),
    "rail-optimized": (Role.SUPERSPINE,),
    "leaf-spine": (Role.SUPERSPINE,),
    "collapsed": (Role.SPINE, Role.SUPERSPINE),
}
_PODS = [("growth", "pods"), ("pod",), ("leafs_per_pod",)]
"""Keys about pods, which superspines join."""


def say_unused(words: AnyFabric, findings: Findings) -> None:
    """Warn of each key for a tier that does not exist, which has no effect."""
    if words.design != "collapsed" and _written(words, ("pair",)):
        findings.warn(
            Code.BAD_VALUE,
            f"a {words.design} {words.name} has no leaf pairs, so this key has no effect",
            at(*words.here, "pair"),
            "remove it, or choose another design",
        )
    for role in _LACKS.get(words.design, ()):
        for keys in _about(role):
            if _written(words, keys) and (words.design, keys) != ("collapsed", ("links",)):
                findings.warn(
                    Code.BAD_VALUE,
                    f"a {words.design} {words.name} has no {role}s, so this key has no effect",
                    at(*words.here, *keys),
                    "remove it, or choose another design",
                )


def say_no_tunnels(words: AnyFabric, findings: Findings) -> None:
    """Warn of a pool of tunnel ends on rails that no tenant shares; a number deals one anyway."""
    if words.number is None and _written(words, ("addressing", "vteps")):
        findings.warn(
            Code.BAD_VALUE,
            f"the {words.name} has no tenants, so this key has no effect",
            at(*words.here, "addressing", "vteps"),
            "remove it, or attach tenants to the fabric",
        )


def _about(role: Role) -> Iterator[IntentPath]:
    """Yield the keys below a fabric that are about one tier."""
    yield (role.value,)
    yield "names", role.value
    yield "names", "previous_name", role.value
    yield "growth", f"{role}s"
    yield "load_balancing", "seeds", role.value
    yield from [("links",)] if role is Role.SPINE else _PODS


def _written(words: Any, keys: IntentPath) -> bool:
    """Return whether the intent contains a key; a default does not count."""
    for key in keys:
        if words is None or key not in words.model_fields_set:
            return False
        words = getattr(words, str(key))
    return True
