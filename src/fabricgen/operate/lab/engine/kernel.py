"""Wrap kernel calls that Python lacks: load modules by path, run threads in namespaces."""

import ctypes
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

CLONE_NEWNET = 0x40000000
_FINIT_MODULE = 313  # x86-64 only, as is user-mode-linux
_libc = ctypes.CDLL(None, use_errno=True)

MODULES = (
    *("overlay", "ipv6", "bridge", "8021q", "veth", "vxlan", "vrf", "dummy"),
    *("bonding", "ip_gre"),
    *("sch_htb", "sch_red", "sch_prio", "sch_ets", "sch_netem", "sch_ingress"),
    *("cls_flower", "cls_matchall", "act_gact", "act_mirred", "act_vlan"),
)
"""Modules that switches and hosts need."""


def load_modules(folder: Path, wanted: Iterable[str] = MODULES) -> list[str]:
    """Load modules and their dependencies from a folder with a modules.dep; return missing names.

    modprobe cannot be used, because it expects its folder at /lib/modules, which a lab must not
    change.
    """
    paths, missing = in_order(folder, wanted)
    for path in paths:
        _insert(path)
    return missing


def in_order(folder: Path, wanted: Iterable[str]) -> tuple[list[Path], list[str]]:
    """Return the files of modules, each after its dependencies, and the missing names."""
    needs = {}
    for line in (folder / "modules.dep").read_text().splitlines():
        module, _, others = line.partition(":")
        needs[_name(module)] = (module, others.split())
    done = {_name(line) for line in (folder / "modules.builtin").read_text().splitlines()}
    paths, missing = [], []
    for name in wanted:
        if name in done:
            continue
        if name not in needs:
            missing.append(name)
            continue
        path, below = needs[name]
        for each in [*reversed(below), path]:
            if _name(each) not in done:
                paths.append(folder / each)
                done.add(_name(each))
    return paths, missing


def _name(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].replace("-", "_")


def _insert(path: Path) -> None:
    with path.open("rb") as file:
        done = _libc.syscall(_FINIT_MODULE, file.fileno(), b"", 0)
    if done and ctypes.get_errno() != 17:  # EEXIST: already loaded
        raise OSError(ctypes.get_errno(), f"loading {path.name}")


@contextmanager
def inside(name: str) -> Iterator[None]:
    """Move this thread into a named network namespace; sockets created there stay there."""
    with (
        Path("/proc/thread-self/ns/net").open("rb") as own,
        Path("/run/netns", name).open("rb") as there,
    ):
        _enter(there.fileno())
        try:
            yield
        finally:
            _enter(own.fileno())


def _enter(descriptor: int) -> None:
    if _libc.setns(descriptor, CLONE_NEWNET):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
