"""Refuse cables of a written length that no allowed medium reaches.

The physical plan chooses a medium for each cable. This check asks the plan, so that `check` and
`cabling` agree. Ends that no known optic or cable joins are ignored. Cables between racks have
their own length, and the checks examine them.
"""

from collections.abc import Iterable, Iterator

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.paths import known
from fabricgen.model.cabling.cables import FabricCables
from fabricgen.model.cabling.media import Shortfall, far_socket, socket_of
from fabricgen.model.fabric.floor import NO_FLOOR, Floor
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Switch


def judge_reach(words: FabricWords, fabric: Fabric, floor: Floor, findings: Findings) -> None:
    """Refuse each kind of cable once."""
    if floor is NO_FLOOR:
        return
    kinds: dict[tuple[object, ...], Link] = {}
    for link in _distinct_links(fabric.topology.links, floor):
        near, far = socket_of(link.upper, link.upper_port), far_socket(fabric, link)
        ends = near.forms, near.modes, far and far.forms, far and far.modes
        kinds.setdefault((*ends, link.length, link.to_server), link)
    laid = {id(end) for link in kinds.values() for end in (link.upper, link.lower)}
    beside = [
        link for link in fabric.topology.links if id(link.upper) in laid or id(link.lower) in laid
    ]
    cables = FabricCables(fabric=fabric, floor=floor, links=beside)
    for link in kinds.values():
        shortfall = cables.shortfall(link)
        if shortfall is not None:
            _refuse(words, link, shortfall, findings)


def _distinct_links(links: Iterable[Link], floor: Floor) -> Iterator[Link]:
    """Yield one link of each pair of ports if one of its ends is in no rack.

    Switches of a tier share their ports, and servers of a kind have the same NICs.
    """
    seen: set[tuple[object, int, int]] = set()
    for link in links:
        pair = (_lower_end(link), id(link.upper_port), link.length)
        placed = link.lower.name in floor.ends and link.upper.name in floor.ends
        if pair not in seen and not placed:
            seen.add(pair)
            yield link


def _lower_end(link: Link) -> object:
    """Return the facts that determine the cage and NIC of the lower end."""
    port = link.lower_port
    return (link.lower.because.main, port.network) if isinstance(port, Nic) else id(port)


def length_key(words: FabricWords, link: Link) -> IntentPath:
    """Return where the intent has the length of a cable."""
    if not link.to_server:
        return words.at("links", "length")
    if "cable_length" in type(words).model_fields:
        return words.at("cable_length")
    path = (*link.because.main, "cable_length")
    return path if known(path) else words.at("oob", "cable_length")


def _refuse(words: FabricWords, link: Link, shortfall: Shortfall, findings: Findings) -> None:
    port, meters = link.upper_port, shortfall.length.meters
    form = link.upper.model.cages[port.cage - 1].form
    rounded = f" ({meters:g} m as sold)" if meters != link.length else ""
    far = str(link.lower.model) if isinstance(link.lower, Switch) else "servers"
    findings.error(
        Code.CABLE_BEYOND_REACH,
        f"cables of {link.length:,} m{rounded} from {link.upper.model} ({form} as "
        f"{port.subs}x{port.speed}) to {far}: {shortfall.explanation}",
        length_key(words, link),
        f"set the real length, allow other media in `cabling.media.{words.name}`, or add the "
        "optic to catalog/optics.yaml of the site",
    )
