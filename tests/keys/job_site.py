"""The site of keys of jobs on several networks, and of VIPs."""

from typing import Any

from yaml import safe_load

_TEXT = """
servers:
  gpu:
    count: 6
    gpus: 2
    ports:
      rail: {fabric: backend, speed: 100G}
      front: {fabric: frontend, speed: 100G, per_leaf: 3}
      data: {fabric: storage, speed: 100G, per_leaf: 3}
  nvme: {count: 1, ports: {data: {fabric: storage, speed: 100G, per_leaf: 1, first: 4}}}
  lb: {count: 2, ports: {front: {fabric: frontend, speed: 100G, per_leaf: 1, first: 4}}}
  web: {count: 2, ports: {front: {fabric: frontend, speed: 100G, per_leaf: 1, first: 5}}}
backend:
  design: rail-optimized
  scalable_unit: {servers: 2}
  links: {speed: 100G}
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  roce: {watchdog: {enabled: false}, pfc: false}
frontend:
  oversubscription: 8
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 1}
  leaf_groups: {racks: {leafs: 1-2}}
fabrics:
  storage:
    kind: evpn
    number: 1
    oversubscription: 8
    leaf: {model: 7050CX3-32S, platform: linux}
    spine: {model: 7050CX3-32S, platform: linux, count: 1}
    leaf_groups: {racks: {leafs: 1-2}}
tenants:
  files:
    fabric: storage
    vrfs:
      files: {id: 1, vlans: {nfs: {id: 10, subnet: 10.130.0.0/24}}}
      more: {id: 2, vlans: {nfs2: {id: 11, subnet: 10.131.0.0/24}}}
    attachments: [{servers: nvme, trunk: [nfs, nfs2], addresses: none}]
  chat:
    fabric: frontend
    vrfs:
      chat:
        id: 1
        vlans: {users: {id: 110, subnet: 10.110.0.0/24}, models: {id: 111, subnet: 10.111.0.0/24}}
        hosts:
          lb: {asn: 65101, accept: [198.51.100.0/28]}
          waf: {asn: 65102, accept: [198.51.100.0/28]}
        vips: {chat: {hosts: lb, address: 198.51.100.1}}
    attachments:
      - {servers: web, numbers: "1", access: users, addresses: static}
      - {servers: web, numbers: "2", access: models, addresses: static}
      - {servers: lb, numbers: "1", vrf: chat, links: 10.98.0.0/24, bgp: lb}
      - {servers: lb, numbers: "2", vrf: chat, links: 10.98.0.0/24, bgp: waf}
jobs:
  training:
    fabric: frontend
    slots: 8
    vrf_ids: 200
    vlan_ids: 2000
    subnets: 10.96.0.0/16
    servers: gpu
    rails: {fabric: backend, idle_vrf: 99}
    storage: {fabric: storage, subnets: 10.97.0.0/16, exports: [files]}
    jobs:
      llama: {slot: 1, servers: 1-2}
"""
JOB_SITE: dict[str, Any] = safe_load(_TEXT)
