"""A RoCE profile and the tiers of a fabric in, what its owner publishes and nobody is told out."""

from fabricgen.design.findings import Findings
from fabricgen.design.roce_profiles import PROFILES
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.topology import Role, Topology
from fabricgen.intent.model.qos import Roce


def say_gaps(roce: Roce, topology: Topology, path: IntentPath, findings: Findings) -> None:
    """Warn where marking is not what the profile's name promises; not where a person wrote it."""
    profile, ecn = PROFILES[roce.profile], roce.ecn
    if not (roce.enabled and ecn.enabled) or (ecn.minimum and ecn.maximum):
        return
    spines = any(switch.role is not Role.LEAF for switch in topology.switches)
    gaps = [f"{profile.unmarked}; the computed points are used"] if profile.unmarked else []
    if profile.leaf_only and spines:
        gaps.append(f"{profile.leaf_only}; they are told what leafs are")
    for gap in gaps:
        findings.warn(Code.PROFILE_GAP, f"{roce.profile}: {gap}", path)
