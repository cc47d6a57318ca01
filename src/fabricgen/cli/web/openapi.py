"""Writes the OpenAPI document of the server from the table of its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.cli.web.endpoints import ENDPOINTS, PREFIX
from fabricgen.cli.web.schemas import SCHEMAS, TEXT, ref
from fabricgen.core import VERSION

if TYPE_CHECKING:
    from fabricgen.cli.web.endpoints import Endpoint, Parameter

_WHY = {
    404: "The site lacks this name",
    409: "The site has errors",
    422: "A parameter is wrong",
    501: "This installation lacks the engine",
}


def document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "fabricgen", "version": VERSION, "summary": "A site, read only"},
        "servers": [{"url": PREFIX}],
        "security": [{}, {"token": []}],
        "paths": {each.path: {"get": _operation(each)} for each in ENDPOINTS},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    responses = {
        "200": _response(endpoint.summary, endpoint.schema),
        **{str(status): _response(_WHY[status], "Error") for status in sorted(endpoint.errors)},
        "default": _response("The server refuses the request", "Error"),
    }
    return {
        "operationId": f"get{endpoint.schema}",
        "summary": endpoint.summary,
        "parameters": [_parameter(each) for each in endpoint.parameters],
        "responses": responses,
    }


def _response(text: str, schema: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": ref(schema)}}}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": "path" if parameter.in_path else "query",
        "required": parameter.is_required,
        "description": parameter.text,
        "schema": TEXT,
    }
