"""The peer on the same fabric: PyAVD's public pipeline, timed by stage; one JSON line out.

usage: peer_pyavd.py LEAFS        (needs `pip install pyavd` in the Python that runs it)
4 spines, 10 VRFs x 5 VLANs, 48 trunk ports a leaf; each leaf is given its own servers only, which
is the best case for PyAVD: with one shared list of servers its cost grows faster than linearly.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from sites import PORTS, SPINES, VLANS, VRFS


def inputs(leafs: int) -> dict[str, dict[str, object]]:
    """Return the inputs of every device, as group and host variables would give them."""
    spines = [f"spine{number}" for number in range(1, SPINES + 1)]
    common: dict[str, object] = {
        "fabric_name": "BENCH",
        "mgmt_gateway": "10.255.255.254",
        "underlay_routing_protocol": "ebgp",
        "overlay_routing_protocol": "ebgp",
        "p2p_uplinks_mtu": 9214,
        "spine": {
            "defaults": {
                "platform": "7050X3",
                "loopback_ipv4_pool": "192.168.0.0/17",
                "bgp_as": "65000",
            },
            "nodes": [
                {"name": name, "id": number, "mgmt_ip": f"10.255.0.{number}/16"}
                for number, name in enumerate(spines, 1)
            ],
        },
        "l3leaf": {
            "defaults": {
                "platform": "7050X3",
                "loopback_ipv4_pool": "192.168.0.0/17",
                "loopback_ipv4_offset": SPINES,
                "vtep_loopback_ipv4_pool": "192.168.128.0/17",
                "uplink_interfaces": [f"Ethernet{PORTS + 1 + s}" for s in range(SPINES)],
                "uplink_switches": spines,
                "uplink_ipv4_pool": "172.16.0.0/12",
                "virtual_router_mac_address": "00:1c:73:00:00:99",
            },
            "nodes": [
                {
                    "name": f"leaf{n}",
                    "id": n,
                    "bgp_as": str(4_200_000_000 + n),
                    "mgmt_ip": f"10.255.{1 + n // 250}.{n % 250 + 1}/16",
                    "uplink_switch_interfaces": [f"Ethernet{n}"] * SPINES,
                }
                for n in range(1, leafs + 1)
            ],
        },
    }
    vlan = [[100 + t * VLANS + v for v in range(VLANS)] for t in range(VRFS)]
    tenants = [
        {
            "name": "T1",
            "mac_vrf_vni_base": 10_000,
            "vrfs": [
                {
                    "name": f"VRF{t}",
                    "vrf_vni": t + 1,
                    "svis": [
                        {
                            "id": number,
                            "name": f"V{number}",
                            "enabled": True,
                            "ip_address_virtual": f"172.{16 + t}.{v}.1/24",
                        }
                        for v, number in enumerate(vlan[t])
                    ],
                }
                for t in range(VRFS)
            ],
        }
    ]
    made = {name: {**common, "type": "spine"} for name in spines}
    for n in range(1, leafs + 1):
        servers = [
            {
                "name": f"leaf{n}-s{p:02}",
                "adapters": [
                    {
                        "endpoint_ports": ["eth0"],
                        "switch_ports": [f"Ethernet{p}"],
                        "switches": [f"leaf{n}"],
                        "mode": "trunk",
                        "spanning_tree_portfast": "edge",
                        "vlans": ",".join(map(str, vlan[p % VRFS])),
                    }
                ],
            }
            for p in range(1, PORTS + 1)
        ]
        made[f"leaf{n}"] = {**common, "type": "l3leaf", "tenants": tenants, "servers": servers}
    return made


def main(leafs: int) -> None:
    """Run the pipeline once."""
    wall = time.perf_counter()
    import pyavd
    from pyavd.api.schemas import AVDDesign

    raw = inputs(leafs)
    started = time.process_time()
    designs = {
        host: AVDDesign._from_dict(pyavd.validate_inputs(data).validated_data)  # noqa: SLF001
        for host, data in raw.items()
    }
    facts = pyavd.get_avd_facts(designs)
    lines = size = 0
    for host, design in designs.items():
        structured = pyavd.get_device_structured_config(host, design, facts)
        checked = pyavd.validate_structured_config(structured._as_dict())  # noqa: SLF001
        text = pyavd.get_device_config(checked.validated_data)
        lines, size = lines + text.count("\n"), size + len(text)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "case": f"pyavd {leafs}",
                "version": pyavd.__version__,
                "switches": len(raw),
                "lines": lines,
                "bytes": size,
                "cpu": usage.ru_utime + usage.ru_stime,
                "pipeline_cpu": time.process_time() - started,
                "wall": time.perf_counter() - wall,
                "peak_rss_mib": usage.ru_maxrss / 1024,
            }
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
