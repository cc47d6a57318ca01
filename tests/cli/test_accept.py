"""`fabricgen accept`: limits from the design, run files, and verdicts on what programs print."""

import csv
import json
import subprocess
from pathlib import Path

import pytest
from tests.cli.calling import LAB, call

SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 4, nic: connectx-7, nic_speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos}
  scalable_unit: {servers: 4}
  roce: {}
"""
BANDWIDTH = """\
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 1048576    1402318          0.00               {value}             0.046755
"""
LATENCY = (
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
    " 8       10000          1.52           5.10         {typical}     \t       1.58        \t0.05"
    "  \t\t{tail}    \t\t2.90 \n"
)
BUS = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : {value} \n#\n"


def run(*words: str) -> tuple[int, str]:
    said = call("accept", *words)
    return said.code, said.out + said.err


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "site.yaml").write_text(SITE)
    return folder


def planned(site: Path) -> dict[str, dict[str, object]]:
    said = call("accept", str(site), "--format", "json")
    assert said.code == 0, said
    return {each["name"]: each for each in json.loads(said.out)["measurements"]}


def measured(site: Path, folder: Path, **changed: str) -> Path:
    """Write the outputs of a run in which every value is as good as its limit."""
    code, said = run(str(site), "-o", str(folder))
    assert code == 0, said
    rows = planned(site)
    sheet = list(csv.DictReader((folder / "sheet.csv").read_text().splitlines()))
    for row in sheet:
        name = row["name"]
        value = changed.get(name, row["at least"] or row["at most"] or "1")
        if rows[name]["tool"] == "switch counters" or rows[name]["tool"] == "a failure by hand":
            row["measured"] = value
    with (folder / "sheet.csv").open("w") as file:
        writer = csv.DictWriter(file, sheet[0])
        writer.writeheader()
        writer.writerows(sheet)
    near = 1.5
    more = float(changed.get("backend-delay-more") or str(rows["backend-delay-more"]["at_most"]))
    delays = {"backend-delay-near": near, "backend-delay-more": near + more}
    for script in (folder / "run").glob("*.sh"):
        for test in rows:
            asks = _asks(script.read_text(), test)
            if not asks:
                continue
            (folder / test).mkdir(exist_ok=True)
            text = LATENCY.format(typical=delays[test], tail=9) if test in delays else ""
            least = rows[test]["at_least"]
            value = changed.get(test, f"{float(str(least)) + 0.01:.2f}" if least else "0")
            text = text or BANDWIDTH.format(value=value) * asks
            (folder / test / f"{script.stem}.txt").write_text(text)
    for name in ("backend-all-reduce", "backend-all-to-all"):
        (folder / name).mkdir(exist_ok=True)
        value = changed.get(name, str(float(str(rows[name]["at_least"])) + 0.01))
        (folder / name / "all.txt").write_text(BUS.format(value=value))
    return folder


def _asks(script: str, test: str) -> int:
    """Return how many clients a script starts in a test."""
    case = script.partition(f"\n{test})\n")[2].partition(";;")[0]
    return case.count("  ask ")


def test_limits_are_the_arithmetic_of_the_design(site: Path) -> None:
    rows = planned(site)
    assert rows["backend-rail1"]["at_least"] == pytest.approx(400 * 4096 / 4178 * 0.95)
    assert rows["backend-all-reduce"]["at_least"] == pytest.approx(4 * 50 * 4096 / 4178 * 0.95)
    assert rows["backend-loss"]["at_most"] == 0
    assert rows["backend-recovery"]["at_most"] is None
    assert "900 ms" in str(rows["backend-recovery"]["basis"])
    busy = float(str(rows["backend-hash"]["at_most"])) / 1.2
    bisection = 400 * 4096 / 4178 * 0.95 / busy
    assert rows["backend-bisection"]["at_least"] == pytest.approx(bisection)


def test_servers_get_scripts_that_a_shell_can_read(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, said = run(str(site), "-o", str(out))
    assert code == 0, said
    scripts = sorted((out / "run").glob("*.sh"))
    assert len(scripts) == 8
    for script in (*scripts, *out.glob("nccl-*.sh")):
        subprocess.run(["sh", "-n", script], check=True)
    client = (out / "run/gpu0001.sh").read_text()
    rail = client.partition("backend-rail1)\n")[2].partition(";;")[0]
    (line,) = (each.split() for each in rail.splitlines() if each.strip())
    assert line[:2] == ["ask", "ib_write_bw"]
    assert line[-2:] == ["172.16.0.1", "172.16.0.5"], "its NIC of the rail, and the server's"
    assert line[line.index("-T") + 1] == str(26 << 2), "the DSCP of the lossless class"


def promised(site: Path, *promises: str) -> None:
    """Add availability requirements to the site."""
    words = ", ".join(f"p{at}: {{{each}}}" for at, each in enumerate(promises, 1))
    (site / "site.yaml").write_text(f"{SITE}failures: {{promises: {{{words}}}}}\n")


def test_a_promised_recovery_time_is_the_limit(site: Path, tmp_path: Path) -> None:
    promised(
        site,
        "fabric: backend, recovers_within: 1500",
        "fabric: backend, rails: true, recovers_within: 1000, after: [link]",
        "fabric: backend, keeps: 1, after: [spine]",
    )
    rows = planned(site)
    link, spine = rows["backend-recovery"], rows["backend-recovery-spine"]
    assert (link["at_most"], link["basis"]) == (1000, "promise p2 of the intent: 1000 ms")
    assert (spine["at_most"], spine["basis"]) == (1500, "promise p1 of the intent: 1500 ms")
    assert not [name for name in rows if name.endswith(("-leaf", "-server-link"))], "no bond"
    for value, code in (("1000", 0), ("1000.5", 1)):
        folder = measured(site, tmp_path / value, **{"backend-recovery": value})
        assert run(str(site), "--results", str(folder))[0] == code
        assert "after a spine loses power" in (folder / "sheet.csv").read_text()


def test_a_promise_without_a_row_is_named(site: Path) -> None:
    promised(
        site,
        "fabric: backend, recovers_within: 1500, after: [leaf]",
        "fabric: backend, recovers_within: 1500, after: [spine]",
        "fabric: backend, keeps: 1, after: [leaf]",
    )
    said = run(str(site))[1]
    assert "without a test: promise p1: no row measures the failures in `after`" in said
    assert "promise p2" not in said.partition("without a test")[2]
    assert "promise p3" not in said


def test_a_script_runs_both_ends_of_a_pair(site: Path, tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    run(str(site), "-o", str(out))
    (work / "bin").mkdir(parents=True)
    program = work / "bin/ib_write_bw"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    for name in ("gpu0001", "gpu0003"):
        subprocess.run(
            ["sh", out / f"run/{name}.sh", "backend-rail1"],
            cwd=work,
            env={"PATH": f"{work}/bin:/usr/bin:/bin"},
            check=True,
        )
    client = (work / "backend-rail1/gpu0001.txt").read_text()
    server = (work / "backend-rail1/gpu0003.txt").read_text()
    assert client.endswith("--bind_source_ip 172.16.0.1 172.16.0.5\n")
    assert server.endswith("--bind_source_ip 172.16.0.5\n")
    unknown = subprocess.run(["sh", out / "run/gpu0001.sh", "x"], cwd=work, check=False)
    assert unknown.returncode == 64


def test_what_reaches_every_limit_is_accepted(site: Path, tmp_path: Path) -> None:
    code, said = run(str(site), "--results", str(measured(site, tmp_path / "out")))
    assert code == 0, said
    assert "\naccepted: " in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("backend-rail2", "371.0"),
        ("backend-bisection", "10.0"),
        ("backend-all-reduce", "150"),
        ("backend-all-to-all", "1"),
        ("backend-loss", "1"),
        ("backend-hash", "9"),
        ("backend-delay-more", "50"),
    ],
)
def test_one_value_beyond_its_limit_is_told(
    site: Path, tmp_path: Path, name: str, value: str
) -> None:
    folder = measured(site, tmp_path / "out", **{name: value})
    code, said = run(str(site), "--results", str(folder))
    assert code == 1
    failed = [line.split()[1] for line in said.splitlines() if line.startswith("fail ")]
    assert failed == [name]
    assert "not accepted" in said


def test_a_test_that_nobody_ran_is_no_pass(site: Path, tmp_path: Path) -> None:
    folder = measured(site, tmp_path / "out")
    for file in (folder / "backend-rail3").iterdir():
        file.unlink()
    code, said = run(str(site), "--results", str(folder))
    assert code == 1
    assert [line for line in said.splitlines() if line.startswith("not measured  backend-rail3 ")]


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("backend-rail1/gpu0001.txt", "Couldn't connect\n", "0 results of ib_write_bw, expected 1"),
        ("backend-all-reduce/all.txt", "NCCL failure\n", "no result line of the program"),
        ("backend-delay-near/gpu0001.txt", "\0" * 9, "no result line of the program"),
        ("sheet.csv", "name,measured\nbackend-loss,-1\n", "'-1' is not a number from 0"),
        ("sheet.csv", "name,measured\nbackend-loss,nan\n", "'nan' is not a number from 0"),
        ("sheet.csv", "name,measured\nother,1\n", "the site has no test 'other'"),
        ("lab.json", "[]", "not the JSON of `fabricgen lab traffic`"),
        ("backend-rail1/gpu0001.txt", "x" * (5 << 20), "more than 4 MiB"),
    ],
)
def test_an_unreadable_result_is_an_error(
    site: Path, tmp_path: Path, place: str, text: str, why: str
) -> None:
    folder = measured(site, tmp_path / "out")
    (folder / place).write_text(text)
    code, said = run(str(site), "--results", str(folder))
    assert code == 1
    assert why in said


def test_a_proof_of_the_lab_is_shown_and_counts_for_nothing(site: Path, tmp_path: Path) -> None:
    folder = measured(site, tmp_path / "out", **{"backend-loss": "3"})
    proof = {"name": "backend: ECMP", "verdict": "holds", "sentence": "8 of 8 uplinks"}
    (folder / "lab.json").write_text(json.dumps({"lab": "x", "proofs": [proof]}))
    code, said = run(str(site), "--results", str(folder))
    assert code == 1
    assert "holds in the lab, not in the network: backend: ECMP (8 of 8 uplinks)" in said


def test_a_fabric_without_addresses_of_servers_is_named() -> None:
    code, said = run(LAB)
    assert code == 0
    assert "without a test: frontend: the design has no address" in said
