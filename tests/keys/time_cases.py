"""Keys of precise time, whose effect needs a server that has a port alone, untagged."""

from tests.keys.case import Case, Words, at
from tests.keys.sites import SITES


def _timed(changed: Words, **ptp: str) -> Case:
    """Return a case of precise time, on a site whose servers have a port without a bond."""
    management = {"ptp": {"domain": 1, "fabrics": ["frontend"]}}
    words = {
        "site": {
            "management": management,
            "accept_unsupported": [*SITES["kinds"]["site"]["accept_unsupported"], "ptp"],
        },
        "servers": {"gpu": {"ports": {"front": {"bond": "none", "ports": 1, **ptp}}}},
        "tenants": {"red": {"attachments": [{"servers": "gpu", "port": "front", "access": "web"}]}},
    }
    return Case("kinds", words, changed)


CASES: list[tuple[str, Case]] = [
    (
        "site.management.ptp.domain",
        _timed(at("site", "management", "ptp", words={"domain": 2}), ptp="client"),
    ),
    (
        "servers.*.ports.*.ptp",
        _timed(at("servers", "gpu", "ports", "front", words={"ptp": "client"})),
    ),
]
