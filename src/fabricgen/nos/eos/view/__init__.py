"""Define the views of EOS templates: frozen records of final strings and numbers.

`because` is the reason of the lines. A view that is None or empty prints no lines.
"""

from fabricgen.core.record import record
from fabricgen.nos.eos.view.interfaces import Interfaces, Ports
from fabricgen.nos.eos.view.qos import Maps, Memory, Policies, Profiles
from fabricgen.nos.eos.view.routing import Routing
from fabricgen.nos.eos.view.system import Mlag, Ptp, Services, System, Tenancy


@record(eq=False, kw_only=True)
class EosView:
    """One switch, as the sections of its configuration."""

    system: System
    services: Services
    ptp: Ptp | None
    profiles: Profiles | None
    maps: Maps | None
    policies: Policies | None
    tenancy: Tenancy
    ports: Ports
    interfaces: Interfaces
    routing: Routing | None
    mlag: Mlag | None
    memory: Memory | None
