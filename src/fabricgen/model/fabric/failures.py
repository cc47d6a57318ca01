"""Defines the failures that a site must survive and its availability requirements."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from fractions import Fraction

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import Milliseconds


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
    connections of these two sites; with `stays`, every VRF keeps one. `within`: maximum time until
    traffic flows again. `silent`: also if links stay up. `path`: its place in the intent.
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
    within: Milliseconds | None = None
    silent: bool = True


@record(kw_only=True)
class Figures:
    """Times that the vendor of a platform states, or that the site measured, with their source.

    `link_down`: until a switch acts on a port that lost light. `withdrawal`: until the next switch
    knows that a route ended. `fib_update`: until the ASIC forwards by other paths.
    """

    source: str
    link_down: Milliseconds | None = None
    withdrawal: Milliseconds | None = None
    fib_update: Milliseconds | None = None


@record(kw_only=True)
class FailureModel:
    """Power zones, double failures, requirements, and the figures of each platform."""

    together: tuple[Together, ...] = ()
    promises: tuple[Promise, ...] = ()
    figures: Mapping[str, Figures] = field(default_factory=dict)


NO_FAILURES = FailureModel()
"""Failure model of an intent without failures."""
