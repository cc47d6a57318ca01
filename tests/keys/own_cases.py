"""Keys of own lines: a line that no grammar knows reaches the file that its key is for."""

from __future__ import annotations

from tests.keys.case import Case, Words, at


def _site(changed: Words) -> Case:
    return Case("tenants", {}, at("site", "extra", words=changed))


CASES: list[tuple[str, Case]] = [
    ("site.extra.eos", _site({"eos": "ip dhcp snooping"})),
    ("site.extra.frr", _site({"frr": "route-map MINE permit 10\n match tag 7"})),
    ("site.extra.interfaces", _site({"interfaces": "auto dummy0"})),
    ("site.extra.files", _site({"files": {"/etc/motd": "text {{ switch.name }}"}})),
    ("site.extra.config_db", _site({"config_db": {"LOOPBACK_INTERFACE": {"Loopback9": {}}}})),
]
