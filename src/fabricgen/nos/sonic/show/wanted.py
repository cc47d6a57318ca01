"""List the expected state of a running SONiC switch that no file states in this form."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.model.catalog.skus import EGRESS_POOL, LOSSLESS_POOL
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.show import Wanted
from fabricgen.nos.sonic.expected_zones import acl_tables
from fabricgen.nos.sonic.facts import sku_of
from fabricgen.nos.sonic.names import layout, port_names
from fabricgen.nos.sonic.show.system import RUNNING, WATCHED

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Attributes

# Processes of sonic-buildimage dockers/*/supervisord.conf.j2 without which packets stop or routes
# do not reach the chip.
_DYNAMIC_POOLS = (LOSSLESS_POOL, EGRESS_POOL, "egress_lossy_pool")
"""Mellanox-SN5600-V256 buffers_defaults_objects.j2 (sonic-net/sonic-buildimage@10ae4708)."""
_DAEMONS = {
    "swss": ("orchagent", "portsyncd", "neighsyncd", "intfmgrd", "portmgrd", "vlanmgrd", "vrfmgrd"),
    "syncd": ("syncd",),
    "bgp": ("zebra", "bgpd", "fpmsyncd"),
    "lldp": ("lldpd", "lldpmgrd"),
    "teamd": ("teamsyncd", "teammgrd"),
}


def wanted(switch_slice: SwitchSlice) -> Iterator[Wanted]:
    """Yield the state of platform objects, with its reason in the design."""
    why = switch_slice.switch.because
    running: Attributes = {"state": RUNNING}
    for name in _daemons(switch_slice):
        yield ("daemon", name), running, why
    for name in WATCHED:
        yield ("daemon", f"container {name}"), running, why
    for vlan in switch_slice.vlans:
        yield ("vlan", str(vlan.id)), {"state": "ok"}, vlan.because
    names = layout(switch_slice.switch.model, switch_slice.switch.ports)
    for key, _ in acl_tables(switch_slice, [each.name for each in names]):
        if key[0] == "acl" and len(key) == 3:
            yield key, {"state": "active"}, why
    yield from _memory(switch_slice)


def _memory(switch_slice: SwitchSlice) -> Iterator[Wanted]:
    """Yield the pools of the hwsku, and the threshold of lossless groups.

    Where the switch computes its pools, only the sizes that the hwsku has are known.
    """
    qos, buffers = switch_slice.qos, switch_slice.buffers
    if qos is None:
        return
    sku, why = sku_of(switch_slice), qos.because
    for name in _DYNAMIC_POOLS if sku.dynamic else ():
        yield ("pool", name), {}, why
    for name, row in sku.pools.items():
        own = {"size": str(row["size"])} if "size" in row else {}
        own |= {"headroom": str(row["xoff"])} if "xoff" in row and not sku.dynamic else {}
        yield ("pool", name), {**own}, why
    dynamic = sku.dynamic or sku.pools.get(LOSSLESS_POOL, {}).get("mode") == "dynamic"
    if buffers is None or not dynamic:
        return
    for item in switch_slice.marked:
        port = port_names(switch_slice.switch.model, item.port).name
        for number in qos.paused:
            yield ("headroom", port, str(number)), {"alpha": str(buffers.alpha)}, why


def _daemons(switch_slice: SwitchSlice) -> Iterator[str]:
    for names in _DAEMONS.values():
        yield from names
    if switch_slice.routing.bfd is not None and switch_slice.sessions:
        yield "bfdd"
    if switch_slice.vtep is not None:
        yield from ("vxlanmgrd", "fdbsyncd")
    if switch_slice.qos is not None:
        yield "buffermgrd"
