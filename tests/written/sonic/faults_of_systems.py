"""Faults of daemons, services and time."""

from tests.written.sonic.commands import supervised
from tests.written.sonic.databases import CONFIG
from tests.written.sonic.planting import Fault, add, lose, printed, put, stopped
from tests.written.sonic.site import BONDED, LOSSLESS

FAULTS = (
    # daemons
    *(
        Fault(
            "Daemons", f"{name} down", LOSSLESS, stopped(container, name), f"daemon {name} is fatal"
        )
        for container, name in (
            ("bgp", "bfdd"),
            ("bgp", "bgpd"),
            ("bgp", "zebra"),
            ("bgp", "fpmsyncd"),
            ("swss", "orchagent"),
            ("swss", "portsyncd"),
            ("swss", "buffermgrd"),
            ("syncd", "syncd"),
            ("lldp", "lldpd"),
            ("teamd", "teamsyncd"),
        )
    ),
    Fault(
        "Daemons",
        "vxlanmgrd down",
        BONDED,
        stopped("swss", "vxlanmgrd"),
        "daemon vxlanmgrd is fatal",
    ),
    Fault(
        "Daemons", "fdbsyncd down", BONDED, stopped("swss", "fdbsyncd"), "daemon fdbsyncd is fatal"
    ),
    Fault(
        "Daemons",
        "bfdd not started",
        LOSSLESS,
        lambda switch: switch.texts.update(
            {"docker exec bgp supervisorctl status": supervised(("zebra", "bgpd", "fpmsyncd"))}
        ),
        "daemon bfdd",
    ),
    Fault(
        "Daemons",
        "container stopped",
        LOSSLESS,
        printed("docker ps", "syncd\n", ""),
        "daemon container syncd is missing",
    ),
    # services and time
    Fault(
        "Services",
        "NTP server missing",
        LOSSLESS,
        lose(CONFIG, "NTP_SERVER|10.255.3.1"),
        "10.255.3.1",
    ),
    Fault(
        "Services",
        "NTP in another VRF",
        LOSSLESS,
        put(CONFIG, "NTP|global", vrf="default"),
        "10.255.3.1",
    ),
    Fault(
        "Services",
        "unknown NTP server",
        LOSSLESS,
        add(CONFIG, "NTP_SERVER|10.9.9.9", a="b"),
        "10.9.9.9",
    ),
    Fault(
        "Services",
        "syslog missing",
        LOSSLESS,
        lose(CONFIG, "SYSLOG_SERVER|10.255.3.3"),
        "10.255.3.3",
    ),
    Fault(
        "Services", "DNS missing", LOSSLESS, lose(CONFIG, "DNS_NAMESERVER|10.255.3.4"), "10.255.3.4"
    ),
    Fault(
        "Time",
        "clock not synchronized",
        LOSSLESS,
        printed("chronyc", "Normal", "Not synchronised"),
        "the clock is synchronized: false",
    ),
    Fault(
        "ConfigSaved",
        "not saved",
        LOSSLESS,
        printed("/etc/sonic/config_db.json", "{}", "[]"),
        "the running configuration is not saved",
    ),
)
