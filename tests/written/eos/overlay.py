"""Write VNIs, EVPN instances and EVPN routes of an EOS switch.

Part of the written answers of EOS switches (tests/written/eos/switches.py).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from tests.written.eos.world import Shown, Written

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Lag, SwitchSlice

BEST = "      Origin IGP, metric -, localpref 100, weight 0, tag 0, valid, external, best\n"


class Overlay(Written):
    """The tunnels, and EVPN."""

    def overlay(self) -> Shown:
        vtep = self.piece.vtep
        if vtep is None:
            return {"show vxlan vni": {"vxlanIntfs": {}}, "show bgp evpn instance": ""}
        bindings = {
            own["vni"]: {"vlan": int(key[1]), "dynamicVlan": False, "source": "static"}
            for key, own in self.of("vlan").items()
            if "vni" in own
        }
        routed = {
            own["vni"]: {"vrfName": key[1], "vlan": self.transit[key[1]], "source": "evpn"}
            for key, own in self.of("vrf").items()
            if "vni" in own
        }
        checks = {
            name: {"allCheckPass": True, "hasWarning": False, "items": []}
            for name in ("localVtep", "mlag", "pd", "remoteVtep")
        }
        return {
            "show vxlan vni": {  # ANTA test_vxlan.py
                "vxlanIntfs": {"Vxlan1": {"vniBindings": bindings, "vniBindingsToVrf": routed}}
            },
            "show interfaces vxlan 1": {  # ANTA test_vxlan.py, SUZ
                "interfaces": {
                    "Vxlan1": {
                        "srcIpIntf": "Loopback1",
                        "srcIpAddr": vtep.host,
                        "udpPort": 4789,
                        "replicationMode": "headendVcs",
                        "lineProtocolStatus": "up",
                        "vlanToVtepList": dict(self.flooded()),
                    }
                }
            },
            "show vxlan config-sanity": {  # ANTA test_vxlan.py
                "categories": {**checks, "cvx": {"allCheckPass": False, "items": []}}
            },
            "show bgp evpn instance": "".join(self.instances()),
            **dict(self.imet()),
            **dict(self.prefixes()),
        }

    def others(self, vni: int) -> list[SwitchSlice]:
        """The other leafs with a VNI, each endpoint once."""
        own = self.piece.vtep
        found = {
            each.vtep.host: each for each in self.world.vteps.get(vni, ()) if each.vtep is not None
        }
        return [each for host, each in sorted(found.items()) if own is None or host != own.host]

    def flooded(self) -> Any:
        for vlan in self.piece.vlans:
            if vlan.vni is not None:
                ends = [each.vtep.host for each in self.others(vlan.vni) if each.vtep]
                yield str(vlan.id), {"remoteVtepAddr": ends, "remoteVtepAddr6": []}

    def instances(self) -> Any:
        """As in EANTC: one block for each VLAN, with the Ethernet segments of the leaf."""
        assert self.piece.vtep is not None
        bundles = set()
        for key, own in self.of("vlan").items():
            if "vni" not in own:
                continue
            head = f"VLAN {key[1]}"
            if "bundle" in own:
                if own["bundle"] in bundles:
                    continue
                bundles.add(own["bundle"])
                head = f"VLAN-aware bundle {own['bundle']}"
            rd = own.get("rd") or self.facts["bundle", own["bundle"]]["rd"]
            yield f"EVPN instance: {head}\n  Route distinguisher: {rd}\n"
            for way in ("import", "export"):
                targets = " ".join(f"Route-Target-AS:{each}" for each in own[way])
                yield f"  Route target {way}: {targets}\n"
            yield "  Service interface: VLAN-based\n"
            yield f"  Local VXLAN IP address: {self.piece.vtep.host}\n"
            yield "  VXLAN: enabled\n  MPLS: disabled\n"
            yield from self.segments()

    def segments(self) -> Any:
        lags = [lag for lag in self.piece.lags if lag.segment is not None]
        if lags:
            yield "  Local ethernet segment:\n"
        for lag in lags:
            yield from self.segment(lag)

    def segment(self, lag: Lag) -> Any:
        assert lag.segment is not None
        assert self.piece.vtep is not None
        far = next(
            each.vtep.host
            for each in self.world.pieces
            if each.switch.name == lag.segment.peer.name and each.vtep is not None
        )
        first = lag.segment.preference == 200
        ends = [self.piece.vtep.host, far] if first else [far, self.piece.vtep.host]
        digits = lag.segment.identifier.replace(":", "")
        esi = ":".join(digits[at : at + 4] for at in range(0, 20, 4))
        yield f"    ESI: {esi}\n      Interface: Port-Channel{lag.number}\n"
        yield "      Mode: all-active\n      State: up\n"
        yield f"      ES-Import RT: {lag.segment.system}\n"
        yield "      DF election algorithm: preference\n"
        yield f"      Designated forwarder: {ends[0]}\n"
        yield f"      Non-Designated forwarder: {ends[1]}\n"

    def imet(self) -> Any:
        """As in EANTC: `show bgp evpn route-type imet detail`."""
        for vlan in self.piece.vlans:
            if vlan.vni is None:
                continue
            lines = [
                "BGP routing table information for VRF default\n",
                f"Router identifier {self.piece.router_id.host}, local AS number 65000\n",
            ]
            assert self.piece.vtep is not None
            for each in (self.piece, *self.others(vlan.vni)):
                assert each.vtep is not None
                rd = f"{each.loopback.host}:{vlan.id}"
                way = "Local" if each is self.piece else "65000 65001"
                entry = f"BGP routing table entry for imet {each.vtep.host}"
                way = (
                    f" Paths: 1 available\n  {way}\n    {each.vtep.host} from 10.0.0.1 (10.0.0.1)\n"
                )
                lines += [
                    f"{entry}, Route Distinguisher: {rd}\n",
                    way,
                    BEST,
                    f"      Extended Community: Route-Target-AS:65000:{vlan.vni}\n",
                    f"      VNI: {vlan.vni}\n",
                ]
            yield f"show bgp evpn route-type imet vni {vlan.vni} detail", "".join(lines)

    def prefixes(self) -> Any:
        """As in ANTA test_evpn.py."""
        routed = {vrf.name: vrf for vrf in self.piece.tunneled}
        homes: dict[tuple[str, str], list[SwitchSlice]] = defaultdict(list)
        for each in self.world.pieces:
            names = {vrf.name for vrf in each.tunneled} if each.vtep is not None else set()
            for vlan in each.vlans:
                for gateway in vlan.gateways if vlan.vrf in names and vlan.vni else ():
                    homes[str(vlan.vrf), gateway.prefix].append(each)
        for (name, prefix), leafs in homes.items():
            if name not in routed:
                continue
            vrf = routed[name]
            routes = {}
            for each in leafs:
                assert each.vtep is not None
                rd = f"{each.loopback.host}:{vrf.number}"
                path: Shown = {"routeType": {"active": True, "valid": True}}
                path["nextHop"] = "" if each is self.piece else each.vtep.host
                routes[f"RD: {rd} ip-prefix {prefix}"] = {
                    "routeKeyDetail": {
                        "ipGenPrefix": prefix,
                        "domain": "local",
                        "rd": rd,
                        "nlriType": "ip-prefix",
                    },
                    "evpnRoutePaths": [path],
                }
            command = f"show bgp evpn route-type ip-prefix {prefix} vni {vrf.vni}"
            yield command, {"vrf": "default", "asn": "65000", "evpnRoutes": routes}
