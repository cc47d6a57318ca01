"""How long a peer may go on sending: IEEE's quanta up to 400G, and two ways to go on above."""

import pytest

from fabricgen.core.units import BitsPerSecond
from fabricgen.model.lossless.port import DEFAULT, PauseResponse, pause_quanta, response_bytes

SHIPPED, CONSERVATIVE = PauseResponse.SHIPPED, PauseResponse.CONSERVATIVE
SPEED = BitsPerSecond.parse

# sonic-net/sonic-swss@ba1d1d30 cfgmgr/buffer_headroom_mellanox.lua, pause_quanta_per_speed
TABLE = {
    "100M": 1,
    "1G": 2,
    "10G": 67,
    "25G": 80,
    "40G": 118,
    "50G": 147,
    "100G": 394,
    "200G": 453,
    "400G": 905,
}


@pytest.mark.parametrize("response", PauseResponse)
@pytest.mark.parametrize(("speed", "quanta"), TABLE.items())
def test_up_to_400g_the_table_holds(speed: str, quanta: int, response: PauseResponse) -> None:
    assert pause_quanta(SPEED(speed), response) == quanta
    assert response_bytes(SPEED(speed), response) == (
        64 * quanta,
        (
            f"{quanta} quanta of 64 bytes at {speed}: IEEE 802.3 31B.3.7 as in sonic-swss@ba1d1d30 "
            "cfgmgr/buffer_headroom_mellanox.lua"
        ),
    )


@pytest.mark.parametrize(("speed", "quanta"), [("10M", 1), ("2.5G", 67), ("56G", 394)])
def test_between_two_speeds_the_faster_ones_hold(speed: str, quanta: int) -> None:
    assert pause_quanta(SPEED(speed), SHIPPED) == quanta


@pytest.mark.parametrize(
    ("speed", "shipped", "conservative"),
    [("600G", 905, 1358), ("800G", 905, 1810), ("1.2T", None, 2715), ("1.6T", None, 3620)],
)
def test_above_400g_it_is_the_quanta_or_the_time_of_400g(
    speed: str, shipped: int | None, conservative: int
) -> None:
    assert pause_quanta(SPEED(speed), SHIPPED) == shipped
    assert pause_quanta(SPEED(speed), CONSERVATIVE) == conservative
    assert (response_bytes(SPEED(speed), SHIPPED) is None) == (shipped is None)
    told = response_bytes(SPEED(speed), CONSERVATIVE)
    assert told is not None
    assert told[0] == 64 * conservative
    assert told[1].endswith(", conservative above 400G")


def test_where_nobody_says_it_is_the_time() -> None:
    assert DEFAULT is CONSERVATIVE
