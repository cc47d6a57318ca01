"""What own lines and kept patterns name: a neighbor that verify does not call unknown."""

import json

import pytest
from tests.keys.case import at
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.intent.load import load_texts
from fabricgen.prove.left import is_others
from fabricgen.prove.verifier import expectations

SAID = {
    "custom_config": {"frr": "router bgp {{ switch.asn }}\n neighbor 192.0.2.7 remote-as 64999"},
    "unmanaged": {"frr": "router bgp *\n neighbor 192.0.2.1* ~", "interfaces": "iface agent* ~"},
}


@pytest.mark.parametrize(
    ("key", "theirs"),
    [
        (("session", "default", "192.0.2.7"), True),
        (("bfd", "default", "192.0.2.7"), True),
        (("session", "default", "192.0.2.12"), True),
        (("interface", "agent0"), True),
        (("session", "default", "192.0.2.8"), False),
        (("interface", "swp1"), False),
        (("route", "default", "192.0.2.7"), False),
    ],
    ids=str,
)
def test_what_others_name_is_theirs(key: tuple[str, ...], *, theirs: bool) -> None:
    words = laid(SITES["tenants"], at("frontend", "switches", "fe-leaf01", words=SAID))
    site = compile_site(load_texts({"site.yaml": json.dumps(words)}), "linux").site
    assert site is not None
    names = [switch_slice.switch.name for _, switch_slice in slices(site)]
    wanted = expectations(site, names)
    assert is_others(key, wanted["fe-leaf01"].others) is theirs
    assert not wanted["fe-leaf02"].others
