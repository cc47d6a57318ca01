"""Answers questions below `/api/v1` from the library. One table lists them for the server."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fabricgen.api.findings import as_row
from fabricgen.cli.web.pages.devices import identity, server_data, switch_data
from fabricgen.cli.web.pages.overview import checks
from fabricgen.core.diagnostics import Code, Diagnostic, Failure, did_you_mean
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fabricgen import ExplainedLine, Server, Site, Switch

PREFIX = "/api/v1"


@record(kw_only=True)
class Parameter:
    """A parameter of a question, in its path or in its query."""

    name: str
    text: str
    in_path: bool = False
    is_required: bool = False


@record(kw_only=True)
class Endpoint:
    """One question.

    Attributes:
        path: Its path below `/api/v1`.
        summary: What it returns.
        schema: The name of the schema of its answer.
        answer: Makes the answer from the site and the values of the parameters.
        errors: Status codes of its errors.
    """

    path: str
    summary: str
    schema: str
    answer: Callable[[Site, Mapping[str, str]], Any]
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = (409, 422)

    def values(self, path: Mapping[str, str], query: Sequence[tuple[str, str]]) -> dict[str, str]:
        """Return the values of all parameters. One that is not required is empty by default.

        Raises:
            Failure: A parameter is unknown, missing or given twice.
        """
        known = [each.name for each in self.parameters if not each.in_path]
        for name, count in Counter(name for name, _ in query).items():
            if name not in known:
                hint = did_you_mean(name, known)
                raise Failure(Diagnostic(Code.UNKNOWN_KEY, f"no parameter {name!r}", hint=hint))
            if count > 1:
                raise Failure(Diagnostic(Code.BAD_VALUE, f"{name!r} has {count} values"))
        values = {**dict.fromkeys(known, ""), **dict(query), **path}
        for each in self.parameters:
            if each.is_required and not values[each.name]:
                hint = f"{each.name}: {each.text}"
                message = f"the parameter {each.name!r} is missing"
                raise Failure(Diagnostic(Code.MISSING_KEY, message, hint=hint))
        return values


def _site(site: Site, _: Mapping[str, str]) -> dict[str, Any]:
    return {
        "name": site.name,
        "ok": site.ok,
        "findings": dict(Counter(str(each.severity) for each in site.findings)),
        "servers": len(site.servers) if site.ok else 0,
        "fabrics": [
            {
                "name": fabric.name,
                "design": fabric.design,
                "lossless": fabric.is_lossless,
                "switches": len(fabric.switches),
                "ratios": dict(fabric.ratios),
            }
            for fabric in (site.fabrics.values() if site.ok else ())
        ],
        "checks": checks(site),
    }


def _findings(site: Site, _: Mapping[str, str]) -> dict[str, Any]:
    return {"findings": [as_row(finding) for finding in site.findings]}


def _switches(site: Site, _: Mapping[str, str]) -> dict[str, Any]:
    return {"switches": [identity(switch) for switch in site.switches.values()]}


def _switch(site: Site, values: Mapping[str, str]) -> dict[str, Any]:
    found = site.switches[values["name"]]
    return {**switch_data(found), "files": _files(found)}


def _servers(site: Site, _: Mapping[str, str]) -> dict[str, Any]:
    rows = [{"name": server.name, "kind": server.kind} for server in site.servers.values()]
    return {"servers": rows}


def _server(site: Site, values: Mapping[str, str]) -> dict[str, Any]:
    found = site.servers[values["name"]]
    return {**server_data(found), "files": _files(found)}


def _files(owner: Switch | Server) -> list[dict[str, Any]]:
    return [
        {"path": file.path, "text": file.text, "executable": file.executable}
        for file in owner.files.values()
    ]


def _lossless(site: Site, values: Mapping[str, str]) -> dict[str, Any]:
    return site.lossless(values["switch"] or None).as_data()


def _failures(site: Site, _: Mapping[str, str]) -> dict[str, object]:
    return site.failures().as_data()


def _matrix(site: Site, _: Mapping[str, str]) -> dict[str, Any]:
    found = site.matrix()
    return {"ok": found.ok, **found.as_data()}


def _reach(site: Site, values: Mapping[str, str]) -> dict[str, Any]:
    found = site.reach(values["from"], values["to"], values["service"])
    return {"ok": found.ok, **found.as_data()}


def _explain(site: Site, values: Mapping[str, str]) -> dict[str, Any]:
    owner = site[values["owner"]]
    lines = [_explained(line) for line in owner.explain(text=values["text"])]
    return {"name": owner.name, "lines": lines}


def _explained(line: ExplainedLine) -> dict[str, Any]:
    return {
        "file": line.file,
        "number": line.number,
        "text": line.text,
        "template": line.template,
        "numbers": dict(line.numbers),
        "reasons": [
            {
                "rule": reason.rule,
                "places": [{"key": each.key, "place": each.place} for each in reason.places],
            }
            for reason in line.reasons
        ],
    }


_NAMED = (409, 422, 404)
_END = "a server, SERVER:PORT, a kind of servers, a VLAN, a VRF, a prefix or outside:ROUTER"


def _in_path(name: str, text: str) -> Parameter:
    return Parameter(name=name, text=text, in_path=True, is_required=True)


ENDPOINTS = (
    Endpoint(
        path="/site",
        summary="Fabrics, checks and the number of findings",
        schema="Site",
        answer=_site,
        errors=(422,),
    ),
    Endpoint(
        path="/findings",
        summary="All findings with their places",
        schema="Findings",
        answer=_findings,
        errors=(422,),
    ),
    Endpoint(path="/switches", summary="All switches", schema="Switches", answer=_switches),
    Endpoint(
        path="/switches/{name}",
        summary="One switch with its model and files",
        schema="Switch",
        answer=_switch,
        parameters=(_in_path("name", "name of a switch"),),
        errors=_NAMED,
    ),
    Endpoint(path="/servers", summary="All servers", schema="Servers", answer=_servers),
    Endpoint(
        path="/servers/{name}",
        summary="One server with its ports and files",
        schema="Server",
        answer=_server,
        parameters=(_in_path("name", "name of a server"),),
        errors=_NAMED,
    ),
    Endpoint(
        path="/lossless",
        summary="Headroom, packet memory and ECN points",
        schema="Lossless",
        answer=_lossless,
        parameters=(Parameter(name="switch", text="name of one switch"),),
        errors=_NAMED,
    ),
    Endpoint(
        path="/failures",
        summary="Effects of each failure, and the availability requirements",
        schema="Failures",
        answer=_failures,
        errors=(*_NAMED[:2], 501),
    ),
    Endpoint(
        path="/matrix",
        summary="Reachability between all networks",
        schema="Matrix",
        answer=_matrix,
        errors=(*_NAMED[:2], 501),
    ),
    Endpoint(
        path="/reach",
        summary="Reachability between two ends, in the model and in the files",
        schema="Reachability",
        answer=_reach,
        parameters=(
            Parameter(name="from", text=_END, is_required=True),
            Parameter(name="to", text=_END, is_required=True),
            Parameter(name="service", text="tcp, udp or icmp, with a port if needed: tcp/443"),
        ),
        errors=(*_NAMED, 501),
    ),
    Endpoint(
        path="/explain/{owner}",
        summary="The reasons of the lines of a switch or server",
        schema="Explanation",
        answer=_explain,
        parameters=(
            _in_path("owner", "name of a switch or server"),
            Parameter(name="text", text="only lines that contain this text"),
        ),
        errors=_NAMED,
    ),
)
"""All questions. The server and the OpenAPI document are made from this table."""
