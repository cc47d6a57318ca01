"""Each RoCE profile beside what its owner published, line by line, as a small backend compiles it.

A row is a line as it is published and what stands in the files for it: for EOS lines of eos.cfg,
for SONiC an entry of config_db.json with some of its fields. Arista's profile is compiled for EOS,
the others for SONiC, whose values are plain numbers. The source of each set stands above it.
"""

import json
from functools import cache
from typing import Any

import pytest

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts
from fabricgen.nos.sonic.qos import AZURE

SITE = """
site:
  name: p
  accept_unsupported: [local-users]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: rail-only
  servers: {{count: 2, gpus: 1, nic_speed: 400G}}
  leaf: {{model: {model}, platform: {platform}}}
  roce: {{profile: {profile}}}
"""

Entry = tuple[str, str, dict[str, str]]  # table, key, fields


def points(low: int, high: int, chance: int) -> Entry:
    """The marking points of 400G ports."""
    made = {
        "ecn": "ecn_green",
        "green_min_threshold": str(low),
        "green_max_threshold": str(high),
        "green_drop_probability": str(chance),
    }
    return "WRED_PROFILE", AZURE, made


def shares(lossless: int) -> dict[str, Entry]:
    """The weights of the queues that are not strict."""
    kinds = ("lossless", lossless), ("best-effort", 100 - lossless)
    return {
        kind: ("SCHEDULER", f"scheduler.{kind}", {"type": "DWRR", "weight": str(weight)})
        for kind, weight in kinds
    }


def timers(poll: int, detection: int, restoration: int) -> list[Entry]:
    times = {"detection_time": str(detection), "restoration_time": str(restoration)}
    return [
        ("PFC_WD", "GLOBAL", {"POLL_INTERVAL": str(poll)}),
        ("PFC_WD", "Ethernet0", {"action": "drop", **times}),
    ]


def mapped(profile: str, dscp: int, number: int) -> Entry:
    return "DSCP_TO_TC_MAP", profile, {str(dscp): str(number)}


PAUSED_3: Entry = ("PORT_QOS_MAP", "Ethernet0", {"pfc_enable": "3"})
MARKED_3 = "QUEUE", "Ethernet0|3"
STRICT_6: Entry = ("QUEUE", "Ethernet0|6", {"scheduler": "scheduler.cnp"})
STRICT: Entry = ("SCHEDULER", "scheduler.cnp", {"type": "STRICT"})

# CumulusNetworks/docs content/cumulus-linux-514/Layer-1-and-Switch-Ports/Quality-of-Service/
# RDMA-over-Converged-Ethernet-RoCE.md: its table of defaults and `nv show qos roce`. Traffic class
# 0 is marked there as well, and whole blocks of eight DSCPs go to a priority: not taken over.
NVIDIA = {
    "pfc-priority 3": [PAUSED_3],
    "enabled-tc 3": [(*MARKED_3, {"wred_profile": AZURE})],
    "min-threshold 146.48 KB, max-threshold 1.43 MB, probability 100": [
        points(150_000, 1_500_000, 100)
    ],
    "roce: pcp 3, dscp 26, switch-prio 3": [mapped("nvidia-roce", 26, 3)],
    "cnp: pcp 6, dscp 48, switch-prio 6": [mapped("nvidia-roce", 48, 6)],
    "roce: traffic-class 3, dwrr-50%": [
        (*MARKED_3, {"scheduler": "scheduler.lossless"}),
        shares(50)["lossless"],
    ],
    "0: traffic-class 0, DWRR-50%": [shares(50)["best-effort"]],
    "cnp: traffic-class 6, strict priority": [STRICT_6, STRICT],
}

# sonic-net/sonic-buildimage@0791705b files/build_templates/qos_config.j2 and
# sonic-net/sonic-utilities@015521a5 pfcwd/main.py. DSCP 4, the second lossless class, is not taken
# over; weights 15 and 14 are 52 and 48 of 100.
SONIC = {
    '"green_min_threshold": "1048576", max "2097152", probability "5"': [
        points(1_048_576, 2_097_152, 5)
    ],
    '"DSCP_TO_TC_MAP": "3": "3"': [mapped("sonic-default", 3, 3)],
    '"DSCP_TO_TC_MAP": "48": "6"': [mapped("sonic-default", 48, 6)],
    '"pfc_enable": "3,4"': [PAUSED_3],
    '"scheduler.1": DWRR 15, "scheduler.0": DWRR 14': list(shares(52).values()),
    "DEFAULT_DETECTION_TIME = DEFAULT_RESTORATION_TIME = DEFAULT_POLL_INTERVAL = 200, drop": timers(
        200, 200, 200
    ),
}

# Cisco Data Center Networking Blueprint for AI/ML Applications, quoted in Pasanen, Congestion
# Avoidance in AI Fabric (nwktimes, 2025), and in scripts with the same names. qos-group 7 of CNPs
# is the class of routing here.
CISCO = {
    "class-map type qos match-any ROCEv2 / match dscp 24; set qos-group 3": [
        mapped("cisco-nexus-ai", 24, 3)
    ],
    "class-map type qos match-any CNP / match dscp 48; priority level 1": [
        mapped("cisco-nexus-ai", 48, 6),
        STRICT_6,
        STRICT,
    ],
    "pause pfc-cos 3": [PAUSED_3],
    "c-out-8q-q3 bandwidth remaining percent 50": [shares(50)["lossless"]],
    "c-out-8q-q-default bandwidth remaining percent 50": [shares(50)["best-effort"]],
    "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes "
    "drop-probability 7 weight 0 ecn": [
        points(150_000, 3_000_000, 7),
        (*MARKED_3, {"wred_profile": AZURE}),
    ],
}

# Juniper/jvd@264dc444 data_center/aidc/aiml_multitenancy_backend/configuration/snips/evo/cos/
# rdma-rocev2-lossless.conf; the defaults of pfc-watchdog: juniper.net, PFC Watchdog. Its fill
# levels and percentages of buffers are parts of what Junos computes, and not taken over.
JUNIPER = {
    "forwarding-class NO-LOSS loss-priority low code-points 011010": [mapped("juniper-jvd", 26, 3)],
    "forwarding-class CNP loss-priority low code-points 110000": [mapped("juniper-jvd", 48, 6)],
    "class NO-LOSS queue-num 4 no-loss pfc-priority 3": [PAUSED_3],
    "scheduler s2-cnp priority strict-high": [STRICT_6, STRICT],
    "pfc-watchdog: poll-interval 100, detection 2, recovery 200, drop": timers(100, 200, 200),
}

# alibaba-edu/High-Precision-Congestion-Control simulation/run.py, DCQCN: per 25G of port speed.
HPCC = {
    "kmin_map 100*bw/25000000000, kmax_map 400*bw/25000000000, pmax_map 0.2": [
        points(16 * 100_000, 16 * 400_000, 20)
    ],
}

ON_SONIC = {
    "nvidia-roce": ("SN5600", NVIDIA),
    "sonic-default": ("Z9664F-ON", SONIC),
    "cisco-nexus-ai": ("Z9664F-ON", CISCO),
    "juniper-jvd": ("7060X6-64PE", JUNIPER),
    "hpcc-scaled": ("Z9664F-ON", HPCC),
}

# Arista AI Network Fabric Deployment Guide, leaf profile, as quoted second-hand; its best effort
# is in queue 1, since EOS maps DSCP 0 to traffic class 1, here in 0. 256 kbytes are 256000 bytes.
ARISTA = {
    "CS3 to traffic-class 3": "qos map dscp 24 to traffic-class 3",
    "priority-flow-control on": "priority-flow-control on",
    "priority-flow-control priority 3 no-drop": "priority-flow-control priority 3 no-drop",
    "uc-tx-queue 1 / no priority / bandwidth percent 5": (
        "uc-tx-queue 0\nno priority\nbandwidth percent 5"
    ),
    "uc-tx-queue 3 / no priority / bandwidth percent 95 / random-detect ecn minimum-threshold 256 "
    "kbytes maximum-threshold 512 kbytes max-mark-probability 100 weight 0": (
        "uc-tx-queue 3\nno priority\nbandwidth percent 95\nrandom-detect ecn minimum-threshold "
        "256000 bytes maximum-threshold 512000 bytes max-mark-probability 100 weight 0"
    ),
    "uc-tx-queue 6 / priority strict": "uc-tx-queue 6\npriority strict",
}


@cache
def rendered(profile: str, platform: str, model: str) -> dict[str, str]:
    """Compile one leaf and two servers; their files by path, of the servers the last one's."""
    text = SITE.format(profile=profile, platform=platform, model=model)
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.ok, made.findings
    assert made.site is not None
    return {
        file.path.split("/", 2)[2]: file.text for _, group in files(made.site) for file in group
    }


@pytest.mark.parametrize(
    ("profile", "published"),
    [(profile, line) for profile, (_, lines) in ON_SONIC.items() for line in lines],
)
def test_a_published_line_is_compiled_for_sonic(profile: str, published: str) -> None:
    """Timers are published for 32 ports; `pfcwd start_default` multiplies them for more.

    Ports of 10G are for management: no cable of the fabric ends there, and nothing pauses.
    """
    model, lines = ON_SONIC[profile]
    database: dict[str, dict[str, Any]] = json.loads(
        rendered(profile, "sonic", model)["config_db.json"]
    )
    polled = sum(int(port["speed"]) > 10_000 for port in database["PORT"].values())
    times = -(-polled // 32)
    for table, key, wanted in lines[published]:
        entry = database[table][key]
        if table == "PFC_WD":
            entry = {
                name: str(int(value) // times) if value.isdigit() else value
                for name, value in entry.items()
            }
        assert {name: entry.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("published", ARISTA)
def test_a_published_line_is_compiled_for_eos(published: str) -> None:
    text = rendered("arista-ai-leaf", "eos", "7060X6-64PE")["eos.cfg"]
    bare = "\n".join(line.strip() for line in text.splitlines())
    assert f"\n{ARISTA[published]}\n" in f"\n{bare}\n"


@pytest.mark.parametrize(("profile", "tos"), [("nvidia-roce", 106), ("cisco-nexus-ai", 98)])
def test_nics_are_told_the_same_code_point(profile: str, tos: int) -> None:
    """DSCP 26 with ECT(0) is 106, as NVIDIA's scripts have it; DSCP 24 is 98."""
    made = rendered(profile, "sonic", ON_SONIC[profile][0])
    assert f"NCCL_IB_TC={tos}\n" in made["etc/nccl.conf"]
