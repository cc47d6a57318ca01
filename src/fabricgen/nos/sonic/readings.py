"""Read values of CONFIG_DB back into neutral units, written apart from the printing."""

from fabricgen.core.tree.database import NeutralReading
from fabricgen.core.tree.facts import Attributes, Topic, Value
from fabricgen.core.units import BitsPerSecond


def share_of_speed(kbps: Value, port: Attributes) -> Value:
    """Return a rate as percent of the speed of its port: `8000000` of 800G is `1`.

    Rounding loses nothing: a hundredth of a percent of 10 Mb/s is one kilobit a second. A value
    that is no number, or of a port without a speed, is returned unchanged.
    """
    speed = port.get("speed")
    if not (isinstance(kbps, str) and kbps.isdigit() and isinstance(speed, str)):
        return kbps
    try:
        return f"{int(kbps) * 100_000 / BitsPerSecond.parse(speed):g}"
    except ValueError:
        return kbps


def the_only(values: Value, switch: Attributes) -> Value:
    """Return the entry of a list that has one: of `search`, the domain."""
    del switch
    return values[0] if len(values) == 1 else values


READINGS: dict[Topic, NeutralReading] = {
    ("switch", "domain"): the_only,
    ("interface", "storm-broadcast"): share_of_speed,
    ("interface", "storm-multicast"): share_of_speed,
    ("interface", "storm-unknown-unicast"): share_of_speed,
}
