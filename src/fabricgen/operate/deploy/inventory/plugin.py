"""Make a Nornir inventory from the switches of a site and their options.

SimpleInventory of Nornir reads hosts from a file. These hosts are compiled, so the list always
matches the intent.
"""

import copy
from collections.abc import Callable, Mapping
from pathlib import Path

from nornir.core.inventory import (
    ConnectionOptions,
    Defaults,
    Group,
    Groups,
    Host,
    Hosts,
    Inventory,
    ParentGroups,
)

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.deploy.inventory.files import Read, options_of, read_inventory
from fabricgen.operate.deploy.inventory.options import Options
from fabricgen.operate.deploy.targets import Target, targets_of

CONNECTION = "fabricgen"
"""Name of the connection plugin in Nornir."""


class FabricgenInventory:
    """Inventory plugin of Nornir: `inventory: {plugin: FabricgenInventory, options: {site: …}}`."""

    def __init__(self, site: str, inventory: str = "inventory") -> None:
        """Take the folder of a site and the folder of its inventory."""
        self.site, self.inventory = Path(site), Path(inventory)

    def load(self) -> Inventory:
        """Compile the site and return its hosts.

        Raises:
            ValueError: The site or the inventory has errors; the message lists all of them.
        """
        result = compile_site(load_site(self.site))
        if not result.ok or result.site is None:
            raise ValueError("; ".join(finding.message for finding in result.findings))
        targets = targets_of(result.site)
        read = read_inventory(self.inventory, targets)
        if read.findings:
            raise ValueError("; ".join(finding.message for finding in read.findings))
        return nornir_inventory(targets, read)


def nornir_inventory(
    targets: Mapping[str, Target],
    read: Read,
    last: Callable[[Target], Options | None] = lambda _: None,
) -> Inventory:
    """Build the inventory: hosts in groups by platform and fabric.

    Each host gets its own options. The drivers of nornir_napalm write into group options, and then
    connect to the next host of the group at the port of the first host.
    """
    groups = Groups()
    for name in sorted({word for it in targets.values() for word in (it.platform, it.fabric)}):
        groups[name] = Group(name)
    hosts = Hosts()
    for target in targets.values():
        options = options_of(read, target, last(target))
        hosts[target.name] = Host(
            target.name,
            hostname=str(options.pop("address", target.address)),
            port=_number(options.pop("port", None)),
            username=_text(options.pop("username", None)),
            platform=target.platform,
            groups=ParentGroups([groups[target.platform], groups[target.fabric]]),
            data={"fabric": target.fabric, "target": target},
            connection_options={
                CONNECTION: ConnectionOptions(
                    extras={
                        "name": options.pop("known_as", target.name),
                        **({"renames": True} if target.previous_name or target.serial else {}),
                        **({"keep": dict(target.unmanaged)} if target.unmanaged else {}),
                        **copy.deepcopy(options),
                    }
                )
            },
        )
    return Inventory(hosts, groups, Defaults())


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)
