"""The patch of CONFIG_DB, applied by an applier of the tests' own."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.deploy.sonic.standin.patching import applied

from fabricgen.model.fabric.services import Services
from fabricgen.nos.sonic.driver.onswitch.shown import differences
from fabricgen.nos.sonic.driver.onswitch.tables import (
    OWNED,
    SHARED,
    Tables,
    ours,
    patch,
    settled,
    target,
)
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.sonic.system import services

ROOT = Path(__file__).resolve().parents[3]
NAMES = st.sampled_from(("PORT", "VLAN", "PFC_WD"))
KEYS = st.sampled_from(("Ethernet0|10.0.0.0/31", "a~b", "~1", "GLOBAL"))
VALUES = st.sampled_from(("", "1", "2", ["x"], ["x", "y"]))
FIELDS = st.dictionaries(KEYS, VALUES, max_size=3)
TABLES = st.dictionaries(NAMES, st.dictionaries(KEYS, FIELDS, min_size=1, max_size=3))


@given(before=TABLES, after=TABLES)
def test_a_patch_leads_from_one_state_to_the_other(before: Tables, after: Tables) -> None:
    assert applied(before, patch(before, after)) == after
    assert patch(after, after) == []


@given(running=TABLES, rendered=TABLES)
def test_no_table_becomes_empty(running: Tables, rendered: Tables) -> None:
    assert all(target(running, rendered).values())


def test_every_field_that_differs_has_a_line() -> None:
    before: Tables = {"VLAN": {"Vlan7": {}}, "PORT": {"Ethernet0": {"lanes": ["1", "2"]}}}
    after: Tables = {"VLAN": {"Vlan7": {"mtu": "9100"}}, "PORT": {"Ethernet0": {"lanes": ["1"]}}}
    assert differences(before, after) == [
        "PORT|Ethernet0 lanes 1,2 -> 1",
        "VLAN|Vlan7 (entry) (no fields) -> (none)",
        "VLAN|Vlan7 mtu (none) -> 9100",
    ]


def test_a_table_that_is_not_rendered_any_more_goes_as_a_whole() -> None:
    steps = patch({"VLAN": {"Vlan7": {"vlanid": "7"}}}, {})
    assert steps == [{"op": "remove", "path": "/VLAN"}]


def test_fields_of_the_image_keep_their_values_and_ours_go_when_they_are_not_rendered() -> None:
    local = {"mac": "m", "hostname": "old", "bgp_asn": "1"}
    running: Tables = {"DEVICE_METADATA": {"localhost": local}, "NTP": {"global": {"vrf": "mgmt"}}}
    rendered: Tables = {"DEVICE_METADATA": {"localhost": {"hostname": "new"}}}
    wanted = target(running, rendered)
    assert wanted == {"DEVICE_METADATA": {"localhost": {"mac": "m", "hostname": "new"}}}
    assert ours(wanted) == rendered


@pytest.mark.parametrize("name", sorted(SHARED))
def test_of_shared_tables_exactly_what_is_rendered_is_ours(name: str) -> None:
    rendered = [
        json.loads(path.read_text()) for path in (ROOT / "tests/golden").rglob("config_db.json")
    ]
    full = Services(path=(), site="", vrf="mgmt", gateway="", ntp=("192.0.2.1",), banner="hello")
    rendered.append(services(full, release_of("master")))
    found = {
        (key, field)
        for tables in rendered
        for key, fields in tables.get(name, {}).items()
        for field in fields
    }
    keys, fields = SHARED[name]
    assert found == {(key, field) for key in keys for field in fields}


def test_profiles_that_the_buffer_manager_made_are_left_alone() -> None:
    made = {"pg_lossless_100000_5m_profile": {"size": "1"}}
    running: Tables = {"BUFFER_PROFILE": {**made, "mine": {"size": "2"}}}
    rendered: Tables = {"BUFFER_PROFILE": {"other": {"size": "3"}}}
    wanted = target(running, rendered)
    assert wanted == {"BUFFER_PROFILE": {**made, "other": {"size": "3"}}}
    assert settled({**running}, rendered) == {"BUFFER_PROFILE": {"mine": {"size": "2"}}}


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "tests/golden").rglob("config_db.json")),
    ids=lambda path: "/".join(path.parts[-5:-1]),
)
def test_every_table_that_is_rendered_is_owned(path: Path) -> None:
    assert set(json.loads(path.read_text())) <= set(OWNED)


def test_every_table_that_the_platform_names_is_owned() -> None:
    """Those that no golden site has, too: a table is a key of a mapping with a key below it."""
    sources = sorted((ROOT / "src/fabricgen/nos/sonic").glob("*.py"))
    found = {
        word
        for source in sources
        for word in _mapping_keys(ast.parse(source.read_text()))
        if word.isupper() and len(word) > 2
    }
    inner = {"CONTACT", "FLEX_COUNTER_STATUS", "GLOBAL", "LOCATION", "POLL_INTERVAL", "TYPE"}
    fields = {word for word in found if word.startswith("SNMP_USER_")}
    fields |= {"MATCHES", "ACTIONS", "BIND_POINTS", "PRIORITY", "PACKET_ACTION"}
    fields |= {"IP_PROTOCOL", "TCP_FLAGS", "L4_DST_PORT"}
    assert found - inner - fields <= set(OWNED)
    assert {"GNMI", "SNMP_COMMUNITY", "PFC_WD"} <= found


def _mapping_keys(tree: ast.Module) -> list[str]:
    keys = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
    places = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    constants = [each for each in (*keys, *places) if isinstance(each, ast.Constant)]
    return [each.value for each in constants if isinstance(each.value, str)]
