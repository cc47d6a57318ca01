"""What a lab cannot do: one line that says so and what helps, and nothing is left behind."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.lab.machinery import FABRICGEN, INTENT, ROOT, Ground

from fabricgen.operate.lab import tools
from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.machine import machine as machines
from fabricgen.operate.lab.machine.machine import Choice, memory_needed, require
from fabricgen.operate.lab.place import Place
from fabricgen.operate.lab.tools import Tools

HERE = Choice("uml", "for a test")


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line in which a verb was refused."""
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.strip()


def test_a_site_of_other_platforms_says_what_helps(ground: Ground) -> None:
    said = refused(ground.call("lab", "up", str(ROOT / "intent/rail-optimized")))
    assert "a lab cannot boot sonic, only linux" in said
    assert "use --as linux" in said


def test_a_limit_that_names_no_switch(ground: Ground) -> None:
    said = refused(ground.call("lab", "up", str(INTENT), "--limit", "leaf-of-nobody"))
    assert said == "error: --limit leaf-of-nobody matches no switch or fabric"


@pytest.mark.parametrize("name", ["..", ".", "../other", "a/b", "-x", "a b"])
def test_a_name_that_is_a_path_is_no_name(ground: Ground, name: str) -> None:
    """`..` would have made the folder of all labs the folder of one, to be removed with it."""
    (ground.folder / "kept").touch()
    said = refused(ground.call("lab", "up", str(INTENT), f"--name={name}"))
    assert "is not a lab name" in said
    assert (ground.folder / "kept").exists()


def test_a_path_too_long_for_a_socket(ground: Ground) -> None:
    deep = ground.folder / ("d" * 90)
    deep.mkdir()
    said = refused(ground.call("lab", "up", str(INTENT), XDG_RUNTIME_DIR=str(deep)))
    assert "too long for a socket" in said
    assert list(deep.rglob("lab*")) == []


def test_the_longest_path_that_fits_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fabricgen.operate.lab.place.labs_folder", lambda: Path("/run"))
    longest = 107 - len("/run//uml/mconsole")
    assert Place.of("n" * longest).name == "n" * longest
    with pytest.raises(LabFailure, match="too long"):
        Place.of("n" * (longest + 1))


def test_a_folder_that_others_may_read_is_not_used(ground: Ground) -> None:
    ground.labs.mkdir()
    ground.labs.chmod(0o755)
    assert "a folder with access for you only" in refused(ground.call("lab", "status"))


def test_a_folder_of_somebody_else_is_not_followed(ground: Ground, tmp_path: Path) -> None:
    ground.labs.symlink_to(tmp_path)
    try:
        assert "a folder with access for you only" in refused(ground.call("lab", "status"))
    finally:
        ground.labs.unlink()


def test_no_lab_is_up(ground: Ground) -> None:
    for verb in (("status",), ("down",), ("exec", "x", "true"), ("ssh", "x"), ("restore",)):
        said = refused(ground.call("lab", *verb))
        assert said == "error: no lab is running; start one with `fabricgen lab up SITE`"


def test_a_missing_package_is_named_with_both_remedies(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tools, "_NEEDED", {"usr/bin/no-such-program": "its-package"})
    monkeypatch.setattr(tools, "_FOR_UML", {})
    with pytest.raises(LabFailure) as refusal:
        require(HERE, Tools(tmp_path), 1, 1)
    assert str(refusal.value) == (
        f"missing packages: its-package. `fabricgen lab install-tools` unpacks them "
        f"into {tmp_path} without an installation; or run: apt-get install its-package"
    )


def test_what_cannot_be_read_is_as_good_as_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Debian installs /usr/sbin/lldpcli for its own group alone."""
    program = tmp_path / "root/usr/bin/no-such-program"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setattr(tools, "_NEEDED", {"usr/bin/no-such-program": "its-package"})
    assert tools.missing_packages(Tools(tmp_path), uml=False) == []
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert tools.missing_packages(Tools(tmp_path), uml=False) == ["its-package"]


def test_no_apt_and_something_missing(
    ground: Ground, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabFailure, match="apt-get not found: install frr with the package manager"):
        tools.unpack(Tools(tmp_path), ["frr"])


def free(monkeypatch: pytest.MonkeyPatch, mebibytes: int) -> None:
    """Let the machine have that much memory, and every package."""
    monkeypatch.setattr(machines, "available_mib", lambda: mebibytes)
    monkeypatch.setattr(machines, "missing_packages", lambda *_, **__: [])
    monkeypatch.setattr(machines, "needs_newer_kernel", lambda _: False)


def test_a_site_too_large_says_how_many_switches_fit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    free(monkeypatch, memory_needed(5, 10) + 1)
    with pytest.raises(LabFailure) as refusal:
        require(HERE, Tools(tmp_path), 12, 10)
    assert "enough for 5 switches; select fewer with --limit" in str(refusal.value)
    assert require(HERE, Tools(tmp_path), 5, 10) == memory_needed(5, 10)


def test_a_cpu_with_wide_registers_needs_a_newer_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    free(monkeypatch, 100_000)
    monkeypatch.setattr(machines, "needs_newer_kernel", lambda _: True)
    with pytest.raises(LabFailure, match="this CPU has AMX"):
        require(HERE, Tools(tmp_path), 1, 1)
    assert require(Choice("direct", "for a test"), Tools(tmp_path), 1, 1)


def test_a_machine_too_small_for_one_switch(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    free(monkeypatch, 100)
    with pytest.raises(LabFailure, match="100 MiB free, enough for 0 switches"):
        require(HERE, Tools(tmp_path), 1, 10)


def in_a_small_folder(size: str) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Return how to run a script with XDG_RUNTIME_DIR on a file system of that size."""
    spaces = ("-m",) if os.getuid() == 0 else ("-U", "-r", "-m")
    mount = f'mount -t tmpfs -o size={size},mode=700 small "$XDG_RUNTIME_DIR"\n'

    def run(script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["unshare", *spaces, "sh", "-ec", mount + script],
            env=os.environ | {"XDG_RUNTIME_DIR": "/mnt"},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_full_disk_is_said_and_nothing_stays(machine: None) -> None:
    run = in_a_small_folder("64k")
    if run("true").returncode:
        pytest.skip("no mount space can be made here")
    up = f"{' '.join(FABRICGEN)} lab up {INTENT} --limit be-su01-leaf1 || echo failed $?"
    done = run(f"{up}\nfind /mnt -mindepth 2")
    assert done.stdout == "failed 1\n"
    assert done.stderr.splitlines()[-1].endswith("No space left on device")
    assert done.stderr.count("\nerror: ") == 1
