"""Read identity, services, environment and pending state from answers of eAPI."""

import re
from collections.abc import Mapping
from typing import Any

from fabricgen.core.tree.facts import FALSE, TRUE, Attributes, Facts
from fabricgen.nos.eos.driver.sessions import plan_of
from fabricgen.nos.eos.show.counters import number
from fabricgen.nos.questions import UnreadableError
from fabricgen.nos.show import FORMED, SAVED

_AIRFLOW = re.compile(r"-[FR]$")
VIRTUAL = re.compile(r"^(cEOS|vEOS|CloudEOS)")
"""Models without hardware: cEOSLab, vEOS-lab, cEOSCloudLab (skip_on_platforms of ANTA's tests)."""
PTP_AGE = 60
"""Seconds without a PTP message after which a clock is not locked (ANTA, VerifyPtpLockStatus)."""


def identity(answer: Mapping[str, Any]) -> Facts:
    """Return model, serial number and version. A virtual switch has no serial number."""
    own: Attributes = {
        "model": model(str(answer["modelName"])),
        "version": str(answer["version"]),
    }
    if answer.get("serialNumber"):
        own["serial"] = str(answer["serialNumber"])
    return {("identity",): own}


def model(name: str) -> str:
    """Return the model as catalogs name it: without `DCS-`, and without the airflow."""
    return _AIRFLOW.sub("", name.removeprefix("DCS-"))


def clock(answer: Mapping[str, Any]) -> float | None:
    """Return the time of the switch: its start and its uptime. None without these."""
    if "bootupTimestamp" not in answer or "uptime" not in answer:
        return None
    return number(answer["bootupTimestamp"]) + number(answer["uptime"])


def pair(mlag: Mapping[str, Any], sanity: Mapping[str, Any]) -> Facts:
    """Return the MLAG pair; none if MLAG is disabled."""
    if mlag["state"] == "disabled":
        return {}
    well = {
        "state": "active",
        "negStatus": "connected",
        "peerLinkStatus": "up",
        "localIntfStatus": "up",
    }
    odd = [f"{word} {mlag[word]}" for word, good in well.items() if mlag[word] != good]
    same = not sanity["globalConfiguration"] and not sanity["interfaceConfiguration"]
    consistent = same and mlag["configSanity"] == "consistent"
    own: Attributes = {
        "state": ", ".join(odd) or FORMED,
        "consistent": TRUE if consistent else FALSE,
        "domain": str(mlag["domainId"]),
    }
    return {("pair",): own}


def waiting(models: Mapping[str, Any]) -> Facts:
    """Return whether the routing model waits for a reload."""
    own = models["protoModelStatus"]
    waits = own["configuredProtoModel"] != own["operatingProtoModel"]
    return {("reload",): {"routing": "waits for a reload" if waits else "active"}}


def tcam(answer: Mapping[str, Any]) -> Facts:
    """Return whether the TCAM profile waits for a reload."""
    waits = any(own["config"] != own["status"] for own in answer["pmfProfiles"].values())
    return {("reload",): {"tcam": "waits for a reload" if waits else "active"}}


def modules(answer: Mapping[str, Any]) -> Facts:
    """Return the module in each cage, which has the number of its port."""
    return {
        ("module", f"Ethernet{int(slot)}"): {
            "model": str(own["modelName"]),
            "vendor": str(own.get("mfgName", "")),
            "serial": str(own.get("serialNum", "")),
        }
        for slot, own in answer["xcvrSlots"].items()
        if own.get("modelName")
    }


def power(answer: Mapping[str, Any]) -> Facts:
    return {
        ("component", f"power supply {slot}"): {"state": str(own["state"])}
        for slot, own in answer["powerSupplies"].items()
    }


def cooling(answer: Mapping[str, Any]) -> Facts:
    """Return the state of each fan, and the state that EOS gives the whole."""
    facts: Facts = {("component", "cooling"): {"state": _whole(answer, "coolingOk")}}
    for kind in ("fanTraySlots", "powerSupplySlots"):
        for slot in answer.get(kind, ()):
            for fan in slot["fans"]:
                name = fan.get("label") or slot.get("label")
                facts["component", f"fan {name}"] = {"state": str(fan["status"])}
    return facts


def temperature(answer: Mapping[str, Any]) -> Facts:
    facts: Facts = {("component", "temperature"): {"state": _whole(answer, "temperatureOk")}}
    for sensor in answer.get("tempSensors", ()):
        if sensor.get("inAlertState"):
            facts["component", f"sensor {sensor['name']}"] = {"state": "alert"}
    return facts


def _whole(answer: Mapping[str, Any], good: str) -> str:
    state = str(answer["systemStatus"])
    return "ok" if state == good else state


def ptp(answer: Mapping[str, Any]) -> Facts:
    """Return whether PTP is locked: the last message of the grandmaster is recent."""
    own = answer.get("ptpClockSummary")
    if own is None:
        return {}
    age = number(own["currentPtpSystemTime"]) - number(own["lastSyncTime"])
    return {("ptp",): {"locked": TRUE if age < PTP_AGE else FALSE}}


def ntp(answer: Mapping[str, Any]) -> Facts:
    """Return the NTP servers, and whether a server leads the clock."""
    peers = answer["peers"]
    leads = any(own["condition"] == "sys.peer" for own in peers.values())
    facts: Facts = {("ntp", name): {"used": TRUE} for name in peers}
    return {**facts, ("clock",): {"synchronized": TRUE if leads else FALSE}}


def dns(answer: Mapping[str, Any]) -> Facts:
    return {
        ("dns", str(own["ipAddr"])): {"used": TRUE, "vrf": str(own["vrf"])}
        for own in answer["nameServerConfigs"]
    }


def tacacs(answer: Mapping[str, Any]) -> Facts:
    servers = (own["serverInfo"] for own in answer["tacacsServers"])
    return {
        ("login", "tacacs", str(own["hostname"])): {"vrf": str(own.get("vrf", "default"))}
        for own in servers
    }


def api(answer: Mapping[str, Any]) -> Facts:
    """Return whether eAPI is reached over HTTPS alone."""
    secure = answer["httpsServer"]["running"] and not answer["httpServer"]["running"]
    return {("tls",): {"secure": TRUE if secure else FALSE}}


_SERVER = re.compile(r"Server: +running on port (\d+), in (\S+) VRF")


def gnmi(text: str) -> Facts:
    """Return port and VRF of the gNMI server; none if it does not run."""
    match = _SERVER.search(text)
    return {("gnmi",): {"port": match[1], "vrf": match[2]}} if match else {}


def agents(answer: Mapping[str, Any]) -> Facts:
    """Return whether an agent left a core file."""
    files = ", ".join(map(str, answer["coreFiles"]))
    return {("daemon", "agents"): {"state": f"core files {files}" if files else "running"}}


def saved(text: str) -> Facts:
    """Return whether the running configuration differs from the saved one."""
    lines = len([line for line in text.splitlines() if line.startswith(("+", "-"))])
    if text.strip() and not lines:
        raise UnreadableError(text.strip().splitlines()[0][:80])
    return {("saved",): {"state": f"not saved ({lines} lines)" if text.strip() else SAVED}}


def pending(answer: Mapping[str, Any]) -> Facts:
    """Return open configuration sessions that are not of a push, with their users."""
    return {
        ("pending", name): {"who": _users(own.get("instances", {}))}
        for name, own in answer["sessions"].items()
        if own.get("state") == "pending" and plan_of(name) is None
    }


def _users(instances: Mapping[str, Any]) -> str:
    return ", ".join(str(own.get("user", "?")) for own in instances.values()) or "no user"
