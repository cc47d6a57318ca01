"""Checks the requirements on a network and reports the first one that cannot be met.

A number of servers and a NIC speed describe a cluster when it is bought.
"""

from collections.abc import Mapping
from dataclasses import field
from math import ceil

from fabricgen.core.diagnostics import Code, Diagnostic, Failure, did_you_mean_model
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.catalog import SHIPPED, Catalog
from fabricgen.model.catalog.switches import SwitchModel

# Terabytes are 10^12 bytes, and a rate is the rate of data without protocol overhead.

_HOUR = 3600


def rate(bits: float) -> str:
    """Format bits per second."""
    return f"{BitsPerSecond(round(bits))}b/s"


@record(kw_only=True)
class Transfer:
    """Data between sites. `wan`: bits per second of the links between them, 0 if not given."""

    terabytes: float
    hours: float
    growth: float
    wan: int

    @property
    def bits(self) -> float:
        """Return the bits of data, with growth."""
        return self.terabytes * self.growth * 8e12

    @property
    def needed(self) -> float:
        """Return the bits per second that the window requires."""
        return self.bits / (self.hours * _HOUR)

    @property
    def fits(self) -> bool:
        """Return whether the links transfer it in time; True if their rate is not given."""
        return not self.wan or self.needed <= self.wan

    @property
    def sentence(self) -> str:
        """Return the required rate, and the duration on the links, as text."""
        asked = f"{self.terabytes:g} TB x {self.growth:g} to another site in {self.hours:g} h"
        told = f"{asked} need {rate(self.needed)}"
        if not self.wan:
            return told
        spent = self.bits / self.wan / _HOUR
        sign = "<=" if self.fits else ">"
        return f"{told} {sign} {rate(self.wan)} between the sites, which need {spent:.3g} h for it"


@record(kw_only=True)
class Tiers:
    """Hardware of a fabric and its oversubscription, from the leafs up.

    `models`: by tier. `ratios`: maximum downlink to uplink bandwidth, of leafs and of spines.
    `speed`: of links between switches. `platform`: empty for the first that a model runs.
    """

    models: tuple[str, str, str]
    ratios: tuple[float, float]
    speed: BitsPerSecond
    platform: str = ""


@record(kw_only=True)
class Ports:
    """Ports of every server in one fabric.

    Attributes:
        leafs: Leafs that the ports of one server are spread over.
        spines: Spines of an evpn fabric.
        links: Links of a leaf to each of these spines.
        per_leaf: Servers per leaf. None means as many as fit.
        behind_border: Leafs of servers next to two border leafs. 0 means no border leafs.
    """

    count: int
    speed: BitsPerSecond
    tiers: Tiers
    leafs: int = 1
    spines: int = 2
    links: int = 1
    per_leaf: int | None = None
    behind_border: int = 0


@record(kw_only=True)
class Demands:
    """Bits per second of all servers together, at once, in each direction."""

    ingest: int = 0
    inference: int = 0
    checkpoint: int = 0
    storage_reads: int = 0

    @property
    def of_frontend(self) -> bool:
        """Return whether any demand always needs the frontend."""
        return bool(self.ingest or self.inference)

    @property
    def of_storage(self) -> bool:
        """Return whether any demand needs storage."""
        return bool(self.checkpoint or self.storage_reads)


@record(kw_only=True)
class Needs:
    """Requirements of a size. `growth`: maximum factor of servers and demands.

    `nics`: RDMA NICs of a server. `nic_ports`: ports of each, of nic_speed. `unit`: servers of a
    scalable unit, None for as many as a leaf has space for. `near`, `far`: meters of cable from
    server to leaf, and between switches. `storage_servers`: none for no storage fabric. `nvlink`:
    GPUs of a domain of several servers, 0 for none. `fc_ports`: Fibre Channel ports of each storage
    server. `catalog`: the available hardware. `facts`: files of hardware facts of the site, by
    path.
    """

    servers: int
    gpus: int
    nics: int
    nic_ports: int
    nic_speed: BitsPerSecond
    planes: int
    growth: float
    unit: int | None
    near: int
    far: int
    backend: Tiers
    frontend: Ports | None = None
    storage: Ports | None = None
    storage_servers: int = 0
    demands: Demands = Demands()
    nvlink: int = 0
    fc_ports: int = 0
    fc_switch_ports: int = 64
    transfer: Transfer | None = None
    catalog: Catalog = SHIPPED
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def reserved(self) -> int:
        """Return the number of reserved servers."""
        return ceil(round(self.servers * self.growth, 9))

    @property
    def all_gpus(self) -> int:
        """Return the number of purchased GPUs."""
        return self.servers * self.gpus


def judge(needs: Needs) -> None:
    """Raise Failure for the first requirement that no design meets."""
    if not needs.servers:
        raise refused("0 servers: the network has nothing to connect", "use `--servers 16` or more")
    if needs.growth < 1:
        raise refused(
            f"growth by a factor of {needs.growth:g} would shrink the network",
            "`--growth 1.5` reserves 50 % more",
        )
    if needs.nic_ports % needs.planes:
        told = f"{needs.nic_ports} ports of a NIC cannot be divided over {needs.planes} planes"
        raise refused(told, f"use `--nic-ports {needs.planes}`: one port in each plane")
    front = needs.frontend
    if front is not None and front.count % front.leafs:
        told = f"{front.count} ports of a server cannot be divided over {front.leafs} leafs"
        raise refused(told, f"use `--frontend-ports {front.count + 1}`, or `--frontend-leafs 1`")
    _judge_carried(needs)
    _judge_tiers(needs.backend, needs.nic_speed, needs.catalog)
    for ports in (needs.frontend, needs.storage):
        if ports is not None:
            _judge_tiers(ports.tiers, ports.speed, needs.catalog)


def _judge_carried(needs: Needs) -> None:
    if needs.frontend is not None:
        return
    if needs.demands.of_frontend:
        told = "ingest and inference need a frontend, and there is none"
        raise refused(told, "`--frontend-ports 2`")
    if needs.demands.of_storage and needs.storage is None:
        told = "checkpoints and storage reads need a storage fabric or a frontend"
        raise refused(told, "use `--storage-servers 16`, or `--frontend-ports 2`")


def _judge_tiers(tiers: Tiers, speed: BitsPerSecond, catalog: Catalog) -> None:
    for ratio in tiers.ratios:
        if ratio < 1:
            told = f"a ratio of {ratio:g} would give more uplink than downlink bandwidth"
            raise refused(
                told, "1 is non-blocking; 3 is three times as much downlink as uplink bandwidth"
            )
    leaf, *above = (_known(name, catalog) for name in tiers.models)
    _has(leaf, speed, "servers", catalog)
    for model in (leaf, *above):
        _has(model, tiers.speed, "links between switches", catalog)


def _known(name: str, catalog: Catalog) -> SwitchModel:
    model = catalog.switch(name)
    if model is None:
        hint = did_you_mean_model(name, catalog.switch_names())
        raise Failure(
            Diagnostic(Code.UNKNOWN_REFERENCE, f"switch {name!r} is not in the catalog", hint=hint)
        )
    return model


def _has(model: SwitchModel, speed: BitsPerSecond, whose: str, catalog: Catalog) -> None:
    """Refuse a speed that some cages of a switch do not support."""
    if any(cage.mode(speed) for cage in model.usable):
        return
    others = [name for name in catalog.switch_names() if catalog.known(name).has_speed(speed)]
    hint = (
        (f"switches with this speed: {', '.join(others)}")
        if others
        else ("no switch of the catalog has this speed")
    )
    told = f"{model} has no ports of {speed} for {whose}; it has "
    raise Failure(
        Diagnostic(Code.SPEED_NOT_ON_MODEL, told + ", ".join(map(str, model.speeds())), hint=hint)
    )


def refused(message: str, hint: str) -> Failure:
    """Return the error that ends the verb."""
    return Failure(Diagnostic(Code.BAD_VALUE, message, hint=hint))
