"""What the index template may see: one switch, as the sections of its configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.nos.eos.view.balancing import Balancing
    from fabricgen.nos.eos.view.external import External
    from fabricgen.nos.eos.view.management import Foundation, Hostname, Management
    from fabricgen.nos.eos.view.overlay import Overlay
    from fabricgen.nos.eos.view.ports import Ports
    from fabricgen.nos.eos.view.qos import Quality
    from fabricgen.nos.eos.view.routing import Routing


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class EosView:
    """One switch, as the sections of its configuration."""

    hostname: Hostname
    foundation: Foundation
    management: Management
    quality: Quality
    balancing: Balancing
    ports: Ports
    overlay: Overlay
    routing: Routing
    external: External
