"""Services of one fabric take the place of the site's, key by key, and are cited at their place."""

import json
from typing import Any

from tests.unit.design.sites import Keys, frontend

from fabricgen.compile.compiler import Compiled, compile_site, slices
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.nos.features import Feature, needs

SITE: Keys = {
    "name": "lab",
    "management": {
        "subnet": "10.255.0.0/20",
        "ntp": ["10.255.15.250", "10.255.15.251"],
        "syslog": ["10.255.15.252"],
        "gnmi": {"port": 6030},
    },
}
STORAGE: Keys = {
    "kind": "routed",
    "leaf": {"model": "7060X6-64PE", "platform": "sonic"},
    "spine": {"model": "7060X6-64PE", "platform": "sonic"},
    "sides": {"storage": {"servers": {"count": 2, "ports": 1, "speed": "200G"}}},
}
HERE = ("frontend", "services")


def compiled(**services: Any) -> Compiled:
    words = frontend()
    words["frontend"] = {**words["frontend"], "services": services}
    keys = {"site": SITE, **words, "fabrics": {"store": STORAGE}}
    return compile_site(load_texts({"site.yaml": json.dumps(keys)}))


def test_a_fabric_replaces_the_keys_that_it_has() -> None:
    done = compiled(ntp=["10.1.0.1", "10.1.0.2"], gnmi={"port": 6040})
    assert done.site is not None, done.findings
    seen = {}
    for fabric, switch_slice in slices(done.site):
        told = switch_slice.services
        seen[fabric.name] = (told.ntp, told.syslog, told.gnmi and told.gnmi.port)
    logs = ("10.255.15.252",)
    assert seen == {
        "frontend": (("10.1.0.1", "10.1.0.2"), logs, 6040),
        "store": (("10.255.15.250", "10.255.15.251"), logs, 6030),
    }


def test_a_setting_is_cited_where_it_is_written() -> None:
    done = compiled(cloudvision={"servers": ["10.1.0.9"]}, ntp=["10.1.0.1", "10.1.0.2"])
    assert done.site is not None
    for fabric, switch_slice in slices(done.site):
        wanted = needs(switch_slice)
        assert wanted[Feature.SYSLOG] == ("site", "management", "syslog")
        if fabric.name == "frontend":
            assert wanted[Feature.NTP] == (*HERE, "ntp")
            assert wanted[Feature.CLOUDVISION] == (*HERE, "cloudvision")
        else:
            assert wanted[Feature.NTP] == ("site", "management", "ntp")


def test_one_time_server_of_a_fabric_is_reported_there() -> None:
    (found,) = (item for item in compiled(ntp=["10.1.0.1"]).findings if item.path[-1:] == ("ntp",))
    assert (found.code, found.path) == (Code.BAD_VALUE, (*HERE, "ntp"))


def test_other_services_stay_those_of_the_site() -> None:
    found = compiled(users=[]).findings
    wrong = [item for item in found if item.severity is Severity.ERROR]
    assert (Code.UNKNOWN_KEY, (*HERE, "users")) in [(item.code, item.path) for item in wrong]
