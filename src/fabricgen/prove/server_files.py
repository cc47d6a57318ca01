"""Compares the VIPs and job hints in a server's files with its design."""

import re
from collections.abc import Iterator, Mapping

from fabricgen.nos.hosts.slices import HostSlice

_LOOPBACK = re.compile(r"^interface lo\n((?: .*\n)*)exit$", re.MULTILINE)
_ADDRESS = re.compile(r"^ ip address (\S+)$", re.MULTILINE)
_HINT = re.compile(r"^([A-Z_]+)=(.*)$", re.MULTILINE)


def differences(host_slice: HostSlice, files: Mapping[str, str]) -> Iterator[str]:
    """Yield every difference as a sentence."""
    speaking = [side.bgp for side in host_slice.bridged if side.bgp is not None]
    wanted = sorted(f"{vip.address.host}/32" for bgp in speaking for vip in bgp.vips)
    blocks = _LOOPBACK.findall(files.get("etc/frr/frr.conf", ""))
    found = sorted(_ADDRESS.findall("".join(blocks)))
    if found != wanted:
        yield f"its loopback has VIPs {_listed(found)}, but the design has {_listed(wanted)}"
    job, hints = host_slice.job, _HINT.findall(files.get("etc/fabricgen/job.env", ""))
    meant = []
    if job is not None and job.rails and job.gpus:
        meant = [("FABRICGEN_JOB", job.name), ("FABRICGEN_TENSOR_PARALLEL", str(job.gpus))]
        meant += [("NCCL_CROSS_NIC", "0")]
    if hints != meant:
        yield f"its hints are of another job than {job.name if job is not None else 'none'}"


def _listed(words: list[str]) -> str:
    return ", ".join(words) or "none"
