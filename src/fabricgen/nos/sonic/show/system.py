"""Read daemons, containers, components, the clock and the services of a switch."""

import re
from collections.abc import Iterator

from fabricgen.core.tree.facts import FALSE, TRUE, Attributes, Facts
from fabricgen.nos.questions import Answer, UnreadableError
from fabricgen.nos.show import SAVED
from fabricgen.nos.sonic.show.tables import Row, Rows

RUNNING = "running"
WATCHED = ("bgp", "swss", "syncd", "teamd", "lldp")
"""Containers whose processes forward packets or learn routes."""
# Names of processes are unique among these containers (supervisord.conf.j2 of each one in
# sonic-buildimage dockers). supervisorctl ends with 3 if a process does not run.
DAEMONS = (
    f"for each in {' '.join(WATCHED)}; do docker exec $each supervisorctl status; "
    "case $? in 0|3) ;; *) exit 1;; esac; done"
)
CONTAINERS = "docker ps --format '{{.Names}}'"
BUILD = "cat /etc/sonic/sonic_version.yml"
UPTIME = "cat /proc/uptime"
# 202505 has chrony, earlier releases have ntpsec (sonic-buildimage src/sonic-host-services).
CLOCK = "if command -v chronyc > /dev/null; then chronyc -c -n tracking; else ntpq -pn; fi"
# `config save` writes the output of sonic-cfggen to that file (sonic-utilities config/main.py).
SAVING = (
    "sonic-cfggen -d --print-data | cmp -s - /etc/sonic/config_db.json; case $? in "
    "0) echo saved;; 1) echo not saved;; *) echo cannot read config_db.json; exit 1;; esac"
)
CHECKPOINTS = (
    "[ ! -d /etc/sonic/checkpoints ] || "
    "find /etc/sonic/checkpoints -name '*.cp.json' -printf '%f %u\\n'"
)
_FIELD = re.compile(r"""(?m)^(\w+):\s*['"]?([^'"\n]*)""")
_STATUS = re.compile(r"([\w.:-]+)\s+([A-Z]+)\b")
_STARTED_ONCE = {"EXITED"}
_GOOD = {"true", "ok", "present"}


def build(answer: Answer) -> dict[str, str]:
    """Return the fields of sonic_version.yml."""
    if answer.status:
        raise UnreadableError(_first(answer))
    found = {name: value.strip() for name, value in _FIELD.findall(answer.text)}
    if "build_version" not in found:
        raise UnreadableError(_first(answer))
    return found


def _first(answer: Answer) -> str:
    return next(iter(answer.text.strip().splitlines()), f"exit status {answer.status}")


def daemons(answer: Answer) -> Facts:
    """Return the state of each process. A script that ended as intended is no daemon."""
    if answer.status:
        raise UnreadableError((answer.text.strip().splitlines() or ["no output"])[-1])
    facts: Facts = {}
    for line in filter(str.strip, answer.text.splitlines()):
        match = _STATUS.match(line)
        if match is None:
            raise UnreadableError(line[:80])
        name, state = match[1].rpartition(":")[2], match[2]
        if state not in _STARTED_ONCE or name not in _ONCE:
            facts["daemon", name] = {"state": state.lower()}
    return facts


_ONCE = {"start", "dependent-startup", "swssconfig", "restore_neighbors", "zsocket", "waitfor"}
"""Scripts that end after their work (supervisord.conf.j2 of the containers)."""


def containers(answer: Answer) -> Facts:
    """Return the running containers."""
    if answer.status:
        raise UnreadableError(_first(answer))
    names = [line.strip() for line in answer.text.splitlines() if line.strip()]
    odd = [name for name in names if _CONTAINER.fullmatch(name) is None]
    if odd or not names:  # without database and swss no answer of a table comes either
        raise UnreadableError(odd[0][:80] if odd else "docker lists no container")
    return {("daemon", f"container {name}"): {"state": RUNNING} for name in names}


_CONTAINER = re.compile(r"[\w.-]+")


def components(fans: Rows, supplies: Rows, sensors: Rows) -> Facts:
    """Return the state of fans, power supplies and temperature sensors."""
    facts: Facts = {}
    for kind, rows in (("fan", fans), ("power supply", supplies)):
        for name, row in rows.items():
            if row.get("presence", "true").lower() in _GOOD:
                facts["component", f"{kind} {name}"] = {"state": _works(row)}
            else:
                facts["component", f"{kind} {name}"] = {"state": "absent"}
    for name, row in sensors.items():
        if "warning_status" in row:
            hot = row["warning_status"].lower() == "true"
            facts["component", f"temperature {name}"] = {"state": "too hot" if hot else "ok"}
    return facts


def _works(row: Row) -> str:
    status = row.get("status")
    if status is None:
        return "unknown"
    return "ok" if status.lower() in _GOOD else "failed"


def modules(rows: Rows) -> Facts:
    """Return the pluggable module of each port."""
    names = {"model": "model", "vendor": "manufacturer", "serial": "serial"}
    return {
        ("module", port): {
            word: row[field].strip() for word, field in names.items() if row.get(field, "").strip()
        }
        for port, row in rows.items()
    }


def clock(answer: Answer) -> Facts:
    """Return whether the clock is synchronized.

    chronyc -c prints one line of values, the last one is the leap status (chronyc.1). ntpq marks
    the system peer with an asterisk (docs.ntpsec.org, ntpq).
    """
    text = answer.text.strip()
    if answer.status or not text:
        raise UnreadableError(_first(answer))
    if "remote" in text.splitlines()[0]:
        right = any(line.startswith("*") for line in text.splitlines())
    else:
        fields = text.splitlines()[0].split(",")
        if len(fields) < 10:
            raise UnreadableError(fields[0][:80])
        right = fields[-1].strip() == "Normal"
    return {("clock",): {"synchronized": TRUE if right else FALSE}}


def services(ntp: Rows, clocks: Rows, logs: Rows, resolvers: Rows) -> Facts:
    """Return the servers of the management services, with their VRF."""
    vrf = next((row["vrf"] for row in ntp.values() if "vrf" in row), None)
    facts: Facts = {("ntp", name): _in(vrf) for name in clocks}
    facts |= {("syslog", name): _in(row.get("vrf")) for name, row in logs.items()}
    return {**facts, **{("dns", name): {"used": TRUE} for name in resolvers}}


def _in(vrf: str | None) -> Attributes:
    return {"used": TRUE, "vrf": vrf} if vrf else {"used": TRUE}


def saved(answer: Answer) -> Facts:
    """Return whether the saved configuration equals the running one."""
    if answer.status or answer.text.strip() not in _SAVINGS:
        raise UnreadableError(_first(answer))
    return {("saved",): {"state": SAVED if answer.text.strip() == "saved" else "not saved"}}


_SAVINGS = ("saved", "not saved")
"""Answers of SAVING."""


def pending(answer: Answer) -> Facts:
    """Return the checkpoints of the configuration, with the account that made each one."""
    if answer.status:
        raise UnreadableError(_first(answer))
    return {("pending", name): {"who": who} for name, who in _pairs(answer.text)}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in filter(str.strip, text.splitlines()):
        name, _, who = line.strip().rpartition(" ")
        if not name.endswith(_CHECKPOINT):
            raise UnreadableError(line.strip()[:80])
        yield name.removesuffix(_CHECKPOINT), who


_CHECKPOINT = ".cp.json"


def uptime(answer: Answer) -> float:
    """Return the seconds since the start of the switch (man 5 proc_uptime)."""
    return float(answer.text.split()[0])
