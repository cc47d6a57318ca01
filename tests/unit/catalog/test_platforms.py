"""A model renders on every platform that its file claims: as the leaf of a whole backend."""

import pytest

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.core.diagnostics import Code, has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.catalog.switches import SwitchModel

SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/22, ntp: [10.255.0.250, 10.255.0.251]}}
  accept_unsupported: [local-users]
backend:
  design: rail-only
  servers: {{count: 2, gpus: 8, nic_speed: {speed}}}
  leaf: {{model: {model}, platform: {platform}}}
  roce: {{pfc: false}}
"""
NIC_SPEEDS = ("400G", "200G", "100G", "50G", "25G", "10G")


def claims() -> list[tuple[str, str]]:
    """Return each model that NICs can be cabled to alike, with each platform that it claims."""
    models = map(SHIPPED.known, SHIPPED.switch_names())
    alike = (model for model in models if len({cage.modes for cage in model.usable}) == 1)
    return [(model.name, each) for model in alike if speeds(model) for each in model.platforms]


def speeds(model: SwitchModel) -> list[str]:
    return [text for text in NIC_SPEEDS if text in map(str, model.speeds())]


def compiled(model: str, platform: str, speed: str) -> Compiled:
    """Compile it, in the newest release where the default one does not have the model."""
    skus = SHIPPED.known(model).skus.get(platform, ())
    newest = (
        "" if any(sku.ships for sku in skus) or not skus else f", release: {skus[0].releases[-1]}"
    )
    text = SITE.format(model=model, platform=f"{platform}{newest}", speed=speed)
    return compile_site(load_texts({"site.yaml": text}))


@pytest.mark.parametrize(("model", "platform"), claims())
def test_a_model_renders_on_the_platforms_it_claims(model: str, platform: str) -> None:
    known = SHIPPED.known(model)
    made = [compiled(model, platform, speed) for speed in speeds(known)]
    reason = known.platforms[platform].get("unsupported")
    if reason is not None:
        said = {item.message for each in made for item in each.findings if has_errors([item])}
        assert said
        assert all(reason in message for message in said)
        return
    whole = [each.site for each in made if each.ok and each.site is not None]
    assert whole, [item.message for each in made for item in each.findings if has_errors([item])]
    for site in whole:
        assert all(text for _, group in files(site) for text in group)


def test_what_a_file_does_not_claim_is_refused() -> None:
    made = compiled("SN5600", "eos", "400G")
    assert Code.MODEL_NOT_ON_PLATFORM in {item.code for item in made.findings}
