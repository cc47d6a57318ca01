"""Gives the names of EOS to the objects of every design."""

from fabricgen.nos.eos.facts import more, own, places
from fabricgen.nos.eos.names import (
    LOOPBACK,
    MANAGEMENT,
    VTEP,
    diagnostic_source,
    neighbor,
    password_of,
)
from fabricgen.nos.spelling import Names

NAMES = Names(
    settings_of_members=True,
    loopback=LOOPBACK,
    tunnel=VTEP,
    management=MANAGEMENT,
    gateway="Vlan{}".format,
    bundle="Port-Channel{}".format,
    neighbor=neighbor,
    diagnostic=diagnostic_source,
    password=password_of,
    bundles=True,
    unsaid=frozenset(
        {
            ("unused", "mtu"),
            ("edge", "mtu"),  # a bridged port accepts every frame
            ("rail", "mtu"),
            ("member", "mtu"),
            ("bundle", "mtu"),
            ("unnumbered", "far-end"),  # the port describes its unnumbered neighbor
            ("vtep", "address"),  # written as the address of its loopback
        }
    ),
    more=more,
    own=own,
    places=places,
)
