"""A fabric of SONiC as labs of segment routing have it: unnumbered links, VRFs, and no server."""

import json

LINK = {"ipv6_use_link_local_only": "enable"}
LEAFS, SPINES = ("dc7-edge1", "dc7-edge2"), ("dc7-core1", "dc7-core2")
_FRR = """frr version 8.4
frr defaults traditional
hostname {name}
router bgp {asn}
 bgp router-id 10.70.0.{number}
 no bgp default ipv4-unicast
 bgp bestpath as-path multipath-relax
{peers} !
 segment-routing srv6
  locator OWN
 exit
 !
 address-family ipv4 unicast
  network 10.70.0.{number}/32
{active} exit-address-family
 !
 address-family ipv6 unicast
  network fd07:{number}::/48
  network fd07:{number}::1/128
{active} exit-address-family
exit
!
{vrf}segment-routing
 srv6
  encapsulation
   source-address fd07:{number}::1
  locators
   locator OWN
    prefix fd07:{number}::/48 block-len 32 node-len 16
   exit
   !
  exit
  !
 exit
 !
exit
!
"""
_VRF = """router bgp {asn} vrf Red7
 !
 address-family ipv4 unicast
  redistribute connected
  rd vpn export 10.70.0.{number}:7
  export vpn
  import vpn
 exit-address-family
exit
!
"""


def configurations() -> dict[str, str]:
    """Return the files of each switch, and cables.csv."""
    files = {}
    for number, name in enumerate((*LEAFS, *SPINES), 11):
        leaf = name in LEAFS
        asn = 64600 + number if leaf else 64590
        files[f"{name}/config_db.json"] = json.dumps(
            _database(name, number, asn, leaf=leaf), indent=1
        )
        files[f"{name}/frr.conf"] = _routing(name, number, asn, leaf=leaf)
    return files


def cables() -> str:
    """Return them as an inventory has them: port n of a leaf leads to spine n."""
    rows = [
        f"{leaf},Ethernet{4 * up},{spine},Ethernet{4 * down}"
        for down, leaf in enumerate(LEAFS)
        for up, spine in enumerate(SPINES)
    ]
    return "\n".join(("device_a,port_a,device_b,port_b", *rows, ""))


def _database(name: str, number: int, asn: int, *, leaf: bool) -> dict[str, object]:
    local = {
        "hostname": name,
        "platform": "x86_64-kvm_x86_64-r0",
        "hwsku": "lab-32x100-vs",
        "mac": f"02:00:00:00:00:{number}",
        "bgp_asn": str(asn),
        "type": "LeafRouter",
    }
    ports: dict[str, dict[str, str]] = {"Ethernet0": LINK, "Ethernet4": LINK}
    if leaf:
        ports |= {"Ethernet8": {"vrf_name": "Red7"}, f"Ethernet8|10.77.{number}.1/24": {}}
    up = {"admin_status": "up", "mtu": "9100", "speed": "100000"}
    return {
        "DEVICE_METADATA": {"localhost": local},
        "LOOPBACK_INTERFACE": {f"Loopback0|10.70.0.{number}/32": {}},
        "INTERFACE": ports,
        "PORT": {f"Ethernet{4 * at}": up | {"index": str(at)} for at in range(4)},
        **({"VRF": {"Red7": {}}} if leaf else {}),
    }


def _routing(name: str, number: int, asn: int, *, leaf: bool) -> str:
    far = [64590, 64590] if leaf else [64611, 64612]
    peers = "".join(
        f" neighbor Ethernet{4 * at} interface remote-as {peer}\n" for at, peer in enumerate(far)
    )
    return _FRR.format(
        name=name,
        number=number,
        asn=asn,
        peers=peers,
        active="  neighbor Ethernet0 activate\n  neighbor Ethernet4 activate\n",
        vrf=_VRF.format(asn=asn, number=number) if leaf else "",
    )
