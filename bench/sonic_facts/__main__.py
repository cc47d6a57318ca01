"""Generate what the catalog knows of SONiC's hwskus, and what the tests hold it to.

Usage: python -m bench.sonic_facts FOLDER

FOLDER has the tables of SONiC's hardware facts by hwsku, release and topology: pools.csv,
profiles.csv, pg_lookup.csv, ports.csv, breakout_aliases.csv, hwsku_files.csv, topologies.csv and
their like. Each table names the commits of sonic-net/sonic-buildimage that it was read from.
"""

import sys
from pathlib import Path

import yaml
from bench.sonic_facts.catalog_file import made, text
from bench.sonic_facts.ports import Platform
from bench.sonic_facts.releases_file import releases_text
from bench.sonic_facts.shipped import write_shipped
from bench.sonic_facts.tables import Tables

from fabricgen.model.catalog.cages import read_cages

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "fabricgen" / "model" / "catalog" / "data"


def main(folder: Path) -> None:
    """Write the files of every platform that a model of the catalog names and SONiC has."""
    tables = Tables(folder)
    written = []
    (DATA / "sonic").mkdir(exist_ok=True)
    (DATA / "sonic" / "releases.yaml").write_text(releases_text(tables))
    for file in sorted((DATA / "switches").glob("*.yaml")):
        facts = yaml.safe_load(file.read_text())
        name = facts["platforms"].get("sonic", {}).get("platform")
        if name is None or not tables.of("ports", name) or facts["asic"] == "none":
            continue
        cages = {cage.number: cage for cage in read_cages(facts["cages"])}
        result = made(tables, Platform(tables, name, cages))
        (DATA / "sonic" / f"{name}.yaml").write_text(text(tables, result.facts))
        written.append(name)
        for hwsku, reason in result.left_out.items():
            print(f"{file.name}: {hwsku} is left out: {reason}")
    write_shipped(tables, written)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
