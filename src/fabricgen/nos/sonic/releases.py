"""Define the SONiC releases and their differences, each with its source.

A release is a branch of sonic-net/sonic-buildimage with its submodules. The facts are of the
branches of August 2026. Each field names the file that decides it.
"""

import re

from fabricgen.core.record import record
from fabricgen.model.catalog.targets import DEFAULT_RELEASE, branch_of


@record(kw_only=True)
class Release:
    """Facts of a branch.

    Attributes:
        commit: Commit of sonic-buildimage that was read.
        frr: FRR of its bgp container (rules/frr.mk).
        search: Whether the DNS search domain has a table (DNS_OPTIONS, sonic-dns.yang).
        gnmi_vrf: Whether the gNMI server can be bound to the management VRF (GNMI|gnmi|vrf,
            sonic-gnmi.yang of 2025-09-01).
        trims: Whether CONFIG_DB has SWITCH_TRIMMING and packet_discard_action (sonic-trimming.yang,
            sonic-buffer-profile.yang).
        marks: Whether orchagent polls the packets that each queue marks (sonic-swss orchagent/
            flexcounterorch.cpp). sonic-flex_counter.yang of 202405 has the key without a poll.
        nexthop_objects: Whether zebra gives the kernel nexthop objects. If not,
            dockers/docker-fpm-frr/docker_init.sh appends `no zebra nexthop kernel enable` to a
            frr.conf
            without that line at each start of the container (pull 23294). It no longer does from
            202511
            on, where zebra/zebra.conf.j2 of SONiC's own mode has the opposite.
        group_keep: Seconds of `zebra nexthop-group keep` in zebra/zebra.conf.j2 of SONiC's own
            mode.
            With FRR's 180, flapping links made zebra exhaust the memory (pull 21135).
        checks_reload: Whether `config reload FILE` ends on any YANG error and on a table without a
            model (sonic-utilities config/main.py). Before, only for a file name with "golden".
        segments: Whether swss and the models have EVPN_ETHERNET_SEGMENT (sonic-evpn.yang of
            2026-05-27, of sonic-buildimage pull 27543) since sonic-swss pulls 4608 and 4615.
    """

    commit: str
    frr: str
    search: bool = True
    trims: bool = True
    gnmi_vrf: bool = False
    marks: bool = True
    nexthop_objects: bool = True
    group_keep: int | None = 1
    checks_reload: bool = True
    segments: bool = False


RELEASES = {
    "202405": Release(
        commit="cfc766e13e",
        frr="8.5.4",
        search=False,
        trims=False,
        marks=False,
        checks_reload=False,
        nexthop_objects=False,
        group_keep=None,
    ),
    "202411": Release(
        commit="566f5575d5",
        frr="10.0.1",
        search=False,
        trims=False,
        marks=False,
        checks_reload=False,
        nexthop_objects=False,
        group_keep=None,
    ),
    "202505": Release(commit="ff3c0c9f68", frr="10.3", search=False, nexthop_objects=False),
    "202511": Release(commit="fde92d26cb", frr="10.4.1"),
    "202605": Release(commit="10ae470875", frr="10.5.4"),
    "master": Release(commit="086b03bd70", frr="10.5.4", gnmi_vrf=True, segments=True),
}
DEFAULT = DEFAULT_RELEASE


def train(version: str) -> str:
    """Return the branch of a version of `show version`; empty for a vendor's own numbers.

    `SONiC.202505.1091234-0a1b2c3d4`: branch, build and commit (sonic-buildimage functions.sh
    sonic_get_version).
    """
    branch = re.match(r"SONiC\.(\d{6}|master)(?=[.-]|$)", version)
    return branch[1] if branch else ""


def release_of(name: str) -> Release:
    """Return a release by its name; an empty name selects the default."""
    return RELEASES[branch_of(name) or DEFAULT]
