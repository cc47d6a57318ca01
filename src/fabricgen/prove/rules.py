"""State what the files say of one rule between zones."""

from fabricgen.core.tree.facts import Attributes
from fabricgen.model.fabric.zones import ANY_PORT, Rule


def rule_facts(rule: Rule) -> Attributes:
    """Return what a rule says, without what it leaves open."""
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
