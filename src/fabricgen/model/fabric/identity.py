"""Defines the identity of a switch besides its name."""

from fabricgen.core.record import record


@record(kw_only=True)
class Identity:
    """Previous name, serial number and management MAC of a switch.

    Each is empty if the intent does not give it.
    """

    previous_name: str = ""
    serial: str = ""
    mac: str = ""
