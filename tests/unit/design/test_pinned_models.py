"""One switch of another model or SKU: in its place where the ports fit, else refused."""

import pytest
from tests.unit.design.test_numbering import backend
from tests.unit.design.test_pins import errors, frontend, switch_slice

from fabricgen.intent.load import load_texts


def test_another_model_keeps_ports_and_numbers() -> None:
    before = switch_slice(frontend({}), "fe-spine1")
    after = switch_slice(
        frontend({"fe-spine1": {"model": "S5232F-ON", "platform": "linux"}}), "fe-spine1"
    )
    assert after.switch.model.name == "S5232F-ON"
    assert [each.port.label for each in after.interfaces] == [
        each.port.label for each in before.interfaces
    ]
    assert (after.loopback, after.asn) == (before.loopback, before.asn)


def test_a_sku_of_one_switch_is_that_of_no_other() -> None:
    sonic = {"model": "7050CX3-32S", "platform": "sonic", "hwsku": "Arista-7050CX3-32S-C32"}
    site = frontend({"fe-spine1": {"hwsku": "Arista-7050CX3-32S"}}, spine={**sonic, "count": 2})
    models = {
        name: switch_slice(site, name).switch.model.hwsku for name in ("fe-spine1", "fe-spine2")
    }
    assert models == {"fe-spine1": "Arista-7050CX3-32S", "fe-spine2": sonic["hwsku"]}


def test_buffers_of_one_chip_are_not_those_of_another() -> None:
    told = errors(backend({}, switches={"be-su01-leaf1": {"model": "SN5640"}}))
    assert told == [
        "FG806 SN5640 has the chip Spectrum-5, but the buffers of the role are for Tomahawk5"
    ]


def test_cages_have_to_be_what_those_of_the_role_are() -> None:
    told = errors(frontend({"fe-spine1": {"model": "7060DX5-64S"}}))
    assert told == ["FG806 7060DX5-64S has 66 cages, but fe-spine1 has cables in others"]


@pytest.mark.parametrize(
    ("pin", "start"),
    [
        ("{rack: r1}", "the position of switches is in"),
        ("{unit: 7}", "the rack unit of switches is in"),
    ],
)
def test_what_is_said_elsewhere_is_told(pin: str, start: str) -> None:
    text = f"frontend: {{switches: {{fe-leaf01: {pin}}}}}\n"
    hints = [each.hint for each in load_texts({"site.yaml": text}).findings]
    assert any(hint.startswith(start) for hint in hints)
