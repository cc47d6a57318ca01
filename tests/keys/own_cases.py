"""Keys of own lines and of what is another's: the file that a key is for, what a push leaves."""

from __future__ import annotations

from tests.keys.case import Case, Words, at


def _site(changed: Words, key: str = "custom_config") -> Case:
    return Case("tenants", {}, at("site", key, words=changed))


CASES: list[tuple[str, Case]] = [
    ("site.custom_config.eos", _site({"eos": "ip dhcp snooping"})),
    ("site.custom_config.frr", _site({"frr": "route-map MINE permit 10\n match tag 7"})),
    ("site.custom_config.interfaces", _site({"interfaces": "auto dummy0"})),
    ("site.custom_config.files", _site({"files": {"/etc/motd": "text {{ switch.name }}"}})),
    (
        "site.custom_config.config_db",
        _site({"config_db": {"LOOPBACK_INTERFACE": {"Loopback9": {}}}}),
    ),
    *(
        (f"site.unmanaged.{kind}", _site({kind: pattern}, "unmanaged"))
        for kind, pattern in {
            "eos": "daemon Telegraf",
            "frr": "ip prefix-list THEIRS ~",
            "interfaces": "iface agent* ~",
            "files": "/srv/agent.conf",
            "config_db": "SYSLOG_SERVER|192.0.2.9",
        }.items()
    ),
]
KEPT = tuple(name for name, _ in CASES if name.startswith("site.unmanaged."))
"""What a push leaves alone: no file says it."""
