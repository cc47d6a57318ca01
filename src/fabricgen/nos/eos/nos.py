"""Register Arista EOS, which has one complete text file per switch."""

from typing import Any

from fabricgen.core.late import Late
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.gaps import gaps_of
from fabricgen.nos.eos.names import (
    port_name,
)
from fabricgen.nos.eos.releases import DEFAULT, RELEASES, train
from fabricgen.nos.eos.spelling import NAMES
from fabricgen.nos.features import Unsupported, answers
from fabricgen.nos.nos import Nos, RenderedBy, Spell

FILE = "eos.cfg"


_VIEW: Late[Any] = Late("fabricgen.nos.eos.lower:view_of")


def lower(switch_slice: SwitchSlice, spell: Spell) -> list[RenderedBy]:
    return [RenderedBy(path=FILE, index="eos/index.j2", view=_VIEW(switch_slice, spell))]


NOS = Nos(
    name="eos",
    capabilities=answers(__package__),
    releases={train: {} for train in RELEASES},
    release=DEFAULT,
    train=train,
    # Highest value of `maximum-paths` and its `ecmp`: schema of pyavd 6.4.0,
    # router_bgp.maximum_paths, raised from 512 for AI fabrics by aristanetworks/avd issue 4910.
    # The ASIC may hold fewer.
    max_ecmp=600,
    port_name=port_name,
    gaps=gaps_of,
    lower=lower,
    marker=FILE,
    fresh_names=("localhost",),  # EOS User Manual, Initial Switch Access: its prompts
    alone=True,
    tls=True,
    any_asn=Unsupported(
        "no public document describes an EOS neighbor with any ASN: `remote-as` needs "
        "a number (aristanetworks/avd, schema of router_bgp.neighbors)"
    ),
    names=NAMES,
    grammar=Late("fabricgen.nos.eos.grammar:GRAMMAR"),
    foreign=Late("fabricgen.nos.eos.foreign:FOREIGN"),
    dialects=Late("fabricgen.nos.eos.risk:DIALECTS"),
    qos=Late("fabricgen.nos.eos.readback.queues:read"),
    paths=Late("fabricgen.nos.eos.readback.balancing:PATHS"),
    told=Late("fabricgen.nos.eos.readback.port_memory:told"),
    own={"eos": Late("fabricgen.nos.eos.own_lines:FILE")},
    show=Late("fabricgen.nos.eos.show.reader:EOS"),
    driver=Late("fabricgen.nos.eos.driver.driver:EosDriver"),
    containerlab=Late("fabricgen.nos.eos.containerlab:KIND"),
    first_boot=Late("fabricgen.nos.eos.first_boot:first_boot"),
    telemetry=Late("fabricgen.nos.eos.telemetry:TELEMETRY"),
    batfish=Late("fabricgen.nos.eos.batfish:snapshot"),
)
