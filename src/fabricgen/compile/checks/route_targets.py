"""Check that every route distinguisher is unique and every route target means one VNI.

With two equal RDs a route reflector or peer keeps only one of two routes. Two VNIs behind one RT
import each other's tenants. To fix it, use distinct loopbacks, or move the VNI bases apart. The
check examines the RD of each VLAN and VRF on each leaf and the RT of each VNI. Computed import and
export are always equal. Where the intent overrides them, an instance imports one target that it
exports, and none that another exports. The check also compares that every switch has the same
rules.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, IntentPath, Severity, dotted
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.overlay import EvpnRules, Overlay
from fabricgen.model.fabric.pinned import Instance, Targeted, half_of, route_distinguisher, whole_of
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.vlans import bundles_of

HALF = (1 << 16) - 1  # RFC 4364 section 4.2: after an address or a 2-byte ASN


class RouteTargets(Tallied):
    """Comparison of RDs switch by switch, and of RTs over the whole overlay."""

    name, code, noun = "route-targets", Code.ROUTE_TARGET_CLASH, "switches and route distinguishers"

    def __init__(self, site: Site) -> None:
        """Check the route targets of every overlay."""
        super().__init__(site)
        self.administrators: dict[tuple[str, str], str] = {}
        self.wholes: dict[tuple[str, str], _Whole] = {}
        for fabric in site.fabrics:
            if fabric.overlay is not None and fabric.overlay.rules is not None:
                self.targets(fabric.overlay, fabric.overlay.rules)

    def targets(self, overlay: Overlay, rules: EvpnRules) -> None:
        """Compare the route targets of all VNIs."""
        if not 1 <= rules.route_target_asn <= HALF:
            self.tally.add(
                "route targets too wide",
                f"the route target ASN {rules.route_target_asn} needs 4 bytes, so only 2 bytes "
                "are left for VNIs",
                (*rules.path, "route_target_asn"),
            )
        owners: dict[str, _Named] = {}
        named = list(_named(overlay))
        for each in named:
            for target in rules.exported(each.instance):
                self.one_owner(target, each, owners.setdefault(target, each))
        for each in named:
            self.joined(each, rules, owners)

    def one_owner(self, target: str, each: "_Named", other: "_Named") -> None:
        """Report a target that two instances have."""
        if other is not each:
            self.tally.add(
                "route targets used twice",
                f"{target} is the route target of {other.what} ({dotted(other.place)}) "
                f"and of {each.what}",
                each.place,
            )

    def joined(self, each: "_Named", rules: EvpnRules, owners: "dict[str, _Named]") -> None:
        """Report an instance that does not import its routes, or imports routes of another one."""
        taken = rules.imported(each.instance)
        if not {*rules.exported(each.instance)} & {*taken}:
            self.tally.add(
                "instances cut in two",
                f"{each.what} imports {', '.join(taken)} and exports "
                f"{', '.join(rules.exported(each.instance))}: its leafs do not import each "
                "other's routes",
                each.place,
                "import one of the targets that it exports",
            )
        for target in taken:
            self.one_owner(target, each, owners.get(target, each))

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Compare the route distinguishers of one switch, and their first half with others."""
        self.tally.objects += 1
        if switch_slice.overlay != (fabric.overlay.rules if fabric.overlay else None):
            text = f"{switch_slice.switch.name} has other EVPN rules than the {fabric.name}"
            self.tally.add("switches with other rules", text, switch_slice.switch.because)
        name, mine = switch_slice.switch.name, dict[str, str]()
        for instance, what, because in _instances(switch_slice):
            self.tally.objects += 1
            text = route_distinguisher(switch_slice.loopback, instance)
            other = mine.setdefault(text, what)
            if other is not what:
                self.tally.add(
                    "route distinguishers used twice",
                    f"on {name} {text} is the route distinguisher of {other} and of {what}",
                    because,
                )
            if not whole_of(instance) and not 0 < half_of(instance) <= HALF:
                self.tally.add(
                    "route distinguishers too wide",
                    f"{text} of {what} on {name}: the second number has only 16 bits",
                    because,
                )
            whole = whole_of(instance)
            if whole is not None:
                self.alone(fabric, whole, _Whole(what, because.main, name))
        for administrator in {
            text.rpartition(":")[0] for text in mine if (fabric.name, text) not in self.wholes
        }:
            first = self.administrators.setdefault((fabric.name, administrator), name)
            if first != name:
                self.tally.add(
                    "switches with another's route distinguishers",
                    f"{first} and {name} both derive route distinguishers from {administrator}",
                    (*fabric.place, "addressing", "loopbacks"),
                )

    def alone(self, fabric: Fabric, whole: str, mine: "_Whole") -> None:
        """Report a complete RD that another instance has, or another leaf for the same instance."""
        other = self.wholes.setdefault((fabric.name, whole), mine)
        if other.what != mine.what:
            self.tally.add(
                "route distinguishers used twice",
                f"{whole} is the route distinguisher of {other.what} ({dotted(other.path)}) "
                f"and of {mine.what}",
                mine.path,
            )
        elif other.leaf != mine.leaf:
            self.tally.add(
                "route distinguishers of several leafs",
                f"{mine.what} has the route distinguisher {whole} on several leafs: spines "
                "forward only one of their routes to a prefix (RFC 4364, 4.1)",
                mine.path,
                f"set `rd: {whole.rpartition(':')[2]}` to use that number with each leaf's "
                "loopback",
                Severity.WARNING,
            )


class _Whole(NamedTuple):
    """First owner of a route distinguisher that is pinned completely."""

    what: str
    path: IntentPath
    leaf: str


class _Named(NamedTuple):
    """An instance of the overlay with its name for messages."""

    instance: Targeted
    what: str
    because: Provenance

    @property
    def place(self) -> IntentPath:
        """Return the place that sets its targets: a pin, or the instance itself."""
        pins = (path for path in self.because.paths if path[-1:] == ("route_targets",))
        return next(pins, self.because.main)


def _named(overlay: Overlay) -> Iterator[_Named]:
    for vlan in overlay.vlans.values():
        if vlan.vni is not None:
            yield _Named(vlan, f"VLAN {vlan.id}", vlan.because)
    for name, vrf in overlay.vrfs.items():
        if not vrf.local:
            yield _Named(vrf, f"VRF {name}", vrf.because)


def _instances(switch_slice: SwitchSlice) -> Iterator[tuple[Instance, str, Provenance]]:
    for vlan in switch_slice.vlans:
        if vlan.vni is not None and vlan.bundle is None:
            yield vlan, f"VLAN {vlan.name}", vlan.because
    for bundle in bundles_of(switch_slice.vlans):
        yield bundle, f"the bundle {bundle.name}", bundle.because
    for vrf in switch_slice.tunneled:
        yield vrf, f"VRF {vrf.name}", vrf.because
