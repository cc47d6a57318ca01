"""The plan of a designed site in; every file of it out."""

from collections.abc import Iterator

from fabricgen.compile.compiler import File
from fabricgen.compile.output.manifest import BYTES
from fabricgen.core.tables import csv_text, plain_text
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.bom import bill
from fabricgen.plan.documents.cabling import cabling
from fabricgen.plan.documents.fibres import fibre_files
from fabricgen.plan.documents.labels import labels
from fabricgen.plan.documents.lldp import lldp
from fabricgen.plan.documents.orders import orders
from fabricgen.plan.documents.pictures import pictures
from fabricgen.plan.documents.racks import racks
from fabricgen.plan.documents.xlsx import workbook


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
