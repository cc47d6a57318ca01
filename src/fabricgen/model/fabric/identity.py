"""Defines the identity of a switch besides its name."""

from fabricgen.core.record import record


@record(kw_only=True)
class Identity:
    """The name that a switch had before, its serial number and the MAC of its management port.

    Each is empty where the intent does not say it.
    """

    previous_name: str = ""
    serial: str = ""
    mac: str = ""
