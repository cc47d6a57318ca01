"""What is laid changes at the meter where a medium ends, and not before."""

import pytest

from fabricgen.model.cabling.media import Wanted, chosen
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.catalog.optics import Socket
from fabricgen.model.fabric.floor import Media

CAGE = Socket(forms=("QSFP28",), modes=("1x100G",))
ORDER = ("twisted-pair", "copper", "multimode", "single-mode")


def laid(meters: float, *media: str, copper: int | None = None) -> str:
    policy = Media(servers=media, switches=media, copper=copper)
    way = chosen(
        Wanted(near=CAGE, far=CAGE, meters=meters, media=media, policy=policy, apart=False),
        SHIPPED.optics(),
    )
    return way.near.name if way is not None else ""


@pytest.mark.parametrize(
    ("meters", "name"),
    [
        (5, "QSFP28-100G-DAC"),
        (5.1, "QSFP28-100G-SR4"),
        (100, "QSFP28-100G-SR4"),
        (101, "QSFP28-100G-DR"),
    ],
)
def test_the_first_medium_that_reaches_is_laid(meters: float, name: str) -> None:
    assert laid(meters, *ORDER) == name


def test_copper_ends_where_a_site_says_so() -> None:
    assert laid(3, *ORDER, copper=3) == "QSFP28-100G-DAC"
    assert laid(3.1, *ORDER, copper=3) == "QSFP28-100G-SR4"


@pytest.mark.parametrize(("meters", "name"), [(5, "QSFP28-100G-DAC"), (5.1, "")])
def test_where_nothing_else_may_be_laid_nothing_is(meters: float, name: str) -> None:
    assert laid(meters, "copper") == name
