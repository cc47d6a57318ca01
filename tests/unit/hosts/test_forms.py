"""Servers that differ only in their names are rendered once, with the files of their views."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.hosts.hosts import NETWORKS
from tests.unit.hosts.test_bridged import compiled

from fabricgen.compile.compiler import designed, files_of, host_slices
from fabricgen.compile.render import Renderer
from fabricgen.compile.sandbox import renderer
from fabricgen.core.own_templates import OwnTemplate
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site

ROOT = Path(__file__).resolve().parents[3]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
VLANS = ("web", "db", "both", "beat")


def compared(site: Site) -> tuple[int, int]:
    """Compare both ways for each server; return the numbers of servers and of forms."""
    once, each = Renderer(), Renderer()
    each.plain = False
    servers = list(host_slices(site))
    for host_slice in servers:
        assert files_of(host_slice, once) == files_of(host_slice, each), host_slice.server.name
    assert not each.forms
    return len(servers), len(once.forms)


@pytest.mark.parametrize("name", SITES)
def test_servers_of_an_example_have_the_files_of_their_views(name: str) -> None:
    site = designed(load_site(ROOT / "intent" / name)).site
    assert site is not None
    servers, forms = compared(site)
    if name == "tenants":
        assert (servers, forms) == (80, 5)


def attachment(numbers: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "numbers": st.just(numbers),
            "trunk": st.lists(st.sampled_from(VLANS), min_size=1, unique=True),
            "addresses": st.sampled_from(["dhcp", "dhcp", "static", "none"]),
        }
    )


@settings(max_examples=25, deadline=None)
@given(
    first=attachment("1-4"),
    second=attachment("5-8"),
    network=st.sampled_from(NETWORKS),
    ports=st.sampled_from([{}, {"bond": "lacp"}, {"bond": "active-backup"}]),
)
def test_servers_of_any_site_have_the_files_of_their_views(
    first: dict[str, Any], second: dict[str, Any], network: str, ports: dict[str, str]
) -> None:
    made = compiled(first, second, network=network, count=8, **ports)
    if made.ok and made.site is not None:
        assert compared(made.site)[0] == 8


def test_a_template_of_a_site_may_compute_with_the_name() -> None:
    assert renderer(()).plain
    template = OwnTemplate("hosts/links.j2", "{{ view.server | length }}\n", "templates/links.j2")
    mine = renderer((template,))
    site = designed(load_site(ROOT / "intent/tenants")).site
    assert site is not None
    for host_slice in host_slices(site):
        links = next(f.text for f in files_of(host_slice, mine) if f.path.endswith("/links"))
        assert links == f"{len(host_slice.server.name)}\n"
