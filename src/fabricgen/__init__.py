"""Compiles intent to reviewable switch configuration.

`Site.load` is the entrance of the library. A name outside of `__all__` is private.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from fabricgen.api.cabling import Cabling
    from fabricgen.api.changes import SiteDiff
    from fabricgen.api.devices import Cable, Fabric, Server, Switch
    from fabricgen.api.errors import InvalidSite, MissingExtra, UnknownName, Unproven
    from fabricgen.api.failures import FailureReport
    from fabricgen.api.files import ConfigFile, ExplainedLine, IntentPlace, Reason
    from fabricgen.api.findings import Finding
    from fabricgen.api.lossless import LosslessReport
    from fabricgen.api.reachability import Matrix, Reachability
    from fabricgen.api.render import RenderedTree
    from fabricgen.api.search import SearchIndex
    from fabricgen.api.site import Site
    from fabricgen.api.verification import Verification
    from fabricgen.api.workshop import ServerPort
    from fabricgen.compile.output.existing_tree import Refused
    from fabricgen.core.diagnostics import Failure

_HOMES = {
    "Cable": "api.devices",
    "Cabling": "api.cabling",
    "ConfigFile": "api.files",
    "ExplainedLine": "api.files",
    "Fabric": "api.devices",
    "Failure": "core.diagnostics",
    "FailureReport": "api.failures",
    "Finding": "api.findings",
    "IntentPlace": "api.files",
    "InvalidSite": "api.errors",
    "LosslessReport": "api.lossless",
    "Matrix": "api.reachability",
    "MissingExtra": "api.errors",
    "Reachability": "api.reachability",
    "Reason": "api.files",
    "Refused": "compile.output.existing_tree",
    "RenderedTree": "api.render",
    "SearchIndex": "api.search",
    "Server": "api.devices",
    "ServerPort": "api.workshop",
    "Site": "api.site",
    "SiteDiff": "api.changes",
    "Switch": "api.devices",
    "UnknownName": "api.errors",
    "Unproven": "api.errors",
    "Verification": "api.verification",
    "__version__": "core",
}
__all__ = [
    "Cable",
    "Cabling",
    "ConfigFile",
    "ExplainedLine",
    "Fabric",
    "Failure",
    "FailureReport",
    "Finding",
    "IntentPlace",
    "InvalidSite",
    "LosslessReport",
    "Matrix",
    "MissingExtra",
    "Reachability",
    "Reason",
    "Refused",
    "RenderedTree",
    "SearchIndex",
    "Server",
    "ServerPort",
    "Site",
    "SiteDiff",
    "Switch",
    "UnknownName",
    "Unproven",
    "Verification",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is used, so that `import fabricgen` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOMES[name]}")
    return getattr(home, "VERSION" if name == "__version__" else name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
