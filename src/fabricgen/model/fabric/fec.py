"""Decides the forward error correction of a port, which must be equal at both ends of a link."""

from fabricgen.model.fabric.topology import Port

_FROM = 100 * 10**9
_PAM4 = 50 * 10**9


def reed_solomon(port: Port) -> bool:
    """Return whether a port runs Reed-Solomon FEC.

    IEEE 802.3 requires it on 100G of four lanes (clause 91) and on each lane of 50G or more, which
    is PAM4 (clauses 119 and 134). SONiC also writes it from 100G and from 50G lanes up
    (sonic-buildimage src/sonic-config-engine, minigraph.py and portconfig.py). On slower lanes the
    cable decides.
    """
    return port.speed >= _FROM or port.speed // port.lanes >= _PAM4
