"""Lists every settings record. A nested record follows from the one that has it."""

from typing import Any

from fabricgen.model.settings import ports, services, sessions

RECORDS: tuple[type[Any], ...] = (
    *(ports.PortProfile, ports.Errdisable, ports.LacpFallback, ports.PortSet),
    *(services.Management, sessions.MaxPrefixes),
)
