"""The whole intent of a site: the root that every file contributes keys to."""

from __future__ import annotations

from pydantic import Field

from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.site import SiteWords
from fabricgen.intent.model.tenants import Tenant
from fabricgen.intent.model.vocabulary import Name, Words


class Intent(Words):
    """What a site directory says, all files together."""

    site: SiteWords = Field(description="The site and its management services.")
    backend: Backend | None = Field(None, description="The lossless GPU fabric.")
    frontend: Frontend | None = Field(None, description="The VXLAN/EVPN fabric.")
    tenants: dict[Name, Tenant] = Field(
        default_factory=dict,
        description="Tenants of the frontend by name; several files may each add tenants.",
    )
