"""The difference that a switch shows: its lines on both sides, by file and section."""

import json

import pytest

from fabricgen.review.diff_parts import SECTION, UNKNOWN_FILE, Parts, parts_of

LINUX = """\
--- running etc/frr/frr.conf
+++ candidate etc/frr/frr.conf
  router bgp 65001
-  neighbor 10.0.0.1 remote-as 65100
+  neighbor 10.0.0.1 remote-as 65101
--- running etc/network/interfaces
+++ candidate etc/network/interfaces
@@ -5,3 +5,3 @@
 #
 iface swp1
-    mtu 9000
+    mtu 9216
@@ -50,2 +50,2 @@
     alias a
-    mtu 9000
+    mtu 9216
"""
SONIC = """\
PORT|Ethernet0 mtu 9100 -> 9216
VLAN|Vlan100 (entry) (none) -> (no fields)
VLAN|Vlan200 vlanid 200 -> (none)
--- frr.conf
+++ frr.conf
@@ -1,2 +1,2 @@
-hostname a
+hostname b
"""


def test_lines_of_linux_are_by_file() -> None:
    parts = parts_of("linux", LINUX)
    assert parts is not None
    assert parts.before["etc/frr/frr.conf"] == (
        "router bgp 65001\n neighbor 10.0.0.1 remote-as 65100\n"
    )
    assert parts.after["etc/frr/frr.conf"].endswith("remote-as 65101\n")


def test_a_part_that_begins_inside_a_section_belongs_to_no_other_section() -> None:
    parts = parts_of("linux", LINUX)
    assert parts is not None
    assert parts.after["etc/network/interfaces"] == (
        f"#\niface swp1\n    mtu 9216\n{SECTION}\n    alias a\n    mtu 9216\n"
    )
    assert SECTION in parts.before["etc/network/interfaces"]


def test_fields_of_sonic_are_tables() -> None:
    parts = parts_of("sonic", SONIC)
    assert parts is not None
    before, after = (json.loads(side["config_db.json"]) for side in (parts.before, parts.after))
    assert before == {
        "PORT": {"Ethernet0": {"mtu": "9100"}},
        "VLAN": {"Vlan200": {"vlanid": "200"}},
    }
    assert after == {"PORT": {"Ethernet0": {"mtu": "9216"}}, "VLAN": {"Vlan100": {}}}
    assert parts.after["frr.conf"] == "hostname b\n"


def test_lines_of_eos_have_no_header() -> None:
    parts = parts_of("eos", "@@ -1,2 +1,2 @@\n interface Ethernet1\n-   mtu 9000\n+   mtu 9214")
    assert parts == Parts(
        before={"eos.cfg": "interface Ethernet1\n   mtu 9000\n"},
        after={"eos.cfg": "interface Ethernet1\n   mtu 9214\n"},
    )


def test_a_header_of_eos_names_no_file() -> None:
    head = "--- system:/running-config\n+++ session:/a-session-config\n"
    parts = parts_of("eos", f"{head}+vlan 10\n")
    assert parts == Parts(before={"eos.cfg": ""}, after={"eos.cfg": "vlan 10\n"})


def test_only_routing_of_sonic_still_names_the_platform() -> None:
    parts = parts_of("sonic", "--- frr.conf\n+++ frr.conf\n@@ -1 +1 @@\n-a\n+b\n")
    assert parts is not None
    assert parts.before == {"frr.conf": "a\n", "config_db.json": "{}\n"}


def test_a_part_without_the_name_of_its_file_has_none() -> None:
    joined = "--- running\n+++ candidate\n@@ -1,3 +1,3 @@\n #### file etc/issue.net\n-a\n+b\n"
    parts = parts_of("linux", f"{joined}@@ -9 +9 @@\n-c\n+d\n")
    assert parts is not None
    assert parts.after["etc/issue.net"] == "b\n"
    assert parts.after[UNKNOWN_FILE] == "d\n"


@pytest.mark.parametrize(
    "text",
    [
        "PORT|Ethernet0 description a -> b -> c\n",
        "what is this\n",
        "--- frr.conf\n-a\n",
        "--- frr.conf\n",
    ],
)
def test_another_form_is_not_read(text: str) -> None:
    assert parts_of("sonic", text) is None
