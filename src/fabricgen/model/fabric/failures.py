"""Defines the failures that a site must survive and its availability requirements."""

from enum import StrEnum
from fractions import Fraction

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record


class Fails(StrEnum):
    """Type of failure: one element, or elements that the intent joins."""

    SERVER_LINK = "server-link"
    LINK = "link"  # between two switches
    SITE_LINK = "site-link"  # between two sites, or to the carrier between them
    LEAF = "leaf"
    SPINE = "spine"
    SUPERSPINE = "superspine"
    POWER_ZONE = "power-zone"
    DOUBLE = "double"


ONE_THING = frozenset(Fails) - {Fails.POWER_ZONE, Fails.DOUBLE}
"""Failures of one link or one switch."""


@record(kw_only=True)
class Together:
    """Elements that fail together. `ports`: (switch, label of the port) of failed links.

    `name`: text for people: the power zone's name, or the joined names of its elements.
    """

    kind: Fails
    name: str
    switches: tuple[str, ...]
    ports: tuple[tuple[str, str], ...]


@record(kw_only=True)
class Promise:
    """A requirement for each failure in `after`. `kind`: fabric, rail or tenant, of the name `of`.

    `keeps`, `each`: minimum share of bandwidth of all servers, and of each server that keeps the
    network. `stays`: no server loses the network. `between`: the requirement is about the
    connections of these two sites; with `stays`, every VRF keeps one. `path`: its place in the
    intent.
    """

    name: str
    kind: str
    of: str
    keeps: Fraction | None
    each: Fraction | None
    stays: bool
    after: frozenset[Fails]
    path: IntentPath
    between: tuple[str, ...] = ()


@record(kw_only=True)
class FailureModel:
    """Power zones, double failures and requirements of the intent."""

    together: tuple[Together, ...] = ()
    promises: tuple[Promise, ...] = ()


NO_FAILURES = FailureModel()
"""Failure model of an intent without failures."""
