"""What pydantic refuses, and the sentence, hint and place a person reads for it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.backend import Backend, GpuServers
from fabricgen.intent.model.frontend import Frontend, LeafGroup
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.model.tenants import Attachment, Vlan
from fabricgen.intent.schema import intent_schema
from fabricgen.intent.wording import WORDINGS, models_at, spelled

SITE = """site:
  name: lab
  management: {subnet: 10.255.0.0/22}
backend:
  design: rail-only
  servers: {count: 4, gpus: 2, nic_speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
tenants:
  red:
    vrfs:
      red: {id: 1, vlans: {web: {id: 110, subnet: 10.0.0.0/24}}}
    attachments:
      - {group: racks, access: web}
"""

WRONG = [
    ("count: 4", "count: many", "6:20", "must be a whole number, not text", ""),
    ("count: 4", 'count: "4"', "6:20", "not text", "write the number without quotes"),
    ("count: 4", "count: 4.5", "6:20", "not a number with a fraction or exponent", ""),
    ("count: 4", "count: true", "6:20", "must be a whole number, not true or false", ""),
    ("count: 4", "count: ~", "6:20", "must be a whole number, but there is no value", ""),
    ("count: 4", "count: [4]", "6:13", "must be a whole number, not a list", ""),
    ("count: 4", "count: 0", "6:20", "must be at least 1", ""),
    ("count: 4", f"count: {10**12}", "6:20", "must be at most 1,000,000", ""),
    ("name: lab", "name: 12", "2:9", "must be text, not a number", "put the value in quotes"),
    ("name: lab", "name: on1e3x-" + "y" * 40, "2:9", "must be a name: lower-case", ""),
    ("name: lab", "name: {}", "2:3", "must be text, not a mapping", ""),
    ("design: rail-only", "design: rails-only", "5:11", "must be", "did you mean 'rail-only'?"),
    ("design: rail-only", "design: x", "5:11", "'rail-only', 'rail-optimized' or 'thr", ""),
    ("platform: eos}", "platform: eos, breakout: 2}", "7:55", "must be text, not a number", "put"),
    (
        "platform: eos}",
        "platform: eos, breakout: 2x}",
        "7:55",
        "count x speed, for example 2x400G",
        "",
    ),
    ("/22}", "/22, ntp: 10.0.0.1}", "3:44", "must be a list, for example [a, b], not text", ""),
    ("/22}", "/22, ntp: [10.0.0.1, x]}", "3:55", "site.management.ntp[2]: not an IP", ""),
    ("/22}", "/22, users: [{name: a, password_hash: x1}]}", "3:72", "the location of a secret", ""),
    ("/22}", "/22, users: [{name: admin}]}", "3:47", "needs `password_hash` or `ssh_key`", ""),
    (
        "{subnet: 10.255.0.0/22}",
        "{subnet: [10.0.0.0/8]}",
        "3:16",
        "a prefix must be text, but this is a list",
        "",
    ),
    (
        "{subnet: 10.255.0.0/22}",
        "{subnet: 10}",
        "3:24",
        "a prefix must be text; put it in quotes",
        "",
    ),
    ("10.255.0.0/22", "2001:db8::/64", "3:24", "management subnet must be IPv4", ""),
    ("10.255.0.0/22", "10.255.0.0/29", "3:24", "at least a /28", ""),
    ("/22}", "/22, users: [{name: A}]}", "3:54", "must be a login name", ""),
    ("/22}", "/22, vrf: a_b}", "3:44", "at most 12", ""),
    ("/22}", "/22, domain: A.b}", "3:47", "must be a DNS domain", ""),
    ("  red:\n", "  Red:\n", "9:3", "tenants.Red: must be a name", ""),
    ("red: {id", "a b: {id", "11:7", "tenants.red.vrfs.'a b': must be a VRF name", ""),
    ("access: web", "access: web, trunk: []", "13:37", "trunk: must not be empty", ""),
    ("access: web", "leafs: 1-2", "13:9", "give exactly one of `access: VLAN`, `trunk", ""),
    ("{id: 110, subnet: 10.0.0.0/24}", "{id: 110}", "11:7", "has no subnet", ""),
    (
        "eos}\n",
        "eos}\n  underlay: {bfd: {enabled: no}}\n",
        "8:29",
        "true or false, not text",
        "YAML",
    ),
    ("eos}\n", "eos}\n  oversubscription: .inf\n", "8:21", "must be a number, not text", ""),
    ("eos}\n", "eos}\n  oversubscription: 1e999\n", "8:21", "must be a finite number", ""),
    ("eos}\n", "eos}\n  oversubscription: 0\n", "8:21", "must be more than 0", ""),
    ("eos}\n", "eos}\n  switches: {../x: {platform: eos}}\n", "8:14", "must be a host name", ""),
]


@pytest.mark.parametrize(("old", "new", "place", "said", "hint"), WRONG)
def test_a_value_is_refused_in_plain_words(
    old: str, new: str, place: str, said: str, hint: str
) -> None:
    assert old in SITE
    loaded = load_texts({"a.yaml": SITE.replace(old, new, 1)})
    assert len(loaded.findings) == 1, loaded.findings
    found = loaded.findings[0]
    secret = "the location of a secret" in said
    assert found.code is (Code.SECRET_IN_CLEAR if secret else Code.BAD_VALUE)
    assert said in found.message
    assert hint in found.hint
    where = found.position or loaded.source.locate(found.path, key=found.at_key)
    assert str(where) == f"a.yaml:{place}"


@pytest.mark.parametrize(
    ("old", "new", "place", "near"),
    [
        ("backend:", "bakend:", "4:1", "backend"),
        ("gpus: 2", "gpus: 2, nicks: 3", "6:32", "nics"),
        ("subnet: 10.255", "gatway: 10.0.0.1, subnet: 10.255", "3:16", "gateway"),
        ("{id: 110", "{id: 110, gatewy: 10.0.0.1", "11:43", "gateway"),
        ("{group:", "{server: 1-2, group:", "13:10", "servers"),
    ],
)
def test_an_unknown_key_is_offered_the_nearest_one(
    old: str, new: str, place: str, near: str
) -> None:
    loaded = load_texts({"a.yaml": SITE.replace(old, new, 1)})
    found = loaded.findings[0]
    assert found.code is Code.UNKNOWN_KEY
    assert found.hint == f"did you mean {near!r}?"
    assert str(loaded.source.locate(found.path, key=True)) == f"a.yaml:{place}"


def test_an_unknown_key_that_is_near_nothing_lists_what_is_known() -> None:
    loaded = load_texts({"a.yaml": SITE + "zzz: 1\n"})
    known = (
        "acknowledge, applications, backend, cabling, dci, distribution, fabrics, failures, "
        "flows, frontend, gateways, jobs, …"
    )
    assert loaded.findings[0].hint == f"known: {known}"


def test_an_unknown_key_of_a_fabric_is_offered_the_keys_of_its_kind() -> None:
    """`rails` is near, but no key of kind evpn, and `leafs_per_nic` is one of rails alone."""
    text = "fabrics:\n  front: {kind: evpn, ratio: 2, leaf: {}}\n"
    loaded = load_texts({"a.yaml": SITE + text})
    hint = next(each.hint for each in loaded.findings if each.path[-1:] == ("ratio",))
    assert hint.startswith(
        "known: addressing, buffer_per_port, classes, custom_config, demand, descriptions, "
    )
    assert "leafs_per_nic" not in hint


def test_a_missing_key_stands_at_what_lacks_it_and_says_what_it_is() -> None:
    loaded = load_texts({"a.yaml": SITE.replace(", nic_speed: 400G", "")})
    found = loaded.findings[0]
    assert found.code is Code.MISSING_KEY
    assert found.message == "the key 'nic_speed' is missing in backend.servers"
    assert found.hint == "Speed of one NIC port."
    assert str(loaded.source.locate(found.path, key=True)) == "a.yaml:6:3"


def test_no_message_repeats_a_value_that_may_be_a_secret() -> None:
    users = "/22, users: [{name: a, password_hash: hunter2}, {name: b, password_hash: [hunter2]}]}"
    loaded = load_texts({"a.yaml": SITE.replace("/22}", users)})
    assert len(loaded.findings) == 2
    assert "hunter2" not in repr(loaded.findings)


def test_a_path_is_spelled_for_people() -> None:
    assert spelled(("a", "ntp", 1, "x y", "be-leaf1")) == "a.ntp[2].'x y'.be-leaf1"


@pytest.mark.parametrize(
    ("path", "models"),
    [
        (("backend",), (Backend,)),
        (("backend", "servers"), (GpuServers,)),
        (("tenants", "red", "vrfs", "v", "vlans", "w"), (Vlan,)),
        (("tenants", "red", "attachments", 3), (Attachment,)),
        (("fabrics", "su2"), (Frontend, Backend, Routed, Access)),
        (("fabrics", "su2", "leaf_groups", "racks"), (LeafGroup,)),
        (("backend", "nowhere", "deeper"), ()),
        (("backend", "design", "deeper"), ()),
    ],
)
def test_a_path_leads_to_its_models(
    path: tuple[str | int, ...], models: tuple[type[BaseModel], ...]
) -> None:
    assert models_at(path) == [*models]


def patterns(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str) and "examples" not in schema:
            yield schema["pattern"]
        yield from schema.get("patternProperties", {})
        for part in schema.values():
            yield from patterns(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from patterns(part)


def test_every_pattern_of_the_model_has_its_words() -> None:
    asked = set(patterns(intent_schema({"eos": ()})))
    assert asked
    assert asked <= set(WORDINGS)
    assert all(re.compile(pattern) for pattern in WORDINGS)
