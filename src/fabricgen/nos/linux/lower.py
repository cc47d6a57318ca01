"""Lower the slice of a plain Linux switch to all its files and their views."""

from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Field, LoadBalancing
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.dcb import dcb, driver
from fabricgen.nos.linux.interfaces import interfaces
from fabricgen.nos.linux.names import MANAGEMENT_PORT, frr_names
from fabricgen.nos.linux.nftables import (
    MANAGEMENT_COMMAND,
    MANAGEMENT_FILE,
    MARKS_COMMAND,
    MARKS_FILE,
    ZONES_COMMAND,
    ZONES_FILE,
    management,
    marks,
    zones,
)
from fabricgen.nos.linux.queues import ports_of, queues
from fabricgen.nos.linux.services import (
    Breakout,
    Daemons,
    Host,
    Lldp,
    Multipath,
    Unit,
    rendered,
    service_files,
)
from fabricgen.nos.linux.view_queues import Dcb
from fabricgen.nos.nos import RenderedBy, Spell
from fabricgen.nos.shared.frr.lower import lower_frr

# Documentation/networking/ip-sysctl.rst: policy 1 hashes the five-tuple, policy 3 the fields of a
# bit mask. With seed 0, and before Linux 6.11, which has no seed, each switch draws its own seed.

# FIB_MULTIPATH_HASH_FIELD_*, linux include/net/ip_fib.h
FIELDS = {
    Field.SOURCE_IP: 0x01,
    Field.DESTINATION_IP: 0x02,
    Field.PROTOCOL: 0x04,
    Field.SOURCE_PORT: 0x10,
    Field.DESTINATION_PORT: 0x20,
}
LAYER_4, CUSTOM = 1, 3
PATHS_FILE = "etc/sysctl.d/90-fabricgen-paths.conf"


@lru_cache(maxsize=64)
def multipath(told: LoadBalancing) -> Multipath:
    """Return the settings of a switch with ECMP paths."""
    mask = sum(FIELDS.get(field, 0) for field in told.fields)
    whole = mask in (0, sum(FIELDS[field] for field in FIVE_TUPLE))  # the kernel refuses 0
    return Multipath(
        policy=LAYER_4 if whole else CUSTOM,
        fields=None if whole else f"0x{mask:04x}",
        seed=told.seed or None,
        because=told.because,
    )


_SWITCH = Provenance((), "every Linux switch needs this, in any role")
_HOST = Host(_SWITCH)


def lower(switch_slice: SwitchSlice, spell: Spell) -> list[RenderedBy]:
    because = Provenance(switch_slice.switch.because.paths, "the name of the switch")
    lldp = Lldp(switch_slice.switch.name, MANAGEMENT_PORT, because)
    told = dcb(switch_slice)
    frr = lower_frr(switch_slice, frr_names(switch_slice.switch.release))
    return [
        RenderedBy(path="etc/frr/frr.conf", index="frr/index.j2", view=frr),
        rendered("etc/frr/daemons", "daemons", daemons(switch_slice)),
        rendered("etc/network/interfaces", "interfaces", interfaces(switch_slice, spell)),
        rendered("etc/sysctl.d/90-fabricgen.conf", "sysctl", _HOST),
        *_present(
            PATHS_FILE, "multipath", switch_slice.balancing and multipath(switch_slice.balancing)
        ),
        rendered("etc/hostname", "hostname", lldp),
        rendered("etc/lldpd.d/fabricgen.conf", "lldp", lldp),
        *service_files(switch_slice.services),
        *_present(MANAGEMENT_FILE, "management", management(switch_slice.services)),
        *_present(ZONES_FILE, "zones", zones(switch_slice)),
        *_present(MARKS_FILE, "marks", marks(switch_slice)),
        *queue_files(switch_slice, told),
        *asic_files(switch_slice),
        *unit_files(switch_slice, told),
    ]


def _present(path: str, template: str, view: object | None) -> list[RenderedBy]:
    """Return a file of a feature; a switch without the feature has no such file."""
    return [rendered(path, template, view)] if view is not None else []


def daemons(switch_slice: SwitchSlice) -> Daemons:
    """Return the FRR daemons that run: a switch without sessions needs neither BGP nor BFD."""
    bgp = bool(switch_slice.sessions)
    bfd = bgp and switch_slice.routing.bfd is not None
    return Daemons(
        bgp=_word(bgp),
        bfd=_word(bfd),
        ospf=_word(bool(switch_slice.flooding or switch_slice.adjacencies)),
        because=Provenance((switch_slice.routing.path,), "a daemon runs where it has sessions"),
    )


def _word(on: bool) -> str:  # noqa: FBT001 - its only argument
    return "yes" if on else "no"


def queue_files(switch_slice: SwitchSlice, told: Dcb | None) -> list[RenderedBy]:
    """Return the input files of `tc` and `dcb`."""
    if switch_slice.qos is None:
        return []
    asic = driver(switch_slice.switch.model) is not None
    view = queues(switch_slice.qos, ports_of(switch_slice), asic=asic)
    files = [rendered("etc/fabricgen/tc.batch", "tc_index", view)]
    if told is not None:
        files.append(rendered("etc/fabricgen/dcb.sh", "dcb", told, executable=True))
    return files


def asic_files(switch_slice: SwitchSlice) -> list[RenderedBy]:
    """Return the files that name and split the ports of an ASIC; none without its driver."""
    if driver(switch_slice.switch.model) is None:
        return []
    files = [rendered("etc/udev/rules.d/10-fabricgen.rules", "udev", _HOST)]
    split = {
        item.port.cage: item.port.subs for item in switch_slice.interfaces if item.port.subs > 1
    }
    if split:
        cages = tuple((f"swp{cage}", subs) for cage, subs in sorted(split.items()))
        role = switch_slice.switch.because.main
        view = Breakout(cages, Provenance((role,), "cages that are broken out"))
        unit = "etc/systemd/system/fabricgen-breakout.service"
        files += [
            rendered("etc/fabricgen/breakout.sh", "breakout", view, executable=True),
            rendered(unit, "breakout_unit", view),
        ]
    return files


def unit_files(switch_slice: SwitchSlice, told: Dcb | None) -> list[RenderedBy]:
    """Return the unit that applies accounts and queues, and its drop-in."""
    unit = Unit(tuple(commands(switch_slice, told)), _SWITCH)
    return [
        rendered("etc/systemd/system/fabricgen.service", "unit", unit),
        rendered("etc/systemd/system/networking.service.d/fabricgen.conf", "unit_wanted", unit),
    ]


def commands(switch_slice: SwitchSlice, told: Dcb | None) -> list[str]:
    """Return the commands of the unit.

    A failure stops it, so accounts come first, and dcb, which a driver may refuse, comes last. With
    -force one bad line of tc.batch fails without stopping the rest.
    """
    users, lines = switch_slice.services.users, []
    if users:
        lines.append("/usr/bin/systemd-sysusers fabricgen.conf")
    if users or switch_slice.services.snmp:
        lines.append("/usr/bin/systemd-tmpfiles --create fabricgen.conf")
    if any(user.password_hash for user in users):
        lines.append("/bin/sh -c 'exec chpasswd --encrypted < /etc/fabricgen/passwords'")
    if switch_slice.services.admitted:
        lines.append(MANAGEMENT_COMMAND)
    if switch_slice.guards:
        lines.append(ZONES_COMMAND)
    if switch_slice.marks:
        lines.append(MARKS_COMMAND)
    if switch_slice.qos is not None:
        lines.append("/usr/sbin/tc -force -batch /etc/fabricgen/tc.batch")
    if told is not None:
        lines.append("/etc/fabricgen/dcb.sh")
    return lines
