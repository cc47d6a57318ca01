"""Recognizes the kind of inventory table from its headings, or from the keys of a NetBox object.

NetBox has several names for one thing. Its *import forms* read `device_type`. The *tables* that it
exports as CSV have headings for people (`Type`, in 4.x as in 3.x). Its *REST API* returns nested
objects. All sources are of netbox-community/netbox:

- forms: @016a5335 netbox/dcim/forms/bulk_import.py, @068d493c netbox/ipam/forms/bulk_import.py;
- tables: @02f2cf49 netbox/dcim/tables/devices.py (`device_role`, which 4.x calls `role`), @0901694b
  netbox/dcim/tables/cables.py, @02f2cf49 netbox/ipam/tables/ip.py and vlans.py, @068d493c asn.py;
  netbox/utilities/constants.py has the delimiters of an export;
- REST: @04db9dc9 netbox/dcim/api/serializers_/devices.py, @117f2f8d cables.py (`a_terminations`
  since 3.3, `termination_a` before), @1777d422 netbox/ipam/api/serializers_/ip.py, @0694a7f0
  vlans.py with netbox/vpn/api/serializers_/l2vpn.py (`identifier`, which is the VNI).

A custom field is a column `cf_NAME` in forms, NAME in tables, `custom_fields.NAME` in REST.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from fabricgen.core.record import record

DELIMITERS = ",;\t|"


@record(kw_only=True)
class Kind:
    """A kind of objects. noun: its plural.

    Attributes:
        columns: Accepted columns by name: headings, and dotted paths in REST. The first one counts.
        signs: Sets of names that identify the kind. One set must be complete.
        never: Names that identify similar kinds.
        needed: Required columns.
    """

    noun: str
    columns: Mapping[str, tuple[str, ...]]
    signs: tuple[frozenset[str], ...]
    needed: tuple[str, ...]
    never: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Return all names of all columns."""
        return frozenset(name for names in self.columns.values() for name in names)

    @property
    def told(self) -> tuple[str, ...]:
        """Return a description of its columns."""
        return tuple(" and ".join(sorted(sign)) for sign in self.signs)

    def fits(self, names: Collection[str]) -> bool:
        """Check whether a table with these headings is of this kind."""
        return not self.never & set(names) and any(each <= set(names) for each in self.signs)

    def missing(self, names: Collection[str]) -> tuple[str, ...]:
        """Return the required columns that a table lacks."""
        return tuple(each for each in self.needed if not set(self.columns[each]) & set(names))


def _signs(*signs: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(sign.split()) for sign in signs)


def _names(**columns: str) -> dict[str, tuple[str, ...]]:
    return {each: tuple(names.split()) for each, names in columns.items()}


DEVICES = Kind(
    noun="devices",
    signs=_signs("name device_type", "name type manufacturer", "name model", "name device_role"),
    never=frozenset(("device", "u_height", "height_u", "part_number", "vcpus")),
    needed=("name",),
    columns=_names(
        name="name",
        role="role device_role role.name device_role.name",
        kind="device_type type model device_type.model",
        slug="device_type.slug",
        platform="platform platform.slug platform.name",
        serial="serial serial_number",
        site="site site.name",
        rack="rack rack.name",
        unit="unit position position_u",
        management=(
            "management oob_ip oob_ip.address ip_address primary_ip primary_ip.address "
            "ipv4_address primary_ip4 primary_ip4.address"
        ),
        loopback="loopback",
        asn="asn cf_asn custom_fields.asn",
    ),
)
CABLES = Kind(
    noun="cables",
    signs=_signs(
        "device_a port_a",
        "side_a_device side_a_name",
        "device_a termination_a",
        "side_a termination_a",
        "a_terminations",
        "termination_a",
    ),
    needed=("near_device", "near_port", "far_device", "far_port"),
    columns=_names(
        near_device="device_a side_a_device side_a",
        near_port="port_a side_a_name termination_a",
        near_type="side_a_type",
        far_device="device_b side_b_device side_b",
        far_port="port_b side_b_name termination_b",
        far_type="side_b_type",
        kind="type type.value",
        length="length",
        unit="length_unit length_unit.value",
        label="label",
        status="status status.value",
    ),
)
INTERFACES = Kind(
    noun="interfaces",
    signs=_signs("device name enabled", "device name mgmt_only", "device name type"),
    never=frozenset(("module_bay", "positions", "rear_port", "component_type", "part_id")),
    needed=("near_device", "near_port"),
    columns=_names(
        near_device="device.name device",
        near_port="name",
        far_device="link_peers.0.device.name link_peer.device.name cable_peer.device.name",
        far_port="link_peers.0.name link_peer.name cable_peer.name",
    ),
)
ADDRESSES = Kind(
    noun="addresses",
    signs=_signs("address", "ip_address status"),
    never=frozenset(("mac_address", "device_type")),
    needed=("address",),
    columns=_names(
        address="address ip_address",
        vrf="vrf vrf.name",
        device="device device_vm parent interface_parent assigned_object.device.name",
        interface="interface assigned_object assigned_object.name",
        role="role role.value",
        primary="is_oob is_primary",
    ),
)
PREFIXES = Kind(
    noun="prefixes",
    signs=_signs("prefix"),
    needed=("prefix",),
    never=frozenset(("date_added",)),
    columns=_names(
        prefix="prefix_flat prefix",
        vrf="vrf vrf.name",
        vlan="vlan vlan.vid",
        role="role role.name",
        site="site scope scope.name site.name",
    ),
)
VLANS = Kind(
    noun="VLANs",
    signs=_signs("vid name", "vlan name vni", "vlan name vrf", "id name vni", "id group prefixes"),
    needed=("number", "name"),
    columns=_names(
        number="vid vlan id",
        name="name",
        vrf="vrf",
        vni="vni cf_vni custom_fields.vni l2vpn_termination.l2vpn.identifier",
        site="site site.name",
    ),
)
ASNS = Kind(
    noun="ASNs",
    signs=_signs("asn rir", "asn description"),
    never=frozenset(("name",)),
    needed=("number",),
    columns=_names(number="asn", description="description"),
)
KINDS = (CABLES, DEVICES, INTERFACES, VLANS, ADDRESSES, PREFIXES, ASNS)
"""The kinds in the order in which they are tried."""
_LEFT = """
id url display display_url created last_updated tags comments description custom_fields owner
tenant tenant_group contacts color color_name profile label location region site_group
manufacturer asset_tag face latitude longitude airflow parent_device device_bay_position cluster
virtual_chassis vc_position vc_priority config_template config_context local_context_data
cooling_method primary_ip primary_ip4 primary_ip6 oob_ip ip_address ipv4_address ipv6_address
nat_inside nat_outside assigned assigned_object_type assigned_object_id
dns_name family group qinq_role qinq_svlan l2vpn_termination prefixes prefix_count prefix depth
children utilization is_pool mark_utilized scope_type scope_id scope rir asn_asdot site_count
provider_count sites enabled mtu mgmt_only speed duplex mode type mac_address wwn bridge lag
parent vdcs vrf cable cable_end cable_color cable_peer connection link_peer link_peers
link_peers_type connected_endpoints connected_endpoints_type connected_endpoints_reachable
occupied ip_addresses untagged_vlan tagged_vlans mark_connected vlan_group vlan_site
termination_a_type termination_a_id termination_b_type termination_b_id termination_b
a_terminations b_terminations rack_a rack_b location_a location_b site_a site_b
status role device_role
"""
LEFT = frozenset(_LEFT.split())
"""Fields of NetBox without facts for the import. Other unknown fields are reported."""


def kind_of(names: Collection[str]) -> Kind | None:
    """Return the kind of a table with these headings."""
    return next((kind for kind in KINDS if kind.fits(names)), None)


def plain(heading: str) -> str:
    """Return a heading in the form of import forms: `Position (U)` is `position_u`."""
    return re.sub(r"[^a-z0-9]+", "_", heading.strip().lower()).strip("_")
