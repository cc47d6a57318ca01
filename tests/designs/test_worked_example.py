"""The worked example of the guides: 32 servers of 4 NICs with RoCE on SONiC, EOS and Linux.

Its switch on SONiC has packet memory of the site. `render` reads every file back before it writes.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.calling import call
from tests.designs.test_designs import intent, texts

ADDED = "catalog/switches/asterfusion-cx732q-n.yaml"
SOURCE = "Supermicro_sse_t7132s/buffers_defaults_t1.j2, which is not CX732Q-N"


def words(model: str, platform: str, *accepted: str) -> dict[str, Any]:
    """Return the intent of the example on a model and platform."""
    example = intent("asterfusion-rail-only")
    example["backend"]["leaf"] = {"model": model, "platform": platform}
    example["site"]["accept_unsupported"] = list(accepted)
    return example


def site(folder: Path, example: dict[str, Any], **changed: str) -> str:
    """Write the files of the example into a folder; `changed`: other texts, or none."""
    for path, text in texts(example).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    if "added" in changed:
        (folder / ADDED).write_text(changed["added"])
    return str(folder)


def rendered(folder: Path, example: dict[str, Any], name: str) -> str:
    """Return a file of the first leaf."""
    said = call("render", site(folder / "site", example), "-o", str(folder / "out"))
    assert said.code == 0, said.out
    return (folder / "out" / "backend" / "be-leaf1" / name).read_text()


def test_sonic_renders_pools_of_the_site_and_headroom_of_sonic(tmp_path: Path) -> None:
    database = json.loads(rendered(tmp_path, words("CX732Q-N", "sonic"), "config_db.json"))
    pool = {"type": "egress", "size": "18874368", "xoff": "0", "mode": "dynamic"}
    assert database["BUFFER_POOL"]["lossy_pool"] == pool
    group = database["BUFFER_PG"]["Ethernet0|3"]["profile"]
    assert database["BUFFER_PROFILE"][group]["xoff"] == "117536"
    assert database["BUFFER_PROFILE"]["egress_lossy_profile"]["pool"] == "lossy_pool"
    assert "3" in database["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"].split(",")


def test_every_report_says_that_the_figures_are_the_sites(tmp_path: Path) -> None:
    here = site(tmp_path, words("CX732Q-N", "sonic"))
    told = {
        "check": call("check", here).out,
        "lossless": call("lossless", here).out,
        "explain": call("explain", here, "be-leaf1", "ingress_lossless_pool").out,
        "catalog": " ".join(call("catalog", "CX732Q-N", "--site", here).out.split()),
    }
    for verb, text in told.items():
        assert "the site's own figures" in text, verb
        assert "t7132s" in text, verb
    assert "FG225 note" in told["check"]
    assert "shared headroom pool (the site's own figure; 3,761,152 are needed" in told["lossless"]
    (kind,) = json.loads(call("lossless", here, "--format", "json").out)["switches"]
    assert kind["from_site"].endswith(SOURCE)


def test_without_the_figures_of_the_site_sonic_has_no_lossless_class(tmp_path: Path) -> None:
    here = Path(site(tmp_path, words("CX732Q-N", "sonic")))
    (here / ADDED).unlink()
    said = call("check", str(here))
    assert said.code == 1
    assert "FG223 SONiC on CX732Q-N" in said.out
    assert "FG225" not in said.out


def test_eos_renders_the_example_on_a_model_of_the_catalog(tmp_path: Path) -> None:
    lines = rendered(tmp_path, words("7060DX5-64S", "eos"), "eos.cfg")
    assert "priority-flow-control priority 3 no-drop" in lines
    assert "platform trident mmu" in lines


def test_linux_renders_what_it_can_and_says_what_is_left_out(tmp_path: Path) -> None:
    example = words("CX732Q-N", "linux")
    said = call("check", site(tmp_path / "refused", example))
    assert said.code == 1
    assert "FG401 linux debian12 does not support pfc-watchdog" in said.out
    example = words("CX732Q-N", "linux", "pfc-watchdog")
    said = call("check", site(tmp_path / "site", example))
    assert said.code == 0
    assert "so its ports refuse PFC and the DSCP table; ECN and the queues work" in said.out
    assert "FG401 warning: linux debian12 does not support pfc-watchdog" in said.out
    assert "ecn" in rendered(tmp_path, example, "etc/fabricgen/tc.batch")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("size: 51691264", "size: 51 MB", "FG103 platforms.sonic.skus.CX732Q-N.pools"),
        ("size: 51691264", "size: 51691264000", "exceed the 70,570,000 bytes of packet memory"),
        ("model: CX732Q-N", "model: CX732Q-X", "FG105 model 'CX732Q-X' is not in the catalog"),
    ],
)
def test_figures_that_cannot_be_are_refused(old: str, new: str, told: str, tmp_path: Path) -> None:
    example = words("CX732Q-N", "sonic")
    added = texts(example)[ADDED].replace(old, new)
    said = call("check", site(tmp_path, example, added=added))
    assert said.code == 1
    assert told in said.out


def test_the_figures_are_a_file_of_their_own() -> None:
    assert yaml.safe_load(texts(words("CX732Q-N", "sonic"))[ADDED]).keys() == {
        *("model", "source", "platforms")
    }
