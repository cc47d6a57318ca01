"""Find the fewest switches that have to change in one batch."""

from collections import defaultdict
from collections.abc import Iterable

from fabricgen.core.record import record
from fabricgen.core.units import shortened
from fabricgen.operate.deploy.coordination.effects import is_session
from fabricgen.operate.deploy.coordination.split import Apart
from fabricgen.operate.deploy.coordination.terms import VLAN, VRF


@record(kw_only=True)
class Window:
    """Switches that change in one batch, and their connection: VLANs, VRFs, all tunnels, cables."""

    fabric: str
    switches: tuple[str, ...]
    vlans: tuple[int, ...]
    vrfs: tuple[str, ...]
    cables: bool

    @property
    def reason(self) -> str:
        """Return the reason for the common batch."""
        joins = []
        if self.cables:
            joins.append("the cables between them")
        for noun, names in (("VLAN", [*map(str, self.vlans)]), ("VRF", self.vrfs)):
            if names:
                joins.append(f"{noun} {shortened(names)}")
        return f"all ends of {' and '.join(joins)} at once"


def windows(aparts: Iterable[Apart]) -> tuple[Window, ...]:
    """Return one window per set of switches that interrupted terms connect."""
    stopping = [each for each in aparts if each.stops]
    joined: dict[str, set[str]] = {}
    for each in stopping:
        ends = {end.switch for end in each.term.ends if end.was != end.will}
        whole = set().union(*(joined.get(name, {name}) for name in ends))
        joined.update(dict.fromkeys(whole, whole))
    reasons: dict[int, list[Apart]] = defaultdict(list)
    for each in stopping:
        first = next((end.switch for end in each.term.ends if end.was != end.will), None)
        if first is not None:
            reasons[id(joined[first])].append(each)
    wholes = {id(whole): whole for whole in joined.values()}
    return tuple(_window(whole, reasons[key]) for key, whole in wholes.items() if len(whole) > 1)


def _window(whole: set[str], group: list[Apart]) -> Window:
    terms = [each.term for each in group]
    return Window(
        fabric=terms[0].fabric,
        switches=tuple(sorted(whole)),
        vlans=tuple(sorted({int(term.of) for term in terms if term.kind == VLAN})),
        vrfs=tuple(sorted({term.of for term in terms if term.kind == VRF})),
        cables=any(is_session(term) for term in terms),
    )
