"""Spell the names in frr.conf as SONiC needs them."""

from functools import lru_cache

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.shared.frr.names import FrrNames
from fabricgen.nos.sonic.names import (
    MULTIPATH,
    ROUTER_ID,
    bundle_name,
    port_names,
    share_name,
    vrf_name,
)
from fabricgen.nos.sonic.releases import release_of

# Without these lines zebra does not pass its routes to fpmsyncd. docker_init.sh of docker-fpm-frr
# appends both when the first is missing, and so would change the rendered file.
FRR_PREAMBLE = ("no fpm use-next-hop-groups", "fpm address 127.0.0.1")


@lru_cache(maxsize=64)
def frr_names(model: SwitchModel, release: str) -> FrrNames:
    """Return the names in frr.conf for a switch model and a release."""

    def port(wanted: Port) -> str:
        return port_names(model, wanted).name

    def outward(item: Interface) -> str:
        own = bundle_name(item.lag) if item.lag is not None else port(item.port)
        return share_name(own, item.tag) if item.tag is not None else own

    return FrrNames(
        port=port,
        loopback=ROUTER_ID,
        vrf=vrf_name,
        outward=outward,
        version=release_of(release).frr,
        multipath=MULTIPATH,
        preamble=FRR_PREAMBLE,
        nexthop_objects=release_of(release).nexthop_objects,
        group_keep=release_of(release).group_keep,
        bundle=bundle_name if release_of(release).segments else None,
    )
