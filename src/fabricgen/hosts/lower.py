"""The slice of a server in; every file of it, with its view, out. What is shared is made once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.hosts.network import network_files, protected_files, single
from fabricgen.hosts.qos import nccl, qos
from fabricgen.hosts.view import Common, HostFile, Script

if TYPE_CHECKING:
    from fabricgen.hosts.slices import HostShare, HostSlice

NICS = "etc/fabricgen/nics.sh"
CHECK = "etc/fabricgen/check"
_COMMON = Because(("backend.servers",), "the same on every server of the fabric")


def lower_host(piece: HostSlice) -> list[HostFile]:
    """Return the files of one server, ready to render."""
    return [*network_files(piece), *_shared(piece.share)]


@lru_cache(maxsize=16)
def _shared(share: HostShare) -> tuple[HostFile, ...]:
    """Return the files that are the same on every server: one set of objects for all of them."""
    names = tuple(plan.nic.name for plan in share.rails)
    protected = protected_files(share.plan.network, names)
    common = Common(
        nics=names,
        mtu=share.mtu,
        roce=share.contract is not None,
        protected=protected,
        because=_COMMON,
    )
    family, told, environment = share.model.family, qos(share), nccl(share)
    files = [
        HostFile(
            path=NICS,
            index="hosts/nics_index.j2",
            view=Script(common=common, template=f"hosts/nics_{family}", nic=told, nccl=None),
            executable=True,
        ),
        HostFile(
            path=CHECK,
            index="hosts/check_index.j2",
            view=Script(
                common=common, template=f"hosts/check_{family}", nic=told, nccl=environment
            ),
            executable=True,
        ),
        single("etc/nccl.conf", "hosts/nccl", environment),
        single("etc/sysctl.d/90-fabricgen.conf", "hosts/sysctl", common),
        single("etc/systemd/system/fabricgen-nics.service", "hosts/unit", common),
        single(
            "etc/systemd/system/multi-user.target.d/fabricgen.conf", "hosts/unit_wanted", common
        ),
    ]
    if protected:
        files.append(single("etc/tmpfiles.d/fabricgen.conf", "hosts/tmpfiles", common))
    return tuple(files)
