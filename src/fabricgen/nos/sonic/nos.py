"""Register community SONiC: config_db.json for the switch and a rendered frr.conf for routing."""

from typing import Any

from fabricgen.core.late import Late
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.features import Capabilities, Feature, Supported, Unsupported, answers
from fabricgen.nos.nos import Nos, RenderedBy, Spell
from fabricgen.nos.sonic.expected import NAMES
from fabricgen.nos.sonic.frr_names import frr_names
from fabricgen.nos.sonic.gaps import NO_GROUPS, gaps
from fabricgen.nos.sonic.images import IMAGES
from fabricgen.nos.sonic.names import MAX_ECMP, alias_of, port_names
from fabricgen.nos.sonic.releases import DEFAULT, RELEASES, Release, train

_NO_SEARCH = Unsupported("its CONFIG_DB has no DNS_OPTIONS, which came with 202511")
_NO_TRIMMING = Unsupported("its CONFIG_DB has no SWITCH_TRIMMING, which came with 202505")
_SEGMENTS = Supported(
    how="EVPN_ETHERNET_SEGMENT, PORTCHANNEL.system_mac, and evpn mh in frr.conf",
    section="config_db.json: EVPN_ETHERNET_SEGMENT > … > esi",
    but=NO_GROUPS,
)


def _own(release: Release) -> Capabilities:
    """Return the answers of a release that differ from the answers of all."""
    asked: tuple[tuple[Feature, bool, Supported | Unsupported], ...] = (
        (Feature.DOMAIN, not release.search, _NO_SEARCH),
        (Feature.TRIMMING, not release.trims, _NO_TRIMMING),
        (Feature.MULTIHOMING, release.segments, _SEGMENTS),
    )
    return {feature: answer for feature, differs, answer in asked if differs}


def port_name(model: SwitchModel, port: Port) -> str:
    """Spell a port as port_config.ini of the model's hwsku does."""
    return port_names(model, port).name


def lldp_port(switch: Switch, port: Port) -> str:
    """Return the port ID that neighbors receive.

    sonic-net/sonic-buildimage, dockers/docker-lldp/lldpmgrd: `portidsubtype local ALIAS`.
    """
    return alias_of(switch.model, switch.ports, port)


_FRR: Late[Any] = Late("fabricgen.nos.shared.frr.lower:lower_frr")
_CONFIG_DB: Late[Any] = Late("fabricgen.nos.sonic.lower:lower_config_db")


def lower(switch_slice: SwitchSlice, spell: Spell) -> list[RenderedBy]:
    names = frr_names(switch_slice.switch.model, switch_slice.switch.release)
    frr, tables = _FRR(switch_slice, names), _CONFIG_DB(switch_slice, spell)
    return [
        RenderedBy(path="config_db.json", index="sonic/config_db.j2", view=tables),
        RenderedBy(path="frr.conf", index="frr/index.j2", view=frr),
    ]


NOS = Nos(
    name="sonic",
    any_asn=None,  # docs.frrouting.org, BGP: neighbor PEER remote-as external
    capabilities=answers(__package__),
    releases={name: _own(has) for name, has in RELEASES.items()},
    images=IMAGES,
    release=DEFAULT,
    train=train,
    max_ecmp=MAX_ECMP,
    port_name=port_name,
    lldp_port=lldp_port,
    gaps=gaps,
    lower=lower,
    marker="config_db.json",
    fresh_names=("sonic",),  # sonic-buildimage, build_debian.sh: HOSTNAME=sonic
    names=NAMES,
    grammar=Late("fabricgen.nos.sonic.grammar:GRAMMAR"),
    foreign=Late("fabricgen.nos.sonic.foreign:FOREIGN"),
    dialects=Late("fabricgen.nos.sonic.risk:DIALECTS"),
    updates=Late("fabricgen.nos.sonic.updates:updates"),
    flaws=Late("fabricgen.nos.sonic.limits:flaws_of"),
    qos=Late("fabricgen.nos.sonic.readback.queues:read"),
    told=Late("fabricgen.nos.sonic.readback.port_memory:read"),
    paths=Late("fabricgen.nos.sonic.readback.balancing:PATHS"),
    models=Late("fabricgen.nos.sonic.yang.judge:MODELS"),
    own={
        "config_db": Late("fabricgen.nos.sonic.own_lines:CONFIG_DB"),
        "frr": Late("fabricgen.nos.sonic.own_lines:FRR"),
    },
    show=Late("fabricgen.nos.sonic.show.reader:SONIC"),
    driver=Late("fabricgen.nos.sonic.driver.driver:SonicDriver"),
    containerlab=Late("fabricgen.nos.sonic.containerlab:KIND"),
    first_boot=Late("fabricgen.nos.sonic.first_boot:first_boot"),
    telemetry=Late("fabricgen.nos.sonic.telemetry:TELEMETRY"),
    batfish=Late("fabricgen.nos.sonic.batfish:snapshot"),
)
