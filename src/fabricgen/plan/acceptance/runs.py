"""Write the run files of an acceptance test: a script for each server, the sheet, and the order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fabricgen.compile.compiler import File
from fabricgen.core.tables import csv_text
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.plan.acceptance.measures import gpu_servers, gpus_of, measures
from fabricgen.plan.acceptance.row import Measure, Pair, Tool

COLUMNS = ("name", "what", "unit", "at least", "at most", "measured", "basis")
_COLLECTIVES = (Tool.ALL_REDUCE, Tool.ALL_TO_ALL)
_WAIT = 60
"""Seconds in which a client tries again to reach its server."""
_FLAGS = {
    Tool.LATENCY: "-R -F -s 8 -n 10000",
    Tool.BANDWIDTH: "-R -F -s 1048576 -D 30 --report_gbits",
}
"""Options of linux-rdma/perftest: `-R` connects by address, `-F` ignores a changing CPU clock."""


def acceptance_files(site: Site) -> list[File]:
    """Return every file: the sheet, the order of the tests, and the scripts."""
    rows = measures(site)
    return [
        File("README.txt", _order(site, rows), executable=False),
        File("sheet.csv", sheet(rows), executable=False),
        *_scripts(site, rows),
        *(each for fabric in site.fabrics for each in _collectives(fabric, rows)),
    ]


def sheet(rows: Iterable[Measure]) -> str:
    """Return the sheet with an empty column for measured values."""
    return csv_text(
        COLUMNS,
        [
            (
                *(each.name, f"{each.what}; {each.tool}", each.unit),
                *(figure(each.least), figure(each.most), "", each.basis),
            )
            for each in rows
        ],
    )


def figure(limit: float | None) -> str:
    """Format a limit; empty without one."""
    return "" if limit is None else f"{limit:.3f}".rstrip("0").rstrip(".")


def _order(site: Site, rows: Sequence[Measure]) -> str:
    lines = [
        f"Acceptance test of {site.name}",
        "",
        "1. Copy run/SERVER.sh to each server. It needs linux-rdma/perftest.",
        "2. For each test below, start `sh SERVER.sh TEST` on all servers that it names, at the",
        "   same time. Each writes TEST/SERVER.txt below its working directory.",
        "3. Start the scripts nccl-*.sh on one server. They need nccl-tests, MPI and SSH.",
        "4. Write values of counters and of pulled cables into the column `measured` of sheet.csv.",
        "5. Collect the folders of all servers in one folder, and put sheet.csv there. Then:",
        "   fabricgen accept SITE --results FOLDER",
        "6. Optional: FRR switches on this machine show what the lab can. It is no acceptance.",
        "   fabricgen lab traffic --failures --format json > FOLDER/lab.json",
        "",
    ]
    lines += [f"{it.name}: {len(it.pairs)} pairs, {it.what}" for it in rows if it.pairs]
    return "\n".join(lines) + "\n"


def _scripts(site: Site, rows: Sequence[Measure]) -> Iterator[File]:
    """Yield the script of each server that takes part in a test."""
    marks = {fabric.name: _mark(fabric) for fabric in site.fabrics}
    cases: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for server, lines in _cases(row, marks[row.fabric]):
            cases[server] += [f"{row.name})", *(f"  {line}" for line in lines), "  ;;"]
    for server, lines in sorted(cases.items()):
        text = "\n".join((_HEAD.format(server=server, wait=_WAIT), *lines, _TAIL))
        yield File(f"run/{server}.sh", text, executable=True)


_HEAD = """\
#!/bin/sh
# The tests of {server}. Usage: sh {server}.sh TEST
set -u
test $# -eq 1 || {{ echo "usage: sh {server}.sh TEST" >&2; exit 64; }}
mkdir -p "$1"
out="$1/{server}.txt"
: > "$out"
# serve PROGRAM... waits for the client of a pair. ask PROGRAM... is the client, for up to {wait} s.
serve() {{ "$@" >> "$out" 2>&1 & }}
ask() {{
  ( last=$(( $(date +%s) + {wait} ))
    until "$@" > "$out.$$.part" 2>&1; do
      test "$(date +%s)" -lt "$last" || break
      sleep 1
    done
    cat "$out.$$.part" >> "$out"; rm -f "$out.$$.part" ) &
}}
case "$1" in"""
_TAIL = """\
*) echo "no test $1 on this server" >&2; exit 64 ;;
esac
wait
"""


def _mark(fabric: Fabric) -> str:
    """Return the option for the DSCP of RoCE; `-T` takes the DSCP and two bits of ECN."""
    classes = fabric.qos.classes if fabric.qos is not None else ()
    found = (each.dscps[0] << 2 for each in classes if each.kind is Kind.LOSSLESS and each.dscps)
    mark = next(found, None)
    return "" if mark is None else f" -T {mark}"


def _cases(row: Measure, mark: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of one test by server."""
    lines: dict[str, list[str]] = defaultdict(list)
    for pair in row.pairs:
        lines[pair.server].append(_line(row.tool, mark, pair, serves=True))
        lines[pair.client].append(_line(row.tool, mark, pair, serves=False))
    yield from lines.items()


def _line(tool: Tool, mark: str, pair: Pair, *, serves: bool) -> str:
    own = pair.target if serves else pair.source
    words = f"{tool} {_FLAGS[tool]}{mark} -p {pair.port} --bind_source_ip {own.host}"
    return f"serve {words}" if serves else f"ask {words} {pair.target.host}"


def _collectives(fabric: Fabric, rows: Sequence[Measure]) -> Iterator[File]:
    mine = [row for row in rows if row.fabric == fabric.name and row.tool in _COLLECTIVES]
    servers = gpu_servers(fabric)
    if not mine:
        return
    gpus = gpus_of(fabric, servers[0])
    hosts = "".join(f"{each.name} slots={gpus}\n" for each in servers)
    yield File(f"hosts-{fabric.name}.txt", hosts, executable=False)
    for row in mine:
        total = len(servers) * gpus
        yield File(
            f"nccl-{row.name}.sh",
            "#!/bin/sh\n"
            f"# {row.what}. NCCL reads /etc/nccl.conf on each server.\n"
            f"mkdir -p {row.name}\n"
            f"mpirun -np {total} --hostfile hosts-{fabric.name}.txt --map-by ppr:{gpus}:node \\\n"
            f"  {row.tool} -b 8G -e 8G -g 1 -n 20 > {row.name}/all.txt 2>&1\n",
            executable=True,
        )
