"""Lists the expected facts of policies: prefix lists, external peers and rules between zones."""

from collections.abc import Iterable
from functools import lru_cache

from fabricgen.core.tree.facts import TRUE, Attributes, Value
from fabricgen.model.fabric.external import ExternalPeer, PrefixRule
from fabricgen.model.fabric.routing import AllowedPrefix
from fabricgen.model.fabric.zones import ANY_PORT, Rule
from fabricgen.model.settings.setting import facts_of, placeholder
from fabricgen.nos.spelling import Names


def rule_facts(rule: Rule) -> Attributes:
    """Return the attributes of a rule, without unset ones."""
    own: Attributes = {
        "action": "permit" if rule.permit else "deny",
        "protocol": rule.protocol,
        "source": rule.source.prefix if rule.source.length else "any",
        "target": rule.target.prefix if rule.target.length else "any",
    }
    for word, ports in (("from", rule.source_ports), ("to", rule.target_ports)):
        if ports != ANY_PORT:
            own[word] = "-".join(map(str, dict.fromkeys(ports)))
    return own | ({"only": rule.only} if rule.only else {})


def clause(action: str, **more: Value) -> Value:
    """Return one clause of a policy, in the form of a grammar."""
    named = {"action": action, **more}
    return tuple(sorted((word.replace("_", "-"), value) for word, value in named.items()))


@lru_cache(maxsize=64)
def allowed(prefixes: tuple[AllowedPrefix, ...]) -> Value:
    """Return the meaning of a prefix list: prefix, shortest and longest length, in order."""
    return tuple(
        (("permit", f"{each.prefix.prefix},{each.shortest}-{each.longest}"),) for each in prefixes
    )


def bounds(peer: ExternalPeer, names: Names) -> Attributes:
    """Return the limits of a session besides its routes."""
    border = peer.border
    own: Attributes = {"communities": TRUE} if border.send else {}
    if border.password is not None:
        own["password"] = placeholder(names.password(peer.remote.host, border.password))
    if border.max_prefixes is not None:
        own |= facts_of(border.max_prefixes)
    if border.hides_private:
        own["hides-private"] = TRUE
    if border.local_asn is not None:
        own["local-as"] = str(border.local_asn)
    return own


def inside(password: str | None, group: str, names: Names) -> Attributes:
    """Return the password of a session inside the fabric, if it has one."""
    return {} if password is None else {"password": placeholder(names.password(group, password))}


def let_in(peer: ExternalPeer) -> Value:
    """Return the import policy: listed prefixes, communities and origin ASNs."""
    border = peer.border
    more: dict[str, Value] = {}
    if border.require:
        more["community"] = _listed(border.require)
    if border.origins:
        more["origins"] = _listed([f"_{asn}$" for asn in border.origins])
    if border.preference is not None:
        more["preference"] = str(border.preference)
    return _passing(peer.accept, border.mark, peer.longer_in, **more)


def let_out(peer: ExternalPeer, asn: int) -> Value:
    """Return the export policy: listed prefixes, longer paths for a backup. `asn`: of the leaf."""
    return _passing(peer.announce, peer.border.send, peer.longer_out(asn))


def _listed(texts: Iterable[str]) -> Value:
    """Return the meaning of a list without numbers, in the order of reading."""
    ordered = sorted(texts, key=lambda text: (len(text), text))
    return tuple((("permit", text),) for text in ordered)


def _passing(
    rules: Iterable[PrefixRule], communities: tuple[str, ...], longer: str, **more: Value
) -> Value:
    """Return a policy at a border: listed prefixes, and replaced communities."""
    if longer:
        more["prepend"] = longer
    if communities:
        more["communities"] = tuple(sorted(communities))
    stripped = ("extcommunity",) if communities else ("community", "extcommunity")
    listed = allowed(tuple(rule.allowed for rule in rules))
    return clause("permit", prefixes=listed, strip=stripped, **more)
