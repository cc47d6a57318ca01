"""The plan of a designed site in; every file of it out."""

from collections.abc import Iterator

from fabricgen.compiler import File
from fabricgen.output.manifest import BYTES
from fabricgen.plant.plan import Plan
from fabricgen.reports.plant.bom import bill
from fabricgen.reports.plant.cabling import cabling
from fabricgen.reports.plant.fibres import fibre_files
from fabricgen.reports.plant.labels import labels
from fabricgen.reports.plant.lldp import lldp
from fabricgen.reports.plant.orders import orders
from fabricgen.reports.plant.pictures import pictures
from fabricgen.reports.plant.racks import racks
from fabricgen.reports.plant.tables import csv_text, plain_text
from fabricgen.reports.plant.xlsx import workbook


def plan_files(plan: Plan) -> Iterator[File]:
    """Yield the files of the plan."""
    yield File("cabling.csv", cabling(plan), executable=False)
    yield File("labels.csv", labels(plan), executable=False)
    yield File("lldp.json", lldp(plan.site), executable=False)
    sheets = bill(plan)
    yield File("bom.csv", csv_text(sheets[0].columns, sheets[0].rows), executable=False)
    yield File("bom.txt", plain_text(sheets), executable=False)
    yield File("bom.xlsx", workbook(sheets).decode(errors=BYTES), executable=False)
    if plan.site.floor.racks:
        yield File("racks.csv", racks(plan), executable=False)
        yield from fibre_files(plan)
    yield from pictures(plan)
    yield from orders(plan)
