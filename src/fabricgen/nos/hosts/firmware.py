"""Build the persistent NIC firmware settings that the servers of a fabric share.

Names and values: NVIDIA's operator for NICs (Mellanox/nic-configuration-operator@01eed1d4,
pkg/configuration/configvalidation.go and consts.go) writes LINK_TYPE 2 for Ethernet. For RoCE it
writes ROCE_CC_PRIO_MASK 255 with CNP_DSCP and CNP_802P_PRIO. Here the values of these two come from
the contract. `mstconfig -d … show_confs` explains each setting.
"""

from collections.abc import Iterable, Mapping

from fabricgen.model.catalog.nics import NicModel
from fabricgen.model.fabric.hosts import PRIORITIES
from fabricgen.nos.hosts.routed import RoutedShare
from fabricgen.nos.hosts.view import Firmware, NicSet

FAMILY = "connectx"
"""NICs whose firmware settings a public document names."""
ETHERNET = 2
# DCQCN's numbers in the firmware: networking-docs.nvidia.com/doca/archive/3-4-0, DCQCN CC
# Parameters; its third part, rate increase, by the names of `mstconfig show_confs`.
RATES = (
    "DCE_TCP_G",
    "DCE_TCP_RTT",
    "INITIAL_ALPHA_VALUE",
    "RATE_TO_SET_ON_FIRST_CNP",
    "RPG_MIN_DEC_FAC",
    "RPG_MIN_RATE",
    "RPG_GD",
    "RATE_REDUCE_MONITOR_PERIOD",
    "CLAMP_TGT_RATE",
    "CLAMP_TGT_RATE_AFTER_TIME_INC",
    "RPG_TIME_RESET",
    "RPG_BYTE_RESET",
    "RPG_THRESHOLD",
    "RPG_AI_RATE",
    "RPG_HAI_RATE",
    "RPG_MAX_RATE",
    "MIN_TIME_BETWEEN_CNPS",
)


def firmware(share: RoutedShare, nics: NicSet) -> Firmware | None:
    """Return the firmware settings of every NIC; None without any, or without a class for RoCE.

    Each port of a card has its settings, P1 and on. If a card shows each port as a function with
    separate firmware, P1 is that port (nic-configuration-operator, pkg/nvconfig/utils.go).
    """
    if share.contract is None or share.model is None or share.family != FAMILY:
        return None
    ports = range(1, share.plan.ports + 1)
    roce = _roce(share)
    first = {f"{name}_P1": value for name, value in roce.items()}
    others = {f"{name}_P{port}": value for port in ports[1:] for name, value in roce.items()}
    links = {f"LINK_TYPE_P{port}": ETHERNET for port in ports}
    return Firmware(
        model=share.model.name,
        table=nics.table,
        word=nics.word,
        needed=_words({**_card(share, share.model), **first}.items()),
        shown=_words({**links, **others}.items()),
        parted=share.model.split.get(len(ports), ""),
        rates=" ".join(RATES),
        ports=" ".join(map(str, ports)),
        because=share.because(
            "the firmware starts with the contract of the fabric, before a driver sets it",
            ("roce",),
            ("servers", "nic"),
            *([("load_balancing",)] if share.plan.railed else []),
        ),
    )


def _card(share: RoutedShare, model: NicModel) -> Mapping[str, int]:
    """Return the settings of a card: of its model, and that reordering is no loss."""
    sprayed = {"ROCE_ADAPTIVE_ROUTING_EN": 1} if share.plan.sprayed else {}
    return {**model.firmware, **sprayed}


def _roce(share: RoutedShare) -> dict[str, int]:
    """Return the settings of each port: priorities of DCQCN, and its notification packets.

    The mask is 255, all priorities, minus those of classes without marking.
    """
    told = share.contract
    assert told is not None
    classes = {told.priority: told.ecn}
    if told.storage is not None:
        classes[told.storage.priority] = told.storage.ecn
    return {
        "ROCE_CC_PRIO_MASK": sum(1 << number for number in PRIORITIES if classes.get(number, True)),
        "CNP_DSCP": told.cnp_dscp,
        "CNP_802P_PRIO": told.cnp_priority,
    }


def _words(settings: Iterable[tuple[str, object]]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings)
