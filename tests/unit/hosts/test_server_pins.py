"""A server that is called and addressed otherwise than by its number, in all that names it."""

from __future__ import annotations

from functools import cache

import pytest

from fabricgen.compile.attached.site import attached
from fabricgen.compile.compiler import Compiled, compile_site, host_slices, slices
from fabricgen.compile.reports.derivations import host_derivations
from fabricgen.compile.reports.explanation import explain_host, explain_switch
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site

TEXT = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
servers:
  db:
    count: 4
    pins: PINS
    ports:
      front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 4}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {a: {leafs: 1-2}}
tenants:
  shop:
    vrfs:
      red:
        id: 1
        vlans: {lan: {id: 30, subnet: 10.110.0.0/24}, six: {id: 31, subnet6: "2001:db8::/64"}}
    attachments: [{servers: db, trunk: [lan, six], addresses: ADDRESSES}]
"""
PINNED = '{2: {hostname: ora-prod3, addresses: [10.110.0.77, "2001:db8::77"]}}'


@cache
def made(pins: str, addresses: str = "static") -> Compiled:
    text = TEXT.replace("PINS", pins).replace("ADDRESSES", addresses)
    return compile_site(load_texts({"site.yaml": text}))


def site(pins: str = PINNED) -> Site:
    compiled = made(pins)
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    return compiled.site


def test_its_files_have_its_addresses_and_those_of_others_stay() -> None:
    def every(pins: str) -> dict[int, list[str]]:
        return {
            switch_slice.server.number: [
                own.host for each in switch_slice.members for own in each.addresses
            ]
            for switch_slice in host_slices(site(pins))
        }

    found = every(PINNED)
    assert found.pop(2) == ["10.110.0.77", "2001:db8::77"]
    assert found.items() <= every("{}").items()


def test_one_family_may_be_pinned_alone() -> None:
    pieces = {
        switch_slice.server.number: switch_slice
        for switch_slice in host_slices(site('{2: {addresses: ["2001:db8::77"]}}'))
    }
    assert [own.host for each in pieces[2].members for own in each.addresses] == [
        "10.110.0.11",
        "2001:db8::77",
    ]


def test_a_lab_has_it_by_its_name_and_address() -> None:
    host = attached(site())["ora-prod3"]
    assert {each.address for each in host.endpoints} == {"10.110.0.77", "2001:db8::77"}


def test_switches_call_it_so_and_the_pin_is_why() -> None:
    pin = ("servers", "db", "pins", "2", "hostname")
    for _, switch_slice in slices(site()):
        lines = [it for it in explain_switch(switch_slice, ()) if "ora-prod3" in it.text]
        assert bool(lines) == switch_slice.switch.is_leaf
        assert all(pin in {path for it in line.reasons for path in it.paths} for line in lines)
        assert not any("db0002" in it.text for it in explain_switch(switch_slice, ()))


def test_each_line_of_a_server_is_explained_and_its_address_by_the_pin() -> None:
    design = site()
    switch_slice = next(it for it in host_slices(design) if it.server.number == 2)
    lines = list(explain_host(switch_slice, design.templates))
    assert any("10.110.0.77" in line.text for line in lines)
    terms = host_derivations({each.name: each for each in design.fabrics}, switch_slice)
    assert terms["10.110.0.77"] == "pinned by `servers.db.pins.2.addresses`"


@pytest.mark.parametrize(
    ("pins", "addresses", "code", "said"),
    [
        (
            "{2: {addresses: [10.110.0.10]}}",
            "static",
            Code.PIN_CLASH,
            "also used by db0001 front.30",
        ),
        (
            "{1: {addresses: [10.110.0.11]}}",
            "static",
            Code.PIN_CLASH,
            "also used by db0002 front.30",
        ),
        ("{2: {addresses: [10.110.0.1]}}", "static", Code.PIN_CLASH, "also used by the gateway"),
        ("{2: {addresses: [10.110.0.255]}}", "static", Code.PIN_OUT_OF_PLACE, "no static address"),
        (
            "{2: {addresses: [10.110.0.7, 10.110.0.8]}}",
            "static",
            Code.PIN_OUT_OF_PLACE,
            "10.110.0.8",
        ),
        ("{2: {addresses: [10.110.0.7]}}", "none", Code.PIN_OUT_OF_PLACE, "no static address"),
        (
            "{2: {hostname: fe-spine1}}",
            "static",
            Code.PIN_CLASH,
            "server 2 of db is named 'fe-spine1'",
        ),
        ("{2: {hostname: db0003}}", "static", Code.PIN_CLASH, "server 2 of db is named 'db0003'"),
        ("{5: {hostname: x}}", "static", Code.BAD_VALUE, "server 5 does not exist; the kind has 4"),
        ("{2: {}}", "static", Code.BAD_VALUE, "the entry of this server is empty"),
        ("{2: {hostname: ORA_1}}", "static", Code.BAD_VALUE, "pins"),
    ],
)
def test_what_cannot_be_is_said_at_the_pin(
    pins: str, addresses: str, code: Code, said: str
) -> None:
    faults = [each for each in made(pins, addresses).findings if each.code is code]
    assert [each for each in faults if said in each.message and "pins" in each.path] or [
        each for each in faults if said in each.message and each.path[:2] == ("servers", "db")
    ]


def test_a_server_is_not_called_as_a_switch_of_another_fabric() -> None:
    text = TEXT.replace("PINS", "{2: {hostname: be-spine1}}").replace("ADDRESSES", "static")
    text += """
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 2, nic_speed: 400G}
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos}
"""
    compiled = compile_site(load_texts({"site.yaml": text}))
    said = [each for each in compiled.findings if each.code is Code.NAME_NOT_UNIQUE]
    assert [each.path[:2] for each in said] == [("servers", "db")]
    assert "a switch and a server are named 'be-spine1'" in said[0].message
