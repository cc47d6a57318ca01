"""Both ends of a session in; whether they are one session out."""

from fabricgen.prove.walk.tables import Session, Tables


def agree(one: Tables, ours: Session, other: Tables, theirs: Session) -> bool:
    """Tell whether both ends name each other's ASN, with one password or none."""
    asns = (ours.asn, shown(other, theirs)), (theirs.asn, shown(one, ours))
    named = all(said in (asn, "external") for said, asn in asns)
    return named and _secret(ours.password) == _secret(theirs.password)


def shown(switch: Tables, session: Session) -> str:
    """Return the ASN that a switch shows on a session."""
    return session.local_asn or switch.asn


def _secret(password: str) -> str:
    """Return what a password refers to; EOS keeps it with its neighbour in front, up to an @."""
    return password.removeprefix("<<secret:").rpartition("@")[2]
