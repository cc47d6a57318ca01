"""Sites of several fabrics: each has names and numbers of its own, and none moves another's."""

import json
import re
from ipaddress import ip_network
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.unit.design.sites import Keys, frontend

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.intent.load import load_texts

SUBNET = "10.255.0.0/20"
BACKEND: Keys = {
    "design": "rail-only",
    "servers": {"count": 4, "gpus": 2, "nic_speed": "400G"},
    "leaf": {"model": "7060X6-64PE", "platform": "eos"},
}
RAILS = {**BACKEND, "kind": "rails"}
EVPN = {**frontend()["frontend"], "kind": "evpn"}
_SIDE: Keys = {"servers": {"count": 4, "speed": "400G"}}
STORAGE: Keys = {
    "kind": "routed",
    "leaf": BACKEND["leaf"],
    "spine": BACKEND["leaf"],
    "sides": {"compute": _SIDE, "storage": _SIDE},
}
TENANT = {
    "vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 110, "subnet": "10.20.0.0/24"}}}},
    "attachments": [{"group": "racks", "access": "web"}],
}


def compiled(keys: Keys) -> Compiled:
    time = {"ntp": ["10.255.15.250", "10.255.15.251"]}
    site = {"name": "lab", "management": {"subnet": SUBNET, **time}}
    return compile_site(load_texts({"site.yaml": json.dumps({"site": site, **keys})}))


def texts(keys: Keys) -> dict[str, str]:
    """Return every file of a site by its path."""
    done = compiled(keys)
    assert done.ok, done.findings
    assert done.site is not None
    return {each.path: each.text for _, group in files(done.site) for each in group}


def errors(keys: Keys) -> list[Diagnostic]:
    return [item for item in compiled(keys).findings if item.severity is Severity.ERROR]


def numbered(number: int, words: Keys = RAILS, **more: Any) -> Keys:
    return {**words, "number": number, **more}


def below(tree: dict[str, str], *folders: str) -> dict[str, str]:
    return {path: text for path, text in tree.items() if path.split("/")[0] in folders}


def test_the_short_keys_are_fabrics_of_that_name() -> None:
    long = texts({"fabrics": {"backend": RAILS, "frontend": EVPN}, "tenants": {"red": TENANT}})
    short = texts({"backend": BACKEND, **frontend(), "tenants": {"red": TENANT}})
    assert long == short


def test_the_page_shows_a_site_that_compiles() -> None:
    page = (Path(__file__).parents[3] / "docs" / "design" / "sites.md").read_text()
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[:2]
    done = compile_site(load_texts({f"{n}.yaml": text for n, text in enumerate(blocks)}))
    assert done.ok, done.findings
    assert done.site is not None
    assert [fabric.name for fabric in done.site.fabrics] == ["frontend", "su1", "su2"]


def test_a_fabric_has_a_folder_and_names_of_its_own() -> None:
    tree = texts({"fabrics": {"su1": numbered(1), "su2": numbered(2), "edge": EVPN}})
    owners = {path.rsplit("/", path.count("/") - 1)[0] for path in tree}
    assert {"su1/su1-leaf1", "su2/su2-leaf2", "edge/edge-leaf01", "edge/edge-spine2"} <= owners
    assert {"hosts/su1-gpu0001", "hosts/su2-gpu0004"} <= owners


def test_another_fabric_moves_nothing() -> None:
    alone = texts({"backend": BACKEND, **frontend(), "tenants": {"red": TENANT}})
    more = {"fabrics": {"aa": numbered(7), "zz": numbered(1), "edge": numbered(2, EVPN)}}
    red = {"red": {**TENANT, "fabric": "frontend"}}
    both = texts({"backend": BACKEND, **frontend(), **more, "tenants": red})
    assert alone.items() <= both.items()


def test_numbered_fabrics_share_no_address_and_no_asn() -> None:
    words = {f"su{number}": numbered(number) for number in range(1, 8)}
    site = compiled({**frontend(), "backend": BACKEND, "fabrics": words}).site
    assert site is not None
    assert len(site.fabrics) == 9
    for one, other in combinations(site.fabrics, 2):
        mine, theirs = (
            [
                ip_network(str(pool.whole))
                for pool in (each.addresses.loopbacks, each.addresses.links, each.addresses.vteps)
                if pool is not None
            ]
            + ([ip_network(str(each.addresses.nics.pool.whole))] if each.addresses.nics else [])
            for each in (one, other)
        )
        assert not any(a.overlaps(b) for a in mine for b in theirs), (one.name, other.name)
    numbered_ones = [fabric for fabric in site.fabrics if fabric.name.startswith("su")]
    asns = [fabric.routing.asns for fabric in numbered_ones]
    assert all(a.last < b.first or b.last < a.first for a, b in combinations(asns, 2))


def test_what_is_given_goes_before_what_follows_from_the_number() -> None:
    said: Keys = {
        "addressing": {"nics": "172.31.0.0/16"},
        "underlay": {"asn": {"first": 64512, "last": 65000}},
        "management": "10.255.12.0/24",
    }
    site = compiled({"fabrics": {"su1": numbered(1, **said)}}).site
    assert site is not None
    (fabric,) = site.fabrics
    assert fabric.addresses.nics is not None
    assert fabric.addresses.nics.pool.text == "172.31.0.0/16"
    assert fabric.addresses.loopbacks.text == "10.80.0.0/16"
    assert (fabric.routing.asns.first, fabric.routing.asns.last) == (64512, 65000)
    assert str(fabric.addresses.management_address(fabric.topology.switches[0])) == "10.255.12.2/20"


@pytest.mark.parametrize(
    ("fabrics", "code", "path", "words"),
    [
        (
            {"su1": numbered(1), "su2": numbered(1)},
            Code.DUPLICATE_ID,
            ("fabrics", "su2", "number"),
            "the number 1 is also that of fabrics.su1",
        ),
        (
            {"su1": RAILS, "su2": RAILS},
            Code.MISSING_KEY,
            ("fabrics", "su2"),
            "fabrics.su1 and fabrics.su2 are both of kind rails and have no `number`",
        ),
        (
            {"su1": numbered(1), "su2": numbered(2, management="10.255.8.0/23")},
            Code.ADDRESS_OVERLAP,
            ("fabrics", "su2", "management"),
            "overlap: 10.255.8.1 to 10.255.9.254 and 10.255.8.1 to 10.255.8.254",
        ),
        (
            {"su1": numbered(1, management="10.254.0.0/24")},
            Code.BAD_VALUE,
            ("fabrics", "su1", "management"),
            "10.254.0.0/24 is no part of the management subnet 10.255.0.0/20",
        ),
    ],
)
def test_what_two_fabrics_cannot_both_have_is_said_with_both_places(
    fabrics: Keys, code: Code, path: IntentPath, words: str
) -> None:
    (error,) = errors({"fabrics": fabrics})
    assert (error.code, error.path) == (code, path)
    assert words in error.message


def test_a_fabric_stands_in_one_place() -> None:
    (error,) = errors({**frontend(), "fabrics": {"frontend": EVPN}})
    assert error.path == ("fabrics", "frontend")
    assert error.message == "the fabric 'frontend' is also given by the key `frontend`"


def test_the_folder_of_servers_is_no_fabric() -> None:
    (error,) = errors({"fabrics": {"hosts": RAILS}, **frontend()})
    assert error.code is Code.BAD_VALUE
    assert error.path == ("fabrics", "hosts")


def test_pools_that_overlap_are_said() -> None:
    taken = {"loopbacks": "10.80.128.0/17"}
    found = errors({"fabrics": {"su1": numbered(1), "su2": numbered(2, addressing=taken)}})
    assert {item.code for item in found} == {Code.FABRICS_NOT_ISOLATED}
    assert found[0].path[:2] == ("fabrics", "su2")
    assert "10.80.0.0/16 of su1 loopbacks" in " ".join(item.message for item in found)


def test_servers_of_one_name_are_not_in_two_fabrics_of_rails() -> None:
    servers = {**RAILS["servers"], "names": "gpu{number}"}
    same = {f"su{number}": numbered(number, servers=servers) for number in (1, 2)}
    found = errors({"fabrics": same})
    assert found[0].code is Code.NAME_NOT_UNIQUE
    assert found[0].message == (
        "two servers are named 'gpu1': of fabrics.su1.servers and of fabrics.su2.servers"
    )
    assert "su2" in str(found[1])


@pytest.mark.parametrize(
    ("tenant", "code", "below_tenant", "words"),
    [
        ({}, Code.MISSING_KEY, (), "does not say which fabric it lives on"),
        ({"fabric": "edgy"}, Code.UNKNOWN_REFERENCE, ("fabric",), "no fabric 'edgy' in the site"),
        ({"fabric": "disks"}, Code.BAD_VALUE, ("fabric",), "disks is of kind routed; tenants live"),
    ],
)
def test_a_tenant_says_where_it_lives_when_there_is_a_choice(
    tenant: Keys, code: Code, below_tenant: IntentPath, words: str
) -> None:
    fabrics = {"edge": EVPN, "core": numbered(1, EVPN), "disks": STORAGE}
    (error,) = errors({"fabrics": fabrics, "tenants": {"red": {**TENANT, **tenant}}})
    assert (error.code, error.path) == (code, ("tenants", "red", *below_tenant))
    assert words in error.message


def test_a_tenant_is_on_its_own_fabric_alone() -> None:
    fabrics = {"edge": EVPN, "core": numbered(1, EVPN)}
    blue = {
        "fabric": "edge",
        "vrfs": {"blue": {"id": 1, "vlans": {"app": {"id": 110, "subnet": "10.21.0.0/24"}}}},
        "attachments": [{"group": "racks", "access": "app"}],
    }
    tenants = {"red": {**TENANT, "fabric": "core"}, "blue": blue}  # ids of their own fabric
    tree = texts({"fabrics": fabrics, "tenants": tenants})
    red, blue_text = "".join(below(tree, "core").values()), "".join(below(tree, "edge").values())
    assert "10.20.0.1" in red
    assert "10.20.0.1" not in blue_text
    assert "10.21.0.1" in blue_text


@pytest.mark.parametrize(
    ("words", "code", "path", "message"),
    [
        ({**RAILS, "kind": None}, Code.BAD_VALUE, ("fabrics", "su1", "kind"), "must be one of"),
        ({**RAILS, "kind": "rail"}, Code.BAD_VALUE, ("fabrics", "su1", "kind"), "must be one of"),
        ({**RAILS, "lef": 1}, Code.UNKNOWN_KEY, ("fabrics", "su1", "lef"), "unknown key 'lef'"),
        (
            {**RAILS, "rails": "two"},
            Code.BAD_VALUE,
            ("fabrics", "su1", "rails"),
            "fabrics.su1.rails: must be a whole number",
        ),
        (
            {key: value for key, value in RAILS.items() if key != "kind"},
            Code.MISSING_KEY,
            ("fabrics", "su1"),
            "the key 'kind' is missing in fabrics.su1",
        ),
    ],
)
def test_an_error_in_a_fabric_has_its_place(
    words: Keys, code: Code, path: IntentPath, message: str
) -> None:
    (error,) = errors({"fabrics": {"su1": words}})
    assert (error.code, error.path) == (code, path)
    assert message in error.message


def test_a_refused_fabric_leaves_the_others() -> None:
    done = compiled({"fabrics": {"su1": {**RAILS, "rails": "two"}, "su2": numbered(2)}})
    assert done.site is not None
    assert [fabric.name for fabric in done.site.fabrics] == ["su2"]
    assert "checks of the su1" in [each.check for each in done.examined if each.not_run]
