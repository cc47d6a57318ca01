"""An FRR of another release: fetched from this machine's own mirror, by a stand-in for apt."""

import tarfile
from pathlib import Path

import pytest

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.machine.machine import Choice, require
from fabricgen.operate.lab.suites import unpack_frr
from fabricgen.operate.lab.tools import Tools

APT = """\
#!/bin/sh
echo "$@" >> "$HERE/asked"
for word in "$@"; do
  case $word in -oDir::Etc::sourcelist=*) cat "${word#*=}" >> "$HERE/sources" ;; esac
done
for word in "$@"; do
  case $word in
    indextargets) cat "$HERE/targets"; exit 0 ;;
    --print-uris) cat "$HERE/uris"; exit 0 ;;
    update) test -e "$HERE/refuses" && { echo "E: no route" >&2; exit 100; }; exit 0 ;;
    download) cp "$HERE"/packages/*.deb .; exit 0 ;;
  esac
done
exit 9
"""
DPKG = '#!/bin/sh\ntest "$1" = --fsys-tarfile && exec cat "$2"\n'
TARGETS = """\
http://mirror.example/security/|bookworm-security|main
http://mirror.example/debian/|bookworm-updates|main
http://mirror.example/debian/|bookworm|contrib
http://mirror.example/debian/|bookworm|main
"""
URIS = """\
Reading package lists...
'http://mirror.example/a/libc6_2.41.deb' libc6_2.41.deb 1 SHA256:0
'http://mirror.example/a/libyang3_3.12.deb' libyang3_3.12.deb 1 SHA256:0
'http://mirror.example/a/libpam-modules-bin_1.7.deb' libpam-modules-bin_1.7.deb 1 SHA256:0
'http://mirror.example/a/libselinux-common_3.8.deb' libselinux-common_3.8.deb 1 SHA256:0
'http://mirror.example/a/systemd_257.deb' systemd_257.deb 1 SHA256:0
'http://mirror.example/a/frr_10.3.deb' frr_10.3.deb 1 SHA256:0
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a Debian 12 with an apt-get and a dpkg-deb of our own."""
    for folder in ("bin", "packages", "system/etc", "system/usr/share/keyrings"):
        (tmp_path / folder).mkdir(parents=True)
    for name, text in (("apt-get", APT), ("dpkg-deb", DPKG)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "targets").write_text(TARGETS)
    (tmp_path / "uris").write_text(URIS)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.setenv("HERE", str(tmp_path))
    system = tmp_path / "system"
    (system / "etc/os-release").write_text('ID=debian\nVERSION_CODENAME="bookworm"\n')
    (system / "usr/share/keyrings/debian-archive-keyring.gpg").touch()
    packed(tmp_path, "frr", "usr/lib/frr/zebra")
    packed(tmp_path, "libc6", "usr/lib64/ld-linux-x86-64.so.2")
    packed(tmp_path, "libyang3", "usr/lib/x86_64-linux-gnu/libyang.so.3")
    return system


def packed(here: Path, name: str, path: str, content: bytes = b"a program\n") -> None:
    (here / "source").write_bytes(content)
    with tarfile.open(here / "packages" / f"{name}.deb", "w") as tar:
        tar.add(here / "source", path)


def tools_of(machine: Path) -> Tools:
    return Tools(machine.parent / "cache", "10.3")


def test_it_comes_from_the_mirror_of_this_machines_release(machine: Path) -> None:
    tools = tools_of(machine)
    assert unpack_frr(tools, "10.3", machine) == ["frr.deb", "libc6.deb", "libyang3.deb"]
    keys = machine / "usr/share/keyrings/debian-archive-keyring.gpg"
    line = f"deb [signed-by={keys}] http://mirror.example/debian/ trixie main"
    assert set((machine.parent / "sources").read_text().splitlines()) == {line}
    assert tools.frr_root == machine.parent / "cache/frr-10.3/root"
    assert [path.name for path in tools.home_of("10.3").iterdir()] == ["root"]


def test_of_what_it_needs_libraries_alone_are_fetched(machine: Path) -> None:
    unpack_frr(tools_of(machine), "10.3", machine)
    asked = (machine.parent / "asked").read_text().splitlines()
    download = next(line for line in asked if " download " in line)
    assert download.endswith(" frr frr-pythontools libc6 libyang3")
    assert all("-oDir::Etc::sourceparts=/dev/null" in line for line in asked[1:])


def test_a_program_of_it_runs_by_its_own_loader(machine: Path) -> None:
    tools = tools_of(machine)
    assert tools.frr_command("usr/bin/vtysh") is None
    unpack_frr(tools, "10.3", machine)
    root = tools.home_of("10.3") / "root"
    assert tools.frr_command("usr/bin/vtysh") == (
        f"{root}/usr/lib64/ld-linux-x86-64.so.2",
        "--library-path",
        f"{root}/usr/lib/x86_64-linux-gnu",
        f"{root}/usr/bin/vtysh",
    )
    assert tools.layers == (root,)
    assert Tools(tools.folder).layers == ()


def test_what_apt_does_not_give_is_said(machine: Path) -> None:
    (machine.parent / "refuses").touch()
    with pytest.raises(LabFailure, match=r"^apt-get cannot download FRR 10\.3: E: no route$"):
        unpack_frr(tools_of(machine), "10.3", machine)
    assert tools_of(machine).frr_root is None


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("system/etc/os-release", "ID=other\n", "this machine does not run Debian"),
        ("targets", "http://mirror.example/debian/|sid|main\n", "no source for bookworm main"),
    ],
)
def test_without_a_mirror_it_says_so(machine: Path, file: str, text: str, why: str) -> None:
    (machine.parent / file).write_text(text)
    with pytest.raises(LabFailure, match=why):
        unpack_frr(tools_of(machine), "10.3", machine)


def test_a_suite_without_frr_is_said(machine: Path) -> None:
    (machine.parent / "packages/frr.deb").unlink()
    with pytest.raises(LabFailure, match="the Debian suite trixie contains no FRR"):
        unpack_frr(tools_of(machine), "10.3", machine)


def test_a_lab_with_an_frr_that_is_not_unpacked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabFailure, match=r"use `fabricgen lab install-tools --frr 10\.3`"):
        require(Choice("uml", "asked for"), Tools(tmp_path, "10.3"), 1, 0)
