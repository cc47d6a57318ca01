"""Edits of settings of all switches, with an engineer's summaries."""

from tests.review.edit import Edit

_GROUPS = "  leaf_groups:"
_SSH = """\
{% part network = view.network %}
!
management ssh
   idle-timeout 15
   shutdown
   !
   vrf {{ network.vrf }}
      no shutdown
{% endpart %}
"""
SETTINGS = (
    Edit(
        name="another NTP server",
        site="tenants",
        steps=(("site.yaml", "10.255.3.251]\n", "10.255.3.249]\n"),),
        engineer="NTP server 10.255.3.251 is replaced by 10.255.3.249 on all eight switches.",
        words=("NTP", "10.255.3.249", "10.255.3.251"),
        causes=("site.management.ntp.1",),
        effects=("added ntp 10.255.3.249", "removed ntp 10.255.3.251"),
        hit="nobody",
    ),
    Edit(
        name="a syslog host more",
        site="tenants",
        steps=(("site.yaml", "syslog: [10.255.3.252]", "syslog: [10.255.3.252, 10.255.3.251]"),),
        engineer="All eight switches also log to 10.255.3.251.",
        words=("syslog", "10.255.3.251", "added"),
        causes=("site.management.syslog.1",),
        effects=("added syslog 10.255.3.251",),
        hit="nobody",
    ),
    Edit(
        name="a new user",
        site="edge",
        steps=(
            (
                "site.yaml",
                '- {name: admin, password_hash: "env:FABRIC_ADMIN_HASH"}',
                (
                    '- {name: admin, password_hash: "env:FABRIC_ADMIN_HASH"}\n'
                    '      - {name: noc, role: operator, password_hash: "env:FABRIC_NOC_HASH"}'
                ),
            ),
        ),
        engineer="User noc with the role operator is added on all four switches.",
        words=("user noc", "added"),
        causes=("site.management.users.1",),
        effects=("added user noc",),
        hit="nobody",
    ),
    Edit(
        name="another password",
        site="tenants",
        steps=(("site.yaml", "env:FABRIC_ADMIN_HASH", "env:FABRIC_ADMIN_HASH_2027"),),
        engineer="The password of user admin changes on all eight switches.",
        words=("user admin", "hash"),
        causes=("site.management.users.0.password_hash",),
        effects=("changed user admin hash",),
        hit="nobody",
    ),
    Edit(
        name="the MTU of the frontend",
        site="tenants",
        steps=(("frontend.yaml", _GROUPS, f"  underlay: {{mtu: 9000}}\n{_GROUPS}"),),
        engineer="The MTU of the 24 ports between leafs and spines falls from 9214 to 9000. While "
        "the two ends of a link differ, large packets on it are lost.",
        words=("24", "MTU", "9214", "9000"),
        causes=("frontend.underlay",),
        effects=("changed interface mtu",),
        extra=(
            (
                "changed setting etc/netplan/60-fabricgen.yaml:network mtu:",
                "servers follow the MTU of their fabric",
            ),
        ),
        hit="large packets, while the ends of a link differ",
    ),
    Edit(
        name="timers of BFD",
        site="tenants",
        steps=(("frontend.yaml", _GROUPS, f"  underlay: {{bfd: {{interval: 1000}}}}\n{_GROUPS}"),),
        engineer="BFD sends every 1000 ms instead of 300 ms on all eight switches. A dead neighbor "
        "is found after 3 s instead of 0.9 s.",
        words=("BFD", "300", "1000"),
        causes=("frontend.underlay",),
        effects=("changed bfd interval",),
        hit="nobody",
        extra=(
            ("changed bfd loopbacks", "EOS has the timers of EVPN sessions apart"),
            ("changed bfd receives", "EOS has the interval of each direction apart"),
        ),
    ),
    Edit(
        name="the MAC address of the gateways",
        site="tenants",
        steps=(
            (
                "frontend.yaml",
                _GROUPS,
                f'  overlay: {{anycast_mac: "00:1c:73:00:00:98"}}\n{_GROUPS}',
            ),
        ),
        engineer="The anycast gateway MAC changes to 00:1c:73:00:00:98 on the six leafs. Servers "
        "lose their gateway until they ask for it again (ARP), so every tenant is interrupted.",
        words=("anycast", "MAC", "00:1c:73:00:00:98"),
        causes=("frontend.overlay",),
        effects=("changed switch anycast-mac",),
        hit="every server with a routed VLAN, until its ARP entry is renewed",
    ),
    Edit(
        name="a line of custom config",
        site="tenants",
        steps=(
            (
                "frontend.yaml",
                _GROUPS,
                (
                    "  switches:\n    fe-leaf01:\n      custom_config:\n"
                    f"        eos: |\n          load-interval default 30\n{_GROUPS}"
                ),
            ),
        ),
        engineer="One own line is added on fe-leaf01: load-interval default 30. fabricgen does not "
        "know its meaning.",
        words=("load-interval", "added"),
        causes=("frontend.switches",),
        effects=("added setting eos.cfg:load-interval",),
        hit="nobody known",
    ),
    Edit(
        name="a custom template",
        site="tenants",
        steps=(("templates/eos/ssh.j2", "", _SSH),),
        engineer="An own template replaces the SSH section of all eight switches. SSH sessions "
        "close after 15 idle minutes.",
        words=("ssh", "idle-timeout"),
        causes=("eos/ssh.j2",),
        effects=("* setting eos.cfg:management*",),
        hit="nobody",
        extra=(
            (
                "changed ssh mgmt restricted",
                "the template has no access list, so SSH is open to every prefix",
            ),
        ),
        corrected="SSH is no longer restricted to the admitted prefixes.",
    ),
)
