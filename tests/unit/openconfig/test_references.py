"""OpenConfig data refers only to what it has, and no list has two entries with one key."""

import json
from typing import Any

import pytest
from tests.unit.openconfig.data import EVERY, leafs, part, walk, written

every_site = pytest.mark.parametrize("text", EVERY.values(), ids=EVERY.keys())
KEYS = {
    "interface": ("name",),
    "subinterface": ("index",),
    "address": ("ip",),
    "network-instance": ("name",),
    "protocol": ("identifier", "name"),
    "neighbor": ("neighbor-address",),
    "afi-safi": ("afi-safi-name",),
    "static": ("prefix",),
    "next-hop": ("index",),
    "vlan": ("vlan-id",),
    "table": ("protocol", "address-family"),
    "table-connection": ("src-protocol", "dst-protocol", "address-family"),
    "prefix-set": ("name",),
    "prefix": ("ip-prefix", "masklength-range"),
    "policy-definition": ("name",),
    "statement": ("name",),
    "community-set": ("community-set-name",),
    "as-path-set": ("as-path-set-name",),
    "acl-set": ("name", "type"),
    "acl-entry": ("sequence-id",),
    "ingress-acl-set": ("set-name", "type"),
    "queue": ("name",),
    "forwarding-group": ("name",),
    "classifier": ("type",),
    "term": ("id",),
    "queue-management-profile": ("name",),
    "scheduler-policy": ("name",),
    "scheduler": ("sequence",),
    "input": ("id",),
    "server": ("address",),
    "remote-server": ("host",),
    "collector": ("address", "port"),
    "grpc-server": ("name",),
}
"""Lists of the models with their keys."""
_OTHER = {
    ("network-instance", "interfaces", "interface"): ("id",),
    ("acl", "interfaces", "interface"): ("id",),
    ("qos", "interfaces", "interface"): ("interface-id",),
    ("classifiers", "classifier"): ("name",),
}
"""Lists whose names other lists have, too."""


def keys_of(path: tuple[str, ...]) -> tuple[str, ...]:
    for ending, keys in _OTHER.items():
        if path[-len(ending) :] == ending and "input" not in path:
            return keys
    return KEYS[path[-1]]


@every_site
def test_entries_have_their_keys_once_and_repeat_them_below(text: str) -> None:
    for _, tree in written(text).values():
        for path, value in walk(tree):
            if isinstance(value, list) and value and isinstance(value[0], dict):
                keys = keys_of(path)
                found = [tuple(each[key] for key in keys) for each in value]
                assert len(set(found)) == len(found), (path, found)
                for each in value:
                    assert {key: each[key] for key in keys}.items() <= each["config"].items()


def names(tree: Any, of: str, key: str = "name") -> set[Any]:
    return leafs(tree, of, key)


@every_site
def test_every_reference_has_its_target(text: str) -> None:
    for _, tree in written(text).values():
        ports = names(part(tree, "interfaces"), "interface")
        instances = part(tree, "network-instances")
        policy = part(tree, "routing-policy")
        rest = {key: value for key, value in tree.items() if "interfaces" not in key}
        assert leafs(rest, "interface-ref", "config", "interface") <= ports
        assert leafs(instances, "interfaces", "interface", "config", "interface") <= ports
        assert leafs(tree, "aggregate-id") <= ports
        assert names(part(tree, "lacp"), "interface") <= ports
        assert names(part(tree, "lldp"), "interface") <= ports
        policies = names(policy, "policy-definition")
        for way in ("import-policy", "export-policy"):
            assert leafs(instances, way) <= policies
        assert leafs(policy, "match-prefix-set", "config", "prefix-set") <= names(
            policy, "prefix-set"
        )
        sets = names(policy, "community-set", "community-set-name")
        assert leafs(policy, "match-community-set", "config", "community-set") <= sets
        paths = names(policy, "as-path-set", "as-path-set-name")
        assert leafs(policy, "match-as-path-set", "config", "as-path-set") <= paths


@every_site
def test_access_lists_queues_and_tables_exist(text: str) -> None:
    for _, tree in written(text).values():
        lists, qos = part(tree, "acl"), part(tree, "qos")
        assert names(lists, "ingress-acl-set", "set-name") == names(lists, "acl-set")
        queues = {each["name"] for each in qos["queues"]["queue"]} if qos else set()
        assert leafs(qos, "output-queue") | leafs(qos, "input", "queue") <= queues
        groups = names(qos, "forwarding-group")
        assert leafs(qos, "target-group") <= groups
        profiles = names(qos, "queue-management-profile", "name")
        assert leafs(qos, "queue", "config", "queue-management-profile") == profiles
        assert leafs(qos, "output", "scheduler-policy", "config", "name") <= names(
            qos, "scheduler-policy"
        )
        for each in part(tree, "network-instances")["network-instance"]:
            protocols = leafs(each, "protocol", "config", "identifier")
            assert leafs(each, "table", "config", "protocol") <= protocols


@every_site
def test_no_secret_and_no_empty_container_is_written(text: str) -> None:
    for _, tree in written(text).values():
        told = json.dumps(tree)
        assert "env:" not in told
        assert "secret" not in told
        assert all(value not in (None, "", {}, []) for path, value in walk(tree) if path)
