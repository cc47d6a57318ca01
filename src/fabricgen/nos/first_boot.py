"""The seam between the export of the first boot and a network OS."""

from collections.abc import Callable, Mapping

from fabricgen.fabric.switch import SwitchSlice
from fabricgen.record import record


@record(kw_only=True)
class FirstBoot:
    """What a switch from the factory is given, so that a push can reach it.

    files: by path below the switch's folder. start: the one whose URL DHCP names (option 67).
    """

    files: Mapping[str, str]
    start: str


FirstBoots = Callable[["SwitchSlice", Mapping[str, str], str], FirstBoot]
"""A slice, its rendered files by path, and the URL of its folder in; its first boot out."""
