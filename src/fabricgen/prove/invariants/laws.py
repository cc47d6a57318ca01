"""Checks all laws over a network and lists the laws that its files cannot show."""

from collections.abc import Iterable, Iterator

from fabricgen.core.diagnostics import Diagnostic, Examined, shortened
from fabricgen.prove.invariants import (
    bundles,
    likeness,
    links,
    outside,
    overlay,
    ports,
    queues,
    segments,
    system,
    tables,
    tenants,
)
from fabricgen.prove.invariants.law import Breach, Law
from fabricgen.prove.invariants.network import AnyNetwork, Network
from fabricgen.prove.invariants.switch import Switch

LAWS: tuple[Law, ...] = (
    *links.LAWS,
    *queues.LAWS,
    *segments.LAWS,
    *tenants.LAWS,
    *overlay.LAWS,
    *bundles.LAWS,
    *system.LAWS,
    *ports.LAWS,
    *outside.LAWS,
    *tables.LAWS,
    *likeness.LAWS,
)
OF_SITE = tuple(law for law in LAWS if not law.closed)
"""Laws of a site whose neighbors are not in the files."""
BETWEEN = tuple(law for law in OF_SITE if law.needs and not law.alone)
"""Laws about lines of several switches."""
CHECK, NOUN = "invariants", "facts checked against laws"
MOST_NAMED = 4
"""Maximum places after a sentence."""


def broken(network: AnyNetwork, laws: Iterable[Law] = LAWS) -> Iterator[tuple[Law, Breach]]:
    """Yield every breach of the laws."""
    about = frozenset().union(*(each.about for each in network.switches))
    for law in laws:
        if not law.needs or law.needs & about:
            yield from ((law, each) for each in law.breaches(network))


def of_switch(switch: Switch) -> Iterator[tuple[Law, Breach]]:
    """Yield the breaches that a single switch shows."""
    return broken(Network([switch]), (law for law in LAWS if law.is_of_lines))


def unjudged(network: AnyNetwork) -> list[str]:
    """Return a sentence for each platform with the laws that its files cannot show."""
    abouts = {each.platform: each.about for each in network.switches}
    told = []
    for platform, about in sorted(abouts.items()):
        names = [law.name for law in LAWS if law.needs and not law.needs & about]
        if names:
            told.append(f"no line of {platform} shows: {'; '.join(names)}")
    return told


def diagnostic(law: Law, each: Breach) -> Diagnostic:
    """Return the diagnostic of a breach at its first place; the others follow the sentence."""
    place, *others = (spot.switch.place(spot.key, *spot.attributes) for spot in each.spots)
    where = ", ".join(f"{at.file}:{at.line}" for at in others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    message = f"{each.said} [{where}{more}]" if where else each.said
    return Diagnostic(law.code, message, severity=each.severity, position=place)


def examined(network: AnyNetwork, laws: Iterable[Law] = LAWS) -> Examined:
    """Check laws; of a frequently broken law only the first breaches are named."""
    findings: list[Diagnostic] = []
    for law in laws:
        mine = [diagnostic(*each) for each in broken(network, [law])]
        findings += shortened(mine, f"breaches: {law.name}") if mine else ()
    objects = sum(len(each.facts) for each in network.switches)
    return Examined(check=CHECK, objects=objects, noun=NOUN, findings=tuple(findings))
