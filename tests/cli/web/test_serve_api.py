"""Every answer of the server follows the schema of its OpenAPI document."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from jsonschema import Draft202012Validator
from tests.cli.calling import LAB
from tests.cli.web.serving import Reply, Served, served

from fabricgen import Site
from fabricgen.cli.web.endpoints import ENDPOINTS, PREFIX

ONE, OTHER = "gpu0001", "gpu0002"


@pytest.fixture(scope="module")
def lab() -> Iterator[Served]:
    with served(Path(LAB)) as found:
        yield found


@pytest.fixture(scope="module")
def document(lab: Served) -> Any:
    return lab.ask("/api/openapi.json").data


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("broken")
    (folder / "site.yaml").write_text("site: {name: x}\nfrontned: {}\n")
    with served(folder) as found:
        yield found


def check(document: Any, path: str, answer: Reply) -> Any:
    """Check an answer against the schema of its path and status, and return its data."""
    responses = document["paths"][path]["get"]["responses"]
    schema = responses[str(answer.status)]["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": document["components"]}).validate(answer.data)
    assert answer.headers["Content-Type"] == "application/json"
    return answer.data


def questions() -> Iterator[tuple[str, str]]:
    """Yield each path of the document with all questions about the lab."""
    site = Site.load(LAB)
    names = {
        "/switches/{name}": list(site.switches),
        "/servers/{name}": list(site.servers),
        "/explain/{owner}": [*site.switches, *site.servers],
    }
    for endpoint in ENDPOINTS:
        path, _, _ = endpoint.path.partition("{")
        query = f"?{urlencode({'from': ONE, 'to': OTHER})}" if endpoint.path == "/reach" else ""
        for name in names.get(endpoint.path, [""]):
            yield endpoint.path, f"{PREFIX}{path}{quote(name)}{query}"


def test_every_answer_has_the_form_of_its_schema(lab: Served, document: Any) -> None:
    asked = list(questions())
    assert {path for path, _ in asked} == set(document["paths"])
    for path, question in asked:
        answer = lab.ask(question)
        assert answer.status == 200, question
        check(document, path, answer)


def test_a_wrong_answer_would_be_noticed(lab: Served, document: Any) -> None:
    wrong = Reply(200, lab.ask("/api/v1/site").headers, b'{"name": "x"}')
    with pytest.raises(Exception, match="'ok' is a required property"):
        check(document, "/site", wrong)


def test_the_document_is_sound(document: Any) -> None:
    assert document["openapi"] == "3.1.0"
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    used = {each.schema for each in ENDPOINTS} | {"Error", "Finding"}
    assert used == set(schemas)
    for path, item in document["paths"].items():
        named = {each["name"] for each in item["get"]["parameters"] if each["in"] == "path"}
        assert {part[1:-1] for part in path.split("/") if part.startswith("{")} == named


def test_answers_are_those_of_the_library(lab: Served) -> None:
    site = Site.load(LAB)
    switch = lab.ask("/api/v1/switches/be-su01-leaf1").data
    files = site.switches["be-su01-leaf1"].files
    assert {file["path"]: file["text"] for file in switch["files"]} == {
        path: file.text for path, file in files.items()
    }
    lines = lab.ask("/api/v1/explain/be-su01-leaf1?text=router%20bgp").data["lines"]
    assert lines
    assert all("router bgp" in line["text"] for line in lines)
    assert lab.ask("/api/v1/failures").data == site.failures().as_data()
    reached = lab.ask(f"/api/v1/reach?from={ONE}&to={OTHER}&service=tcp/443").data
    found = site.reach(ONE, OTHER, "tcp/443")
    assert reached == {"ok": found.ok, **found.as_data()}
    assert found.ok is False  # the frontend and the rails are apart
    assert lab.ask("/api/v1/reach?from=gpu0001:rdma0&to=gpu0002:rdma1").data["ok"] is True


@pytest.mark.parametrize(
    ("path", "question", "status", "word"),
    [
        ("/switches/{name}", "/switches/be-su01-leaf", 404, "did you mean 'be-su01-leaf"),
        ("/servers/{name}", "/servers/%3Cscript%3E", 404, "no server '<script>'"),
        ("/explain/{owner}", "/explain/nothing", 404, "no switch or server 'nothing'"),
        ("/lossless", "/lossless?switch=fe-spine1", 404, "has no lossless class"),
        ("/reach", "/reach?from=gpu0001&to=nothing", 404, "'nothing'"),
        ("/reach", "/reach?from=gpu0001", 422, "the parameter 'to' is missing"),
        ("/reach", "/reach?from=gpu0001&to=gpu0002&service=http", 422, "invalid 'http'"),
        ("/reach", "/reach?from=gpu0001&to=gpu0002&service=tcp/0", 422, "invalid 'tcp/0'"),
        ("/reach", "/reach?from=a&to=b&sevice=tcp", 422, "did you mean 'service'?"),
        ("/reach", "/reach?from=a&to=b&to=c", 422, "'to' has 2 values"),
        ("/site", "/site?x=1", 422, "no parameter 'x'"),
    ],
)
def test_errors_name_problem_and_action(
    lab: Served, document: Any, path: str, question: str, status: int, word: str
) -> None:
    answer = lab.ask(f"{PREFIX}{question}")
    assert answer.status == status
    told = check(document, path, answer)
    assert word in f"{told['message']}; {told['hint']}"


def test_a_site_with_errors_has_findings_alone(broken: Served, document: Any) -> None:
    assert check(document, "/site", broken.ask("/api/v1/site"))["ok"] is False
    findings = check(document, "/findings", broken.ask("/api/v1/findings"))["findings"]
    assert any("frontned" in each["message"] for each in findings)
    for path, question in questions():
        if path not in ("/site", "/findings"):
            answer = broken.ask(question)
            assert (answer.status, path) == (409, path)
            check(document, path, answer)
    assert broken.ask("/data/site.js").status == 200
    assert broken.ask("/data/devices.js").status == 404
