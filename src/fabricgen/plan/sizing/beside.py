"""Counts the networks next to a design, which fabricgen sizes but does not configure.

NVLink between servers and Fibre Channel have no addresses and no sessions. The out-of-band network
is designed once there are racks (`kind: access`). The count has the switches, links and
transceivers of each.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.plan.sizing.needs import refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.plan.sizing.candidates import Candidate
    from fabricgen.plan.sizing.needs import Needs

MANAGED = 48
"""Ports of an out-of-band switch, as on the SN2201 and the 7010TX-48 of the catalog."""


@record(kw_only=True)
class Scale:
    """An NVLink domain of several servers: its GPUs, switches and links per GPU."""

    gpus: int
    switches: int
    links: int
    source: str


NVLINK = (
    Scale(
        gpus=72,
        switches=9,
        links=18,  # 1.8 TB/s per GPU, 100 GB/s per NVLink 5 link
        source="netbox-community/devicetype-library@edd51b57 Nvidia/NVLink-5-Switch.yaml: 9 trays",
    ),
)


@record(kw_only=True)
class Beside:
    """One such network. `transceivers`: at both ends; 0 if its cables have fixed ends."""

    name: str
    switches: int
    links: int
    transceivers: int
    told: str


def judge_beside(needs: Needs) -> None:
    """Raise Failure for networks that cannot be counted."""
    known = [str(scale.gpus) for scale in NVLINK]
    if needs.nvlink and str(needs.nvlink) not in known:
        told = f"no NVLink switches are known for domains of {needs.nvlink} GPUs"
        raise refused(
            told,
            f"known domains: {', '.join(known)}; omit `--nvlink` for a domain inside one server",
        )
    if needs.fc_ports and not needs.storage_servers:
        told = "Fibre Channel needs storage servers, and there are none"
        raise refused(told, "`--storage-servers 16`")
    if needs.fc_ports % 2:
        told = f"{needs.fc_ports} ports cannot be divided over the two Fibre Channel fabrics"
        raise refused(told, f"`--fc-ports {needs.fc_ports + 1}`")


def beside(needs: Needs, best: Candidate) -> list[Beside]:
    """Count all such networks."""
    return [*_nvlink(needs), *_fibre_channel(needs), _out_of_band(needs, best)]


def _nvlink(needs: Needs) -> Iterator[Beside]:
    for scale in NVLINK:
        if scale.gpus == needs.nvlink:
            domains = ceil(needs.all_gpus / scale.gpus)
            yield Beside(
                name="NVLink",
                switches=domains * scale.switches,
                links=needs.all_gpus * scale.links,
                transceivers=0,
                told=f"{counted(domains, 'domain')} of {scale.gpus} GPUs, copper in the rack",
            )


def _fibre_channel(needs: Needs) -> Iterator[Beside]:
    if needs.fc_ports:
        links = needs.storage_servers * needs.fc_ports
        each = ceil(links / 2 / needs.fc_switch_ports)
        yield Beside(
            name="Fibre Channel",
            switches=2 * each,
            links=links,
            transceivers=2 * links,
            told="two fabrics" + (", links between their switches not counted" * (each > 1)),
        )


def _out_of_band(needs: Needs, best: Candidate) -> Beside:
    servers = needs.servers + needs.storage_servers
    switches = sum(counts.switch_count for counts in best.counts.values())
    ports = servers + switches
    return Beside(
        name="out of band",
        switches=ceil(ports / MANAGED),
        links=ports,
        transceivers=0,
        told=f"{servers:,} server ports, {switches:,} switch ports; {MANAGED} ports per switch",
    )
