"""Prepare the fleet and the previews of a site's switches for a command."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nornir.core.inventory import Inventory

from fabricgen.intent.source import SourceMap
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

LINES = 400  # stored lines of a difference; the hash covers all lines
_SLACK = 60  # seconds of one action beyond the timeout of a single request


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A site with its connections. there: all running switches, targets and neighbors.

    `source`: the places of its intent.
    """

    site: Site
    read: Read
    targets: Mapping[str, Target]
    there: Mapping[str, Target]
    fleet: Fleet
    lens: SecretFilter
    source: SourceMap


def set_up(
    site: Site,
    read: Read,
    targets: Mapping[str, Target],
    there: Mapping[str, Target],
    fleet: Fleet,
    secrets: Secrets,
    source: SourceMap,
) -> Deployment:
    """Combine a site with the fleet of its targets. there: all running switches."""
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
        source=source,
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
    """Return the fleet, and the switches whose host key or certificate is not verified.

    Args:
        targets: The switches.
        read: The inventory.
        secrets: Resolved secrets.
        last: Options that override the inventory, for example the options of a lab.
        slowest: Seconds of one action without the steps of its driver.
        most: Limit of simultaneous connections, in addition to the inventory's.
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
    """Return the largest sum of the time limits of a driver, with the limits of the inventory."""
    slowest = 0.0
    for host in inventory.hosts.values():
        driver = nos(str(host.platform)).driver
        limits = getattr(driver.load(), "LIMITS", {}) if driver is not None else {}
        said = host.connection_options[CONNECTION].extras or {}
        slowest = max(slowest, sum(float(said.get(name, of)) for name, of in limits.items()))
    return slowest
