"""Checks the laws of a switch: daemons that its lines need and ports that its SKU has."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from fabricgen.core.diagnostics import Code
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key
from fabricgen.core.units import BitsPerSecond, counted
from fabricgen.model.catalog.cages import Mode
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.prove.invariants.law import Breach, Law, Spot, breach
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch, one

_KEY = ("switch",)


def _needed(switch: Switch) -> Iterator[tuple[str, str]]:
    """Yield the FRR daemons that the lines of a switch need, with the reason."""
    if switch.sessions:
        yield "bgpd", "BGP sessions"
    if any("bfd" in each.own or "timers" in each.own for each in switch.sessions):
        yield "bfdd", "BFD at a session"
    if any(True for _ in switch.each("ospf")):
        yield "ospfd", "OSPF"


def _daemons(network: AnyNetwork) -> Iterator[Breach]:
    """Yield daemons that are off although lines need them."""
    for switch in network.switches:
        own = switch.own(_KEY)
        listed = any(word in own for word in ("bgpd", "bfdd", "ospfd"))
        for daemon, why in _needed(switch):
            if ("switch", daemon) in switch.about and listed and own.get(daemon) != "yes":
                said = f"{switch.name}: {daemon} does not run, but frr.conf has {why}"
                yield breach(said, Spot(switch, _KEY, (daemon,)))


def _framework(network: AnyNetwork) -> Iterator[Breach]:
    """Yield SONiC switches with BFD but without its daemon."""
    for switch in network.switches:
        own = switch.own(_KEY)
        asks = any(daemon == "bfdd" for daemon, _ in _needed(switch))
        database = "hwsku" in own or "routing-mode" in own
        if asks and switch.is_frr and database and own.get("frr-framework") != "true":
            said = (
                f"{switch.name}: bfdd does not run without frr_mgmt_framework_config, but frr.conf "
                "has BFD at a session"
            )
            yield breach(said, Spot(switch, _KEY, ("frr-framework", "routing-mode", "hwsku")))


def _lanes(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports with lanes or a breakout that their hwsku does not have."""
    for switch in network.switches:
        known = _skus().get(one(switch.own(_KEY).get("hwsku")))
        if known is None:
            continue
        cages: dict[int, list[Key]] = defaultdict(list)
        strange: list[Key] = []
        for key, own in switch.each("interface"):
            if "alias" not in own or "lanes" not in own:
                continue
            lanes = one(own["lanes"]).split(",")
            cage = known.cage(lanes, one(own.get("index")))
            if cage is None:
                strange.append(key)
            else:
                cages[cage].append(key)
        if strange:
            more = f" (and {counted(len(strange) - 1, 'more port')})" if strange[1:] else ""
            lanes = one(switch.own(strange[0])["lanes"]).split(",")
            said = (
                f"{switch.name}: {strange[0][1]}{more} has lanes {','.join(lanes)}, which hwsku "
                f"{known.sku.name} does not have"
            )
            yield breach(said, Spot(switch, strange[0], ("lanes",)))
        yield from _modes(switch, known, cages)


def _modes(switch: Switch, known: "_Known", cages: Mapping[int, list[Key]]) -> Iterator[Breach]:
    """Yield cages whose split the hwsku does not offer."""
    for cage, keys in cages.items():
        own = switch.own(keys[0])
        speed = one(own.get("speed"))
        try:
            rate = BitsPerSecond.parse(speed)
        except ValueError:
            continue
        mode = Mode(len(keys), rate, len(one(own["lanes"]).split(",")))
        if not known.sku.offers(cage, mode):
            said = (
                f"{switch.name}: {keys[0][1]} is one of {mode.count} ports of {speed} on "
                f"{mode.lanes} lanes, which hwsku {known.sku.name} does not offer"
            )
            yield breach(said, Spot(switch, keys[0], ("lanes",)))


def _shared(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports that have a lane twice, or a lane of another port.

    Two cages of some models share a lane, so ports of one index are compared.
    """
    for switch in network.switches:
        owners: dict[tuple[str, str], Key] = {}
        for key, own in switch.each("interface"):
            if "alias" not in own or "lanes" not in own:
                continue
            for lane in one(own["lanes"]).split(","):
                cage = one(own.get("index")), lane
                if cage in owners:
                    other = owners[cage]
                    said = f"{switch.name}: lane {lane} of {key[1]} is also a lane of {other[1]}"
                    spots = (Spot(switch, each, ("lanes",)) for each in (key, other))
                    yield breach(said, *spots)
                    break
                owners[cage] = key


@record(eq=False)
class _Known:
    """A hwsku of the catalog with index and lanes of its cages."""

    sku: Sku
    cages: Mapping[int, tuple[str, frozenset[str]]]

    def cage(self, lanes: list[str], index: str) -> int | None:
        """Return the cage with some lanes; two cages may share a lane, but not an index."""
        fits = [(number, row) for number, row in self.cages.items() if row[1].issuperset(lanes)]
        fits.sort(key=lambda each: (each[1][0] != index, len(each[1][1])))
        return fits[0][0] if fits else None


@cache
def _skus() -> Mapping[str, _Known]:
    """Return the hwskus of the catalog, by name."""
    found = {}
    for name in model_names():
        model = switch_model(name)
        if model is None:
            continue
        rows = model.platforms.get("sonic", {}).get("ports", {})
        cages = {
            int(cage): (str(row[2]), frozenset(row[3].split(","))) for cage, row in rows.items()
        }
        for sku in model.eligible("sonic") if cages else ():
            found[sku.name] = _Known(sku, cages)
    return found


LAWS = (
    Law(
        name="required daemons run",
        code=Code.LAW_DAEMON,
        source="FRR manual, `/etc/frr/daemons`",
        needs=frozenset({("switch", "bfdd")}),
        breaches=_daemons,
        alone=True,
    ),
    Law(
        name="SONiC runs the daemons of frr.conf",
        code=Code.LAW_DAEMON,
        source="sonic-buildimage dockers/docker-fpm-frr/frr/supervisord/supervisord.conf.j2",
        needs=frozenset({("switch", "frr-framework")}),
        breaches=_framework,
        alone=True,
    ),
    Law(
        name="ports have the lanes and modes of the hwsku",
        code=Code.LAW_SKU,
        source="port_config.ini, platform.json and hwsku.json, as in the catalog",
        needs=frozenset({("interface", "alias")}),
        breaches=_lanes,
        alone=True,
    ),
    Law(
        name="each lane of a cage belongs to one port",
        code=Code.LAW_SKU,
        source="sonic-swss orchagent/portsorch.h: m_portListLaneMap has one port for lanes",
        needs=frozenset({("interface", "alias")}),
        breaches=_shared,
        alone=True,
    ),
)
