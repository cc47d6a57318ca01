"""The model as JSON has what is said of a box beside what is computed."""

import json
from io import StringIO

from tests.unit.design.test_pins import compiled, frontend

from fabricgen.compile.reports.model import write_model


def test_a_switch_has_its_router_id_and_its_serial() -> None:
    site = compiled(frontend({"fe-leaf01": {"serial": "S1", "router_id": "192.0.2.1"}})).site
    assert site is not None
    stream = StringIO()
    write_model(site, stream)
    (fabric,) = json.loads(stream.getvalue())["fabrics"]
    told = {each["name"]: (each["router_id"], each.get("serial")) for each in fabric["switches"]}
    assert told["fe-leaf01"] == ("192.0.2.1", "S1")
    assert told["fe-leaf02"] == ("10.64.0.2", None)
