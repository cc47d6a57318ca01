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

# Terabytes are 10^12 bytes, and a rate is that of the data: what protocols add is not in it.

_HOUR = 3600


def rate(bits: float) -> str:
    """Spell bits per second."""
    return f"{BitsPerSecond(round(bits))}b/s"


@record(kw_only=True)
class Transfer:
    """Data between sites. wan: bits per second that the links between them have, 0 if not said."""

    terabytes: float
    hours: float
    growth: float
    wan: int

    @property
    def bits(self) -> float:
        """Return the bits that there are, with growth."""
        return self.terabytes * self.growth * 8e12

    @property
    def needed(self) -> float:
        """Return the bits per second that the window asks for."""
        return self.bits / (self.hours * _HOUR)

    @property
    def fits(self) -> bool:
        """Tell whether the links carry it in time; nothing is asked of links that are not said."""
        return not self.wan or self.needed <= self.wan

    @property
    def sentence(self) -> str:
        """Say what it takes, and how long the links are at it."""
        asked = f"{self.terabytes:g} TB x {self.growth:g} to another site in {self.hours:g} h"
        told = f"{asked} take {rate(self.needed)}"
        if not self.wan:
            return told
        spent = self.bits / self.wan / _HOUR
        sign = "<=" if self.fits else ">"
        return f"{told} {sign} {rate(self.wan)} between the sites, which carry it in {spent:.3g} h"


@record(kw_only=True)
class Tiers:
    """The hardware of a fabric and what it may oversubscribe, from the leafs up.

    models: by tier. ratios: most bandwidth from below per bandwidth up, of leafs and of spines.
    speed: of links between switches; platform: empty for the first that a model runs.
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
    """Bits per second that all servers ask for together, at once, either way."""

    ingest: int = 0
    inference: int = 0
    checkpoint: int = 0
    storage_reads: int = 0

    @property
    def of_frontend(self) -> bool:
        """Tell whether any of them is the frontend's, whatever else there is."""
        return bool(self.ingest or self.inference)

    @property
    def of_storage(self) -> bool:
        """Tell whether any of them is that of storage."""
        return bool(self.checkpoint or self.storage_reads)


@record(kw_only=True)
class Needs:
    """What is asked for. growth: the factor that servers and demands may grow by.

    nics: RDMA NICs of a server; nic_ports: ports of each, of nic_speed. unit: servers of a
    scalable unit, None for as many as a leaf has room for. near, far: meters of cable from server
    to leaf, and between switches. storage_servers: none for no storage fabric. nvlink: GPUs of a
    domain of several servers, 0 for none; fc_ports: of Fibre Channel of each storage server.
    catalog: the hardware that may be named; facts: the files of a site that add to it, by path.
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
        """Return how many servers there is to be room for."""
        return ceil(round(self.servers * self.growth, 9))

    @property
    def all_gpus(self) -> int:
        """Return how many GPUs are bought."""
        return self.servers * self.gpus


def judge(needs: Needs) -> None:
    """Raise Failure for the first thing that no design can be made of."""
    if not needs.servers:
        raise refused("0 servers: there is nothing to connect", "`--servers 16` or more")
    if needs.growth < 1:
        raise refused(
            f"growth by a factor of {needs.growth:g} would shrink", "`--growth 1.5` keeps half more"
        )
    if needs.nic_ports % needs.planes:
        told = f"{needs.nic_ports} ports of a NIC do not divide over {needs.planes} planes"
        raise refused(told, f"`--nic-ports {needs.planes}`: a port in each plane")
    front = needs.frontend
    if front is not None and front.count % front.leafs:
        told = f"{front.count} ports of a server do not divide over {front.leafs} leafs"
        raise refused(told, f"`--frontend-ports {front.count + 1}`, or `--frontend-leafs 1`")
    _judge_carried(needs)
    _judge_tiers(needs.backend, needs.nic_speed, needs.catalog)
    for ports in (needs.frontend, needs.storage):
        if ports is not None:
            _judge_tiers(ports.tiers, ports.speed, needs.catalog)


def _judge_carried(needs: Needs) -> None:
    if needs.frontend is not None:
        return
    if needs.demands.of_frontend:
        told = "ingest and inference come over the frontend, and there is none"
        raise refused(told, "`--frontend-ports 2`")
    if needs.demands.of_storage and needs.storage is None:
        told = "checkpoints and storage reads have neither a storage fabric nor a frontend"
        raise refused(told, "`--storage-servers 16`, or `--frontend-ports 2`")


def _judge_tiers(tiers: Tiers, speed: BitsPerSecond, catalog: Catalog) -> None:
    for ratio in tiers.ratios:
        if ratio < 1:
            told = f"a ratio of {ratio:g} would buy more bandwidth up than comes from below"
            raise refused(told, "1 is non-blocking; 3 is three from below for one up")
    leaf, *above = (_known(name, catalog) for name in tiers.models)
    _has(leaf, speed, "servers", catalog)
    for model in (leaf, *above):
        _has(model, tiers.speed, "links between switches", catalog)


def _known(name: str, catalog: Catalog) -> SwitchModel:
    model = catalog.switch(name)
    if model is None:
        hint = did_you_mean_model(name, catalog.switch_names())
        raise Failure(
            Diagnostic(Code.UNKNOWN_REFERENCE, f"no switch {name!r} in the catalog", hint=hint)
        )
    return model


def _has(model: SwitchModel, speed: BitsPerSecond, whose: str, catalog: Catalog) -> None:
    """Refuse a speed that some cages of a switch have not."""
    if any(cage.mode(speed) for cage in model.usable):
        return
    others = [name for name in catalog.switch_names() if catalog.known(name).has_speed(speed)]
    hint = f"these have it: {', '.join(others)}" if others else "no switch of the catalog has it"
    told = f"{model} has no ports of {speed} for {whose}; it has "
    raise Failure(
        Diagnostic(Code.SPEED_NOT_ON_MODEL, told + ", ".join(map(str, model.speeds())), hint=hint)
    )


def refused(message: str, hint: str) -> Failure:
    """Return the error that ends the verb."""
    return Failure(Diagnostic(Code.BAD_VALUE, message, hint=hint))
