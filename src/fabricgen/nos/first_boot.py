"""The seam between the export of the first boot and a network OS."""

from collections.abc import Callable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.model.fabric.switch import SwitchSlice


@record(kw_only=True)
class FirstBoot:
    """What a switch from the factory is given, so that a push can reach it.

    files: by path below the switch's folder. start: the one whose URL DHCP names (option 67).
    image: what the image that switches of this platform are installed from has to bring, by path.
    """

    files: Mapping[str, str]
    start: str
    image: Mapping[str, str] = field(default_factory=dict)


FirstBoots = Callable[["SwitchSlice", Mapping[str, str], str], FirstBoot]
"""A slice, its rendered files by path, and the URL of its folder in; its first boot out."""
