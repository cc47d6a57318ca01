"""NETCONF and RESTCONF: rendered and read back on EOS, refused in words elsewhere."""

import pytest

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts

SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/22, {services}}}
frontend:
  leaf: {{model: MODEL, platform: PLATFORM}}
  spine: {{model: MODEL, platform: PLATFORM}}
  leaf_groups: {{a: {{leafs: 1-2, servers: {{per_leaf: 2, speed: 25G}}}}}}
"""
TLS = "tls: {certificate: switch.crt, key: switch.key}"
_EOS = ("7050CX3-32S", "eos")


def site(services: str, model: str, platform: str) -> str:
    return SITE.format(services=services).replace("MODEL", model).replace("PLATFORM", platform)


def told(services: str, model: str = _EOS[0], platform: str = _EOS[1]) -> list[Diagnostic]:
    """Return what a platform cannot do."""
    made = compile_site(load_texts({"site.yaml": site(services, model, platform)}))
    return [each for each in made.findings if each.code is Code.UNSUPPORTED]


def rendered(services: str) -> str:
    made = compile_site(load_texts({"site.yaml": site(services, *_EOS)}))
    assert made.site is not None
    _, leaf = next(iter(slices(made.site)))
    return next(file.text for file in files_of(leaf, Renderer()) if file.path.endswith(".cfg"))


def test_both_servers_listen_in_the_management_vrf_behind_its_access_list() -> None:
    text = rendered(
        f"admitted: [10.255.0.0/22], netconf: {{}}, restconf: {{port: 5900}}, {TLS}, vrf: oob"
    )
    assert (
        "management api netconf\n"
        "   transport ssh oob\n"
        "      port 830\n"
        "      vrf oob\n"
        "      ip access-group MANAGEMENT\n"
    ) in text
    assert (
        "management api restconf\n"
        "   transport https oob\n"
        "      ssl profile MANAGEMENT\n"
        "      port 5900\n"
        "      vrf oob\n"
        "      ip access-group MANAGEMENT\n"
    ) in text


def test_without_a_key_no_server_listens_and_without_a_list_none_is_named() -> None:
    assert "management api netconf" not in rendered("ntp: [10.255.3.1]")
    text = rendered("netconf: {}")
    assert "management api netconf" in text
    assert "management api restconf" not in text
    assert "MANAGEMENT" not in text


def test_restconf_needs_a_certificate() -> None:
    (found,) = told("restconf: {}")
    assert found.message.startswith("eos starts its RESTCONF server only with a certificate")
    assert found.severity is Severity.ERROR
    assert told(f"restconf: {{}}, {TLS}") == []


@pytest.mark.parametrize("port", [830, 5900, 5910, 6040])
def test_open_ports_need_no_warning(port: int) -> None:
    assert told(f"netconf: {{port: {port}}}") == []


@pytest.mark.parametrize("server", ["gnmi", "netconf", "restconf"])
def test_a_port_that_the_default_access_list_drops_is_a_warning(server: str) -> None:
    (found,) = told(f"{server}: {{port: 6020}}, {TLS}")
    assert "port 6020 of" in found.message
    assert found.severity is Severity.WARNING
    assert found.path == ("site", "management", server, "port")


@pytest.mark.parametrize("model_of", [("SN3700", "sonic"), ("SN3700", "linux")])
@pytest.mark.parametrize("server", ["netconf", "restconf"])
def test_other_platforms_say_why_they_have_none(server: str, model_of: tuple[str, str]) -> None:
    model, platform = model_of
    (found,) = told(f"{server}: {{}}", model, platform)
    assert f"does not support {server}: " in found.message
    assert found.severity is Severity.ERROR
