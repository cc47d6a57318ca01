"""Every kind of fabric that there is: the words of one in, what designs it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.compile.design.kinds.access import design_access
from fabricgen.compile.design.kinds.evpn import design_evpn
from fabricgen.compile.design.kinds.rails import design_rails
from fabricgen.compile.design.kinds.routed import design_routed
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.routed import Routed

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.fabric import FabricWords
    from fabricgen.intent.model.intent import Intent
    from fabricgen.model.fabric.services import Services
    from fabricgen.model.fabric.switch import Fabric

    Design = Callable[[Intent, Any, Services, Findings], Fabric | None]
    """The site, the words of one fabric, services and findings to the fabric; None for no whole."""
    Serves = Callable[[Sequence[Fabric], Intent, Any, Services, Findings], Fabric | None]
    """The same, with the fabrics whose switches it serves in front."""

KINDS: tuple[tuple[type[FabricWords], Design], ...] = (
    (Frontend, partial(design_evpn, ())),
    (Backend, design_rails),
    (Routed, design_routed),
)
"""Words and design of each kind, in the order in which their fabrics are checked and rendered."""

LATER: tuple[tuple[type[FabricWords], Serves], ...] = (
    (Frontend, design_evpn),
    (Access, design_access),
)
"""Those that have management ports of the others, which are designed by then."""
