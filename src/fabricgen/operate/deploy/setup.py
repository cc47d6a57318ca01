"""Prepares all that a verb needs of a site's switches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nornir.core.inventory import Inventory

from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.fleet import Fleet
from fabricgen.operate.deploy.inventory.files import Read
from fabricgen.operate.deploy.inventory.options import Options
from fabricgen.operate.deploy.inventory.plugin import CONNECTION, nornir_inventory
from fabricgen.operate.deploy.plan.switch_preview import SecretFilter
from fabricgen.operate.deploy.runner import Stop
from fabricgen.operate.deploy.secrets.secrets import Secrets
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.deploy.texts import Texts

LINES = 400  # of a difference that a plan keeps; its hash is of all of it
_SLACK = 60  # seconds that one action may take beyond the timeout of a single request


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A site ready to be spoken to. there: every switch that runs, targets and neighbors."""

    site: Site
    read: Read
    targets: Mapping[str, Target]
    there: Mapping[str, Target]
    fleet: Fleet
    lens: SecretFilter


def set_up(
    site: Site,
    read: Read,
    targets: Mapping[str, Target],
    there: Mapping[str, Target],
    fleet: Fleet,
    secrets: Secrets,
) -> Deployment:
    """Put a site beside the fleet of its targets. there: every switch that runs."""
    lens = SecretFilter(
        texts=Texts(site), targets=targets, reveal=secrets.reveal, hide=secrets.hide, most=LINES
    )
    return Deployment(
        site=site,
        read=read,
        targets=targets,
        there=there,
        fleet=fleet,
        lens=lens,
    )


def fleet_of(
    targets: Mapping[str, Target],
    read: Read,
    secrets: Secrets,
    *,
    last: Callable[[Target], Options | None],
    slowest: int,
    most: int = 1000,
) -> tuple[Fleet, tuple[str, ...]]:
    """Return the fleet, and who of it is not checked for who it is.

    slowest: seconds of one action, without its driver's own. most: switches that are spoken to at
    a time, whatever the inventory allows. last: options over those of the inventory, as a lab's.
    """
    inventory = nornir_inventory(targets, read, last)
    insecure = []
    for name, host in inventory.hosts.items():
        extras = host.connection_options[CONNECTION].extras or {}
        extras["resolve"] = secrets.value
        if extras.get("insecure"):
            insecure.append(name)
    workers = min(read.inventory.nornir.workers, most)
    patience = slowest + _slowest_driver(inventory) + _SLACK
    fleet = Fleet(inventory, Stop(), secrets.hide, workers=workers, patience=patience)
    return fleet, tuple(insecure)


def _slowest_driver(inventory: Inventory) -> float:
    """Return the seconds that the slow steps of a driver may take together.

    By its own limits, or those that the inventory gives it.
    """
    slowest = 0.0
    for host in inventory.hosts.values():
        driver = nos(str(host.platform)).driver
        limits = getattr(driver.load(), "LIMITS", {}) if driver is not None else {}
        said = host.connection_options[CONNECTION].extras or {}
        slowest = max(slowest, sum(float(said.get(name, of)) for name, of in limits.items()))
    return slowest
