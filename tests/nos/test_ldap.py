"""LDAP at login: what SONiC gets, what is read back from it, and who refuses it."""

import json

import pytest
from tests.unit.adopt.examples import network

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.importer.management import read_logins
from fabricgen.intent.load import load_texts
from fabricgen.prove.written import prove

LDAP = {
    "servers": ["10.255.0.201", "10.255.0.200"],
    "key": "env:LDAP",
    "base_dn": "dc=example,dc=net",
    "bind_dn": "cn=switches",
}
SITE = """
site:
  name: lab
  management:
    subnet: 10.255.0.0/24
    users: [{name: admin, password_hash: "env:HASH"}]
    aaa:
      ldap: LDAP
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 1}
  links: {speed: 100G}
  leaf_groups: {a: {leafs: 1-1, servers: {per_leaf: 2, speed: 25G}}}
"""
MODELS = {"eos": "7050CX3-32S", "sonic": "SN3700", "linux": "SN3700"}


def _site(platform: str) -> str:
    return (
        SITE.replace(" LDAP", f" {json.dumps(LDAP)}")
        .replace("PLATFORM", platform)
        .replace("MODEL", MODELS[platform])
    )


def test_sonic_asks_the_servers_in_their_order_and_then_local_accounts() -> None:
    made = compile_site(load_texts({"site.yaml": _site("sonic")}))
    assert made.site is not None, made.findings
    switch_slice = next(each for _, each in slices(made.site))
    files = {each.path.split("/", 2)[2]: each.text for each in files_of(switch_slice, Renderer())}
    tables = json.loads(files["config_db.json"])
    assert tables["LDAP_SERVER"] == {
        "10.255.0.201": {"priority": "8"},
        "10.255.0.200": {"priority": "7"},
    }
    assert tables["LDAP"]["global"] == {
        "base_dn": "dc=example,dc=net",
        "bind_dn": "cn=switches",
        "bind_password": "<<secret:env:LDAP>>",
    }
    assert tables["AAA"] == {"authentication": {"login": "ldap,local"}}
    assert not prove(switch_slice, files).findings
    there = network({switch_slice.switch.name: files}, {switch_slice.switch.name: "sonic"})
    assert read_logins(there, {}) == {"site": {"management": {"aaa": {"ldap": LDAP}}}}


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("eos", "does not support ldap: no public document"),
        ("linux", "does not support ldap: Debian's nslcd"),
    ],
)
def test_what_a_platform_lacks_is_refused(platform: str, words: str) -> None:
    made = compile_site(load_texts({"site.yaml": _site(platform)}))
    assert any(words in each.message for each in made.findings), made.findings
    assert not made.ok
