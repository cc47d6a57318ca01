"""Checks the size of the comment about growth on every example site and on a very large one."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from bench import sites
from tests.longer import longer
from tests.review.edit import Steps, carry_out, reviewed

from fabricgen.api.review_comment import markdown

MOST_LINES, MOST_BYTES = 40, 10_000
RED, BLUE = "tenants/red.yaml", "tenants/blue.yaml"


def _tenant(number: int, vlan: int, attachment: str) -> str:
    """Return the file of a new tenant."""
    return f"""\
tenants:
  added:
    vrfs:
      added:
        id: {number}
        vlans:
          first: {{id: {vlan}, subnet: 192.168.31.0/24}}
    attachments:
      - {attachment}
"""


GROWTH: dict[str, Steps] = {
    "edge: a server": (
        (
            "site.yaml",
            "west: {leafs: 1-1, servers: {per_leaf: 2",
            "west: {leafs: 1-1, servers: {per_leaf: 3",
        ),
        ("racks.yaml", "{servers: frontend-west, count: 2}", "{servers: frontend-west, count: 3}"),
    ),
    "edge: a leaf": (
        ("site.yaml", "east: {leafs: 2-2", "east: {leafs: 2-3"),
        (
            "racks.yaml",
            "{switches: fe-leaf02}",
            (
                "{servers: frontend-east, count: 2, first: 3}, {switches: fe-leaf02}, "
                "{switches: fe-leaf03}"
            ),
        ),
    ),
    "edge: a VLAN": (
        (
            "site.yaml",
            "app: {id: 120, subnet: 10.120.0.0/24}",
            (
                "app: {id: 120, subnet: 10.120.0.0/24}\n"
                "          new: {id: 121, subnet: 10.121.0.0/24}"
            ),
        ),
        (
            "site.yaml",
            "{group: east, servers: 2-2, access: app}",
            "{group: east, servers: 2-2, trunk: [app, new], native: app}",
        ),
    ),
    "edge: a tenant": (
        (
            "site.yaml",
            "{group: east, servers: 2-2, access: app}",
            "{group: east, servers: 2-2, access: one}",
        ),
        (
            "site.yaml",
            "  blue:\n    vrfs:",
            (
                "  added:\n    vrfs: {added: {id: 9, "
                "vlans: {two: {id: 190, subnet: 172.31.1.0/24}}}}\n  blue:\n    vrfs:"
            ),
        ),
        (
            "site.yaml",
            "app: {id: 120, subnet: 10.120.0.0/24}",
            (
                "app: {id: 120, subnet: 10.120.0.0/24}\n"
                "          one: {id: 121, subnet: 10.121.0.0/24}"
            ),
        ),
    ),
    "four-fabrics: a server": (
        ("site.yaml", "count: 1\n    ports:", "count: 2\n    ports:"),
        ("site.yaml", "{servers: station, count: 1}", "{servers: station, count: 2}"),
    ),
    "four-fabrics: a VLAN": (
        (
            "site.yaml",
            "web: {id: 30, subnet: 10.10.30.0/24}",
            (
                "web: {id: 30, subnet: 10.10.30.0/24}\n"
                "          new: {id: 31, subnet: 10.10.31.0/24}"
            ),
        ),
        (
            "site.yaml",
            "{servers: cpu, numbers: 2-2, access: web}",
            "{servers: cpu, numbers: 2-2, access: new}",
        ),
    ),
    "four-fabrics: a tenant": (
        ("site.yaml", "      - {servers: cpu, numbers: 2-2, access: web}", ""),
        ("added.yaml", "", _tenant(9, 190, "{servers: cpu, numbers: 2-2, access: first}")),
    ),
    "full: a server": (
        ("servers.yaml", "count: 12\n", "count: 13\n"),
        ("racks.yaml", "{servers: nvme, count: 6}", "{servers: nvme, count: 7}"),
    ),
    "full: a leaf pair": (("frontend.yaml", '"1-4,7-10"', '"1-4,7-12"'),),
    "full: a VLAN": (
        (
            "tenants/serving.yaml",
            "api: {id: 300, subnet: 10.30.0.0/24}",
            (
                "api: {id: 300, subnet: 10.30.0.0/24}\n"
                "          new: {id: 301, subnet: 10.31.0.0/24}"
            ),
        ),
        ("tenants/serving.yaml", "access: api", "trunk: [api, new], native: api"),
    ),
    "full: a tenant": (
        ("tenants/serving.yaml", "numbers: 9-16", "numbers: 9-15"),
        (
            "tenants/added.yaml",
            "",
            _tenant(9, 190, "{servers: cpu, numbers: 16-16, access: first}"),
        ),
    ),
    "lab: a leaf": (
        ("frontend.yaml", "leafs: 1-3", 'leafs: "1-3,5"'),
        (
            "racks.yaml",
            (
                "  hosts:\n    count: 3\n    position: 2\n    contents: "
                '[{servers: frontend-hosts, count: 4}, {switches: "fe-leaf{rack:02}"}]'
            ),
            (
                "  hosts:\n    count: 3\n    position: 2\n    contents: "
                '[{servers: frontend-hosts, count: 4}, {switches: "fe-leaf{rack:02}"}]\n'
                "  more:\n    position: 6\n    contents: [{servers: frontend-hosts, "
                "count: 4, first: 13}, {switches: fe-leaf05}]"
            ),
        ),
    ),
    "lab: a VLAN": (
        (
            BLUE,
            "app: {id: 40, subnet: 10.10.40.0/24}",
            (
                "app: {id: 40, subnet: 10.10.40.0/24}\n"
                "          new: {id: 41, subnet: 10.10.41.0/24}"
            ),
        ),
        (
            BLUE,
            "{group: hosts, servers: 4-4, access: app}",
            "{group: hosts, servers: 4-4, access: new}",
        ),
    ),
    "lab: a tenant": (
        (BLUE, "      - {group: hosts, servers: 4-4, access: app}\n", ""),
        ("tenants/added.yaml", "", _tenant(9, 190, "{group: hosts, servers: 4-4, access: first}")),
    ),
    "oob: a leaf with its servers": (
        ("site.yaml", "count: 16", "count: 20"),
        ("site.yaml", "leafs: 1-4", "leafs: 1-5"),
        ("site.yaml", "    count: 4\n    per_row: 2", "    count: 5\n    per_row: 3"),
        ("site.yaml", "position: 3", "position: 4"),
        ("site.yaml", "{switch: 1, port: 25}", "{switch: 1, port: 37}"),
    ),
    "pairs: a server": (
        ("site.yaml", "count: 6\n", "count: 7\n"),
        ("racks.yaml", "count: 3, first: 4}", "count: 4, first: 4}"),
    ),
    "pairs: a leaf pair": (
        ("site.yaml", "arista: {leafs: 1-2}", 'arista: {leafs: "1-2,5-6"}'),
        (
            "racks.yaml",
            "- {switches: fe-leaf03}",
            "- {switches: fe-leaf03}\n      - {switches: fe-leaf05}",
        ),
        (
            "racks.yaml",
            "- {switches: fe-leaf04}",
            "- {switches: fe-leaf04}\n      - {switches: fe-leaf06}",
        ),
    ),
    "pairs: a VLAN": (
        (
            "site.yaml",
            "data: {id: 101, subnet: 172.20.1.0/24}",
            (
                "data: {id: 101, subnet: 172.20.1.0/24}\n"
                "          new: {id: 102, subnet: 172.20.2.0/24}"
            ),
        ),
        ("site.yaml", "trunk: [pages, data]", "trunk: [pages, data, new]"),
    ),
    "pairs: a tenant": (
        (
            "site.yaml",
            ("      - {servers: build, access: pages, addresses: static, first_host: 200}"),
            "",
        ),
        ("added.yaml", "", _tenant(9, 190, "{servers: build, access: first}")),
    ),
    "rail-only: a server": (
        ("site.yaml", "count: 32", "count: 33"),
        ("racks.yaml", "count: 8", "count: 9"),
    ),
    "rail-optimized: a server of a new unit": (
        ("site.yaml", "count: 128\n", "count: 129\n"),
        ("racks.yaml", "count: 32\n", "count: 33\n"),
        ("racks.yaml", "  leafs:\n    count: 2", "  leafs:\n    count: 3"),
    ),
    "storage: a server": (
        ("site.yaml", "count: 4,", "count: 5,"),
        (
            "racks.yaml",
            "{servers: storage-storage, count: 4}",
            "{servers: storage-storage, count: 5}",
        ),
    ),
    "storage: a leaf pair": (
        ("site.yaml", "count: 8,", "count: 9,"),
        (
            "racks.yaml",
            "{servers: storage-compute, count: 8}",
            "{servers: storage-compute, count: 9}",
        ),
    ),
    "tenants: a server of each leaf": (
        ("frontend.yaml", "per_leaf: 16", "per_leaf: 17"),
        ("racks.yaml", "count: 16", "count: 17"),
    ),
    "tenants: a leaf": (
        ("frontend.yaml", "leafs: 5-6", "leafs: 5-7"),
        ("racks.yaml", "    count: 2\n    position: 5", "    count: 3\n    position: 5"),
        ("racks.yaml", "position: 7", "position: 8"),
    ),
    "tenants: a VLAN": (
        (
            RED,
            "models: {id: 111, subnet: 10.111.0.0/24}",
            (
                "models: {id: 111, subnet: 10.111.0.0/24}\n"
                "          new: {id: 112, subnet: 10.112.0.0/24}"
            ),
        ),
        (RED, "trunk: [models]}", "trunk: [models, new]}"),
    ),
    "tenants: a tenant": (
        (BLUE, "servers: 13-16", "servers: 13-15"),
        (
            "tenants/added.yaml",
            "",
            _tenant(9, 190, "{group: inference, servers: 16-16, access: first}"),
        ),
    ),
    "three-tier: a server of a new unit": (
        ("site.yaml", "count: 256", "count: 257"),
        ("racks.yaml", "count: 64\n", "count: 65\n"),
        ("racks.yaml", "count: 8\n    row: 2", "count: 9\n    row: 2"),
        ("racks.yaml", "count: 4\n    row: 2", "count: 5\n    row: 2"),
    ),
}
"""Name of a site and of its growth, and the edit."""


def _is_short(comment: str) -> bool:
    return comment.count("\n") <= MOST_LINES and len(comment.encode()) <= MOST_BYTES


@pytest.mark.parametrize("name", GROWTH)
def test_growth_of_an_example_is_a_short_comment(name: str, tmp_path: Path) -> None:
    site = name.partition(":")[0]
    one = carry_out(site, (), tmp_path / "before")
    other = carry_out(site, GROWTH[name], tmp_path / "after")
    review = reviewed(one, other)
    assert review.effects
    assert review.unexplained == ()
    assert _is_short(markdown(review)), markdown(review)


def test_every_example_grows() -> None:
    folders = (Path(__file__).resolve().parents[2] / "intent").iterdir()
    examples = {folder.name for folder in folders if folder.is_dir()}
    assert examples == {name.partition(":")[0] for name in GROWTH}


def _written(texts: Mapping[str, str], folder: Path) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


@longer
@pytest.mark.parametrize("servers", [1, 64])
def test_growth_of_a_very_large_backend_is_a_short_comment(servers: int, tmp_path: Path) -> None:
    """100,000 GPUs: one more server, and the servers of some leafs."""
    one = _written(sites.backend(100_000, "sonic"), tmp_path / "before")
    other = _written(sites.backend(100_000 + 8 * servers, "sonic"), tmp_path / "after")
    comment = markdown(reviewed(one, other))
    assert _is_short(comment), comment
