"""`audit` names tables of a SONiC switch that are unlike those of the others, or have no effect."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.invariants.faults import Edit, put, sub
from tests.unit.invariants.small import Texts, database, tables, texts

from fabricgen.core.diagnostics import Code
from fabricgen.prove.audit.judged import judged

BE, L1, POOL = "be-su01-leaf1", "fe-leaf01", "ingress_lossless_pool"


def _hash(every: Texts) -> None:
    """Give one of the leafs of the backend another hash than the other."""
    for name, fields in ((BE, ["SRC_IP"]), ("be-su01-leaf2", ["SRC_IP", "DST_IP"])):
        own = tables(every[name])
        own["SWITCH_HASH"] = {"GLOBAL": {"ecmp_hash": fields}}
        every[name]["config_db.json"] = database(own)


def _short(every: Texts) -> None:
    """Add a sub-interface with a short name, which says no VLAN."""
    own = tables(every[L1])
    own["VLAN_SUB_INTERFACE"] = {"Eth8.20": {"admin_status": "up"}}
    every[L1]["config_db.json"] = database(own)


CASES: tuple[tuple[str, Code, str, Edit, str], ...] = (
    ("size", Code.UNLIKE_ITS_CLASS, "rails", put(BE, "BUFFER_POOL", POOL, size="1"), "size"),
    ("mode", Code.UNLIKE_ITS_CLASS, "rails", put(BE, "BUFFER_POOL", POOL, mode=None), "no mode"),
    ("hash", Code.UNLIKE_ITS_CLASS, "rails", _hash, "ecmp-hash"),
    ("fpm", Code.UNLIKE_ITS_CLASS, "rails", sub(L1, "frr.conf", "^fpm .*\n", ""), "no switch fpm"),
    (
        "threshold",
        Code.UNLIKE_ITS_CLASS,
        "rails",
        put(BE, "BUFFER_PROFILE", "egress_lossy_profile", dynamic_th="5"),
        "dynamic-threshold",
    ),
    (
        "alias",
        Code.UNLIKE_ITS_CLASS,
        "rails",
        put("fe-leaf02", "MGMT_PORT", "eth0", alias="eth1"),
        "alias eth1",
    ),
    ("name", Code.NO_EFFECT, "rails", sub(L1, "frr.conf", "^hostname .*\n", ""), "hostname"),
    ("short", Code.NO_EFFECT, "rails", _short, "Eth8.20 has a short name"),
    (
        "bundle",
        Code.NO_EFFECT,
        "pairs",
        put(L1, "PORTCHANNEL", "PortChannel1", admin_status=None),
        "PortChannel1 has no admin_status",
    ),
    (
        "key",
        Code.JUDGED_VALUE,
        "pairs",
        put(L1, "PORTCHANNEL", "PortChannel1", lacp_key="autox"),
        "lacp-key",
    ),
)


def _said(folder: Path, site: str, code: Code, edit: Callable[[Texts], None] | None) -> list[str]:
    every = texts(site, "sonic")
    if edit is not None:
        edit(every)
    for switch, own in every.items():
        for path, text in own.items():
            place = folder / switch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    found = (each for result in judged(folder).examined for each in result.findings)
    return [each.message for each in found if each.code is code]


@pytest.mark.parametrize(
    ("code", "site", "edit", "word"), [each[1:] for each in CASES], ids=[each[0] for each in CASES]
)
def test_a_table_that_is_unlike_or_idle_is_named(
    code: Code, site: str, edit: Edit, word: str, tmp_path: Path
) -> None:
    sound = _said(tmp_path / "sound", site, code, None)
    assert not any(word in each for each in sound)
    assert any(word in each for each in _said(tmp_path / "wrong", site, code, edit))
