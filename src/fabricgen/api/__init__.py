"""The public library: a site, its switches, servers, files and findings as Python objects.

`is_installed` and `require` ask for the optional packages of fabricgen.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec


@cache
def is_installed(package: str) -> bool:
    """Check whether this installation has a package, named below `fabricgen`."""
    spec = find_spec(f"fabricgen.{package}")
    return spec is not None and spec.origin is not None  # a folder without files has no origin


def require(package: str, call: str) -> None:
    """Check that this installation has a package that a call needs.

    Raises:
        MissingExtra: It does not.
    """
    if is_installed(package):
        return
    from fabricgen.api.errors import MissingExtra
    from fabricgen.core.diagnostics import Code, Diagnostic

    message = f"{call} needs fabricgen.{package}, which this installation lacks"
    raise MissingExtra(Diagnostic(Code.NO_SUCH_OBJECT, message))
