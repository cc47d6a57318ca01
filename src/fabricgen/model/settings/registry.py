"""Lists every settings record; a record includes its nested ones."""

from typing import Any

from fabricgen.model.settings import ports, services, sessions

RECORDS: tuple[type[Any], ...] = (
    *(ports.PortProfile, ports.Errdisable, ports.LacpFallback, ports.PortSet),
    *(services.Management, sessions.MaxPrefixes),
)
