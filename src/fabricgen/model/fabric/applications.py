"""Defines the addresses of applications that servers of one or two sites advertise."""

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip


@record(kw_only=True)
class Application:
    """The address of an application in a VRF. `sites`: its fabrics, the backup last."""

    name: str
    vrf: str
    address: Ip
    sites: tuple[str, ...]
    path: IntentPath
