"""Write the first-boot files of switches and the DHCP configuration.

Forms of Kea: Kea Administrator Reference Manual 2.2, "Standard DHCPv4 Options" and "Host
Reservations in DHCPv4".
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.compile.checks.tally import listing
from fabricgen.compile.compiler import File, folder_of, slices
from fabricgen.core.record import record
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.managed import ManagedPort
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.registry import nos
from fabricgen.operate.export.absent import NAMED

KEA = "kea-dhcp4.json"


@record(kw_only=True)
class Bootstrap:
    """Files with the numbers of switches and reservations. left: sentences about missing parts."""

    files: tuple[File, ...]
    switches: int
    reserved: int
    left: tuple[str, ...]


def bootstrap(
    site: Site, rendered: Iterable[tuple[Switch | Server, Sequence[File]]], url: str
) -> Bootstrap:
    """Write the first-boot files. url: address of the folder, without a trailing slash."""
    texts = dict(_texts(rendered))
    files: list[File] = []
    reservations: list[dict[str, Any]] = []
    left: dict[str, list[str]] = defaultdict(list)
    images: dict[str, Mapping[str, str]] = {}
    switches = 0
    for fabric, switch_slice in slices(site):
        name, late = switch_slice.switch.name, nos(switch_slice.switch.platform).first_boot
        if late is None:
            left[f"{switch_slice.switch.platform} has no DHCP boot, install it separately"].append(
                name
            )
            continue
        switches += 1
        first = late.load()(switch_slice, texts[name], f"{url}/{name}")
        files += _below(name, first.files)
        images |= {image_of(switch_slice.switch.platform): first.image}
        if mac := fabric.identities.get(name, Identity()).mac:
            reservations.append(_reservation(switch_slice, mac, f"{url}/{name}/{first.start}"))
        else:
            left["no DHCP reservation without `mac:`"].append(name)
    files += [file for folder, image in images.items() for file in _below(folder, image)]
    secrets = {each[1] for file in files for each in PLACEHOLDER.finditer(file.text)}
    left["secrets to fill in on the file server"] += sorted(secrets)
    managed = [port for fabric in site.fabrics for port in _managed(fabric)]
    left["no DHCP reservation without a MAC in `macs:`"] += [
        port.server for port in managed if not port.mac
    ]
    known = [port for port in managed if port.mac]
    files.append(
        File(KEA, json.dumps(_kea(site, reservations, known), indent=2) + "\n", executable=False)
    )
    return Bootstrap(
        files=tuple(sorted(files, key=lambda file: file.path)),
        switches=switches,
        reserved=len(reservations),
        left=tuple(f"{why}: {listing(names, NAMED)}" for why, names in left.items() if names),
    )


def image_of(platform: str) -> str:
    """Return the folder with the required files in the images of a platform."""
    return f"image-{platform}"


def _below(folder: str, texts: Mapping[str, str]) -> list[File]:
    return [File(f"{folder}/{path}", text, executable=False) for path, text in texts.items()]


def _texts(
    rendered: Iterable[tuple[Switch | Server, Sequence[File]]],
) -> Iterator[tuple[str, dict[str, str]]]:
    for owner, files in rendered:
        if isinstance(owner, Switch):
            below = f"{folder_of(owner)}/"
            yield owner.name, {file.path.removeprefix(below): file.text for file in files}


def _reservation(switch_slice: SwitchSlice, mac: str, start: str) -> dict[str, Any]:
    return {
        "hw-address": mac,
        "ip-address": switch_slice.management.host,
        "hostname": switch_slice.switch.name,
        "option-data": [{"name": "boot-file-name", "data": start, "always-send": True}],
    }


def _managed(fabric: Fabric) -> Iterator[ManagedPort]:
    if fabric.managed is not None:
        yield from fabric.managed.each(fabric.topology.places)


def _kea(
    site: Site, reservations: Sequence[Mapping[str, Any]], managed: Sequence[ManagedPort]
) -> dict[str, Any]:
    """Return a server that answers only known devices, because it has no pool."""
    subnet = next(switch_slice.management.prefix for _, switch_slice in slices(site))
    subnets = [_subnet(1, subnet, site.services.gateway, reservations)]
    for vlan in dict.fromkeys(port.vlan for port in managed):
        (gateway,) = vlan.gateways
        known = [_reserved(port) for port in managed if port.vlan is vlan]
        subnets.append(_subnet(vlan.id, gateway.prefix, gateway.host, known))
    return {"Dhcp4": {"interfaces-config": {"interfaces": ["*"]}, "subnet4": subnets}}


def _reserved(port: ManagedPort) -> dict[str, Any]:
    name = f"{port.server}-{port.network}"
    return {"hw-address": port.mac, "ip-address": port.address.host, "hostname": name}


def _subnet(
    number: int, subnet: str, gateway: str, reservations: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    return {
        "id": number,
        "subnet": subnet,
        "option-data": [{"name": "routers", "data": gateway}],
        "reservations": list(reservations),
    }
