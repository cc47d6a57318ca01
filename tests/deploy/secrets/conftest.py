"""A site whose secrets are kept in every way there is, with a value that must never be seen."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.deploy.secrets.stand_ins import TOKEN, Vault, base64_of, kv2, put_sops


@pytest.fixture
def canary() -> str:
    """Make a value that stands nowhere else."""
    return f"S3CRET-{uuid4()}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Make an empty site's folder."""
    made = tmp_path / "site"
    made.mkdir()
    return made


@pytest.fixture
def sops(tmp_path: Path, site: Path, canary: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the stand-in for sops before everything else, and a file for it into the site."""
    programs = tmp_path / "bin"
    programs.mkdir()
    kept = base64_of(canary)
    held = {"canary": kept, "users": [{"hash": kept}, {"hash": base64_of("$6$other$hash")}]}
    (site / "secrets.json").write_text(json.dumps(held))
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("SOPS_AGE_KEY_FILE", "/nowhere")
    return put_sops(programs)


@pytest.fixture
def vault(canary: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    """Start the stand-in for Vault and point VAULT_ADDR at it."""
    deleted = {"data": None, "metadata": {"version": 2, "deletion_time": "2026-01-01T00:00:00Z"}}
    server = Vault(
        {
            "/v1/kv/data/fabric/bgp": kv2(leaf=canary, number=7),
            "/v1/kv/data/deleted": (404, {"data": deleted, "warnings": [canary]}),
            "/v1/kv/data/broken": (500, {"errors": [f"cannot store {canary}"]}),
            "/v1/kv/data/sealed": (503, {"errors": [f"Vault is sealed {canary}"]}),
            "/v1/kv/data/garbage": (200, f"<html>{canary}"),
            "/v1/kv/data/other": (200, {"data": canary}),
        }
    )
    monkeypatch.setenv("VAULT_ADDR", server.address)
    monkeypatch.setenv("VAULT_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield server
    server.stop()
