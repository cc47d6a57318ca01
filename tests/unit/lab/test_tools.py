"""The programs of a lab: looked for here, or unpacked from what a stand-in for apt gives."""

import tarfile
from pathlib import Path

import pytest

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, missing_packages, unpack

APT = """\
#!/bin/sh
echo "$@" >> "$HERE/asked"
for word in "$@"; do
  case $word in
    -oDir::Cache::archives=*) debs=${word#*=} ;;
    -oDir::State::lists=*) lists=${word#*=} ;;
    update|install) verb=$word ;;
  esac
done
test "$verb" = update && : > "$lists/new"
if test "$verb" = install; then
  if test -e "$HERE/refuses" && ! test -e "$lists/new"; then
    echo "first line" >&2; cat "$HERE/refuses" >&2; exit 100
  fi
  test -e "$HERE/never" && exit 7
  test -d "$debs/partial" || exit 9
  cp "$HERE"/packages/*.deb "$debs"
fi
exit 0
"""
DPKG = '#!/bin/sh\ntest "$1" = --fsys-tarfile && exec cat "$2"\n'


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    """Have apt-get and dpkg-deb of our own, and packages that are bare tar files."""
    programs, packages = tmp_path / "bin", tmp_path / "packages"
    for folder in (programs, packages):
        folder.mkdir()
    for name, text in (("apt-get", APT), ("dpkg-deb", DPKG)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("HERE", str(tmp_path))
    packed(packages / "frr.deb", "usr/lib/frr/bgpd")
    packed(packages / "tc.deb", "sbin/tc")
    return Tools(tmp_path / "cache")


def packed(deb: Path, path: str, text: str = "a program\n") -> None:
    source = deb.parent / "source"
    source.write_text(text)
    with tarfile.open(deb, "w") as tar:
        tar.add(source, path)
    source.unlink()


def asked(tools: Tools) -> list[str]:
    return (tools.folder.parent / "asked").read_text().splitlines()


def test_unpacked_programs_are_kept_in_the_users_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert Tools.here().folder == Path("/cache/fabricgen/lab")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Tools.here().folder == tmp_path / ".cache" / "fabricgen" / "lab"


def test_a_file_is_looked_for_among_the_unpacked_and_then_on_this_machine(tmp_path: Path) -> None:
    tools = Tools(tmp_path)
    assert tools.find("bin/sh") == Path("/bin/sh")
    (tmp_path / "root" / "bin").mkdir(parents=True)
    (tmp_path / "root" / "bin" / "sh").touch()
    assert tools.find("bin/sh") == Path("/bin/sh"), "without usr nothing was unpacked"
    (tmp_path / "root" / "usr").mkdir()
    assert tools.find("bin/sh") == tmp_path / "root" / "bin" / "sh"
    assert tools.find("no/such/program") is None


def test_packages_are_missing_whose_file_is_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: set[str] = set()
    monkeypatch.setattr(Tools, "find", lambda _, path: Path(path) if path in there else None)
    tools = Tools(tmp_path)
    assert missing_packages(tools, uml=True) == [
        *("frr", "frr-pythontools", "ifupdown2", "lldpd", "openssh-server", "openssh-client"),
        *("iproute2", "iputils-ping", "procps", "systemd-standalone-sysusers"),
        *("systemd-standalone-tmpfiles", "user-mode-linux"),
    ]
    assert "user-mode-linux" not in missing_packages(tools, uml=False)
    more = set(missing_packages(tools, uml=True, fresh=True)) - set(
        missing_packages(tools, uml=True)
    )
    assert more == {"kea-dhcp4-server", "isc-dhcp-client"}
    there |= {
        *("usr/lib/frr/bgpd", "usr/lib/frr/frr-reload.py", "usr/share/ifupdown2/__main__.py"),
        *("usr/sbin/lldpcli", "usr/sbin/sshd", "usr/bin/ssh-keygen", "usr/sbin/tc"),
        *("usr/bin/ping", "usr/bin/pkill", "usr/bin/systemd-sysusers"),
        *("usr/bin/systemd-tmpfiles", "usr/bin/linux.uml"),
    }
    assert missing_packages(tools, uml=True) == []


def test_packages_are_unpacked_beside_the_machine(tools: Tools) -> None:
    assert unpack(tools, ["frr", "iproute2"]) == ["frr.deb", "tc.deb"]
    assert tools.root is not None
    assert (tools.root / "usr/lib/frr/bgpd").read_text() == "a program\n"
    assert (tools.root / "usr/sbin/tc").exists(), "sbin is a link, as on a merged system"
    links = {name: (tools.root / name).readlink() for name in ("bin", "sbin", "lib", "lib64")}
    assert links == {name: Path(f"usr/{name}") for name in links}
    assert not (tools.folder / "debs").exists()
    (line,) = asked(tools)
    assert "--download-only" in line.split()
    assert line.endswith(" frr iproute2")


def test_packages_are_fetched_without_locks_or_another_account(tools: Tools) -> None:
    unpack(tools, ["frr"])
    (line,) = asked(tools)
    assert line == (
        "-oDebug::NoLocking=1 install --download-only --reinstall --no-install-recommends -y "
        f"-oAPT::Sandbox::User= -oDir::Cache::archives={tools.folder}/debs frr"
    )


def test_more_can_be_unpacked_later(tools: Tools) -> None:
    unpack(tools, ["frr"])
    packed(tools.folder.parent / "packages" / "frr.deb", "usr/lib/frr/zebra")
    unpack(tools, ["frr"])
    assert tools.root is not None
    assert {path.name for path in (tools.root / "usr/lib/frr").iterdir()} == {"bgpd", "zebra"}


def test_where_the_lists_are_old_new_ones_are_fetched_beside_the_machines(tools: Tools) -> None:
    (tools.folder.parent / "refuses").write_text("E: no such package\n")
    assert unpack(tools, ["frr"]) == ["frr.deb", "tc.deb"]
    lists = f"-oDir::State::lists={tools.folder}/lists"
    first, update, again = asked(tools)
    assert update == f"-oDebug::NoLocking=1 update -qq {lists} -oAPT::Sandbox::User="
    assert lists not in first
    assert lists in again
    assert (tools.folder / "lists" / "partial").is_dir()


@pytest.mark.parametrize(
    ("file", "why"),
    [("never", "exit code 7"), ("never-new", "E: no such package")],
)
def test_what_apt_does_not_give_is_said(tools: Tools, file: str, why: str) -> None:
    here = tools.folder.parent
    if file == "never":
        (here / "never").touch()
    else:
        (here / "refuses").write_text("E: no such package\n")
        apt = here / "bin" / "apt-get"
        apt.write_text(apt.read_text().replace('&& ! test -e "$lists/new"', ""))
    with pytest.raises(LabFailure, match=f"^apt-get cannot download frr, lldpd: {why}$"):
        unpack(tools, ["frr", "lldpd"])


def test_without_apt_the_packages_are_named(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(LabFailure, match=r"^apt-get not found: install frr, lldpd with the"):
        unpack(tools, ["frr", "lldpd"])


def test_a_package_that_cannot_be_unpacked_is_said(tools: Tools) -> None:
    (tools.folder.parent / "packages" / "frr.deb").write_text("no tar file\n")
    with pytest.raises(LabFailure, match=r"^unpacking frr\.deb failed: tar: "):
        unpack(tools, ["frr"])


def test_ifupdown2_can_be_run_where_it_is_only_unpacked(tools: Tools) -> None:
    packed(
        tools.folder.parent / "packages" / "if.deb", "usr/share/ifupdown2/__main__.py", "x = 1\n"
    )
    unpack(tools, ["ifupdown2"])
    assert tools.root is not None
    folder = tools.root / "usr/share/ifupdown2"
    assert (folder / "__main__.py").stat().st_mode & 0o777 == 0o755
    assert list(folder.glob("__pycache__/*.pyc"))
