"""No secret of a switch reaches the database of the timeline."""

from pathlib import Path

from tests.deploy.journal.looks import LANE, PEER, checked, facts, identity, look

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.show import Part
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.state.timeline.baselines import Baselines
from fabricgen.operate.state.timeline.packing import inflate, state_from
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.snapshot import Seen, silent
from fabricgen.operate.state.timeline.tables import METADATA
from fabricgen.operate.state.timeline.timeline import Timeline

CANARY = "C4N4RY"


def secrets(number: int) -> Facts:
    """Return facts that hold secrets, each with a number."""
    word = f"{CANARY}{number}"
    return facts(state=f"Idle (password {word} is wrong)") | {
        ("user", "admin"): {"role": "admin", "hash": f"$6$salt${word}", "key": f"ssh-rsa {word}"},
        ("login", "tacacs", "10.0.0.1"): {"key": word, "vrf": "mgmt"},
        ("session", "default", "10.72.0.2"): {"asn": "65001", "password": word},
        ("snmp",): {"community": word, "location": "berlin"},
        ("snmp-user", "ann"): {"auth": word, "privacy": ("aes", word)},
        ("snmp-community", word): {"access": "ro"},
        ("secret", "/etc/frr/key"): {"content": word},
        ("banner",): {"text": f"-----BEGIN PRIVATE KEY-----\n{word}\n-----END"},
        ("interface", "Ethernet9"): {"description": f"$1$abc${word}"},
        ("bgp", "default"): {"md5-secret": word},
    }


def looks(number: int) -> dict[str, Seen]:
    """Return a look with secrets in facts, findings, and the reasons of unread parts."""
    word = f"{CANARY}{number}"
    why = f"snmp-server community {word} ro"
    results = (checked(f"neighbor has password 7 {word}, but the design has secret: {word}"),)
    seen = look(secrets(number), unread={Part.SERVICES: why}, results=results)
    return {"leaf1": seen, "leaf2": silent(f"refused: password={word}")}


def every_text(journal: Journal) -> bytes:
    """Return everything in the tables, decompressed."""
    texts: list[bytes] = []
    with journal.database.reading() as connection:
        for table in METADATA.sorted_tables:
            for row in connection.execute(table.select()):
                for name, value in row._asdict().items():
                    texts.append(f"{name}={value!r}".encode())
                    if not isinstance(value, bytes):
                        continue
                    texts += [inflate(value)] if value[:1] == b"\x78" else []
                    if name == "facts":
                        texts += [inflate(chunk.blob) for chunk in state_from(value).values()]
    return b"\n".join(texts)


def test_no_secret_is_stored(journal: Journal) -> None:
    timeline = Timeline(journal.database)
    for number in range(3):
        timeline.write(LANE, looks(number), identity())
        Baselines(timeline, LANE).save(f"b{number}", "ann", ["leaf1", "leaf2"])
    text = every_text(journal)
    assert b"Ethernet1" in text, "the test sees what is stored"
    assert b"berlin" in text
    assert CANARY.encode() not in text
    stored = History(journal.database, LANE).facts("leaf1")
    assert stored["user", "admin"] == {"role": "admin", "hash": "(hidden)", "key": "(hidden)"}
    assert stored[PEER]["asn"] == "65001"


def test_no_secret_is_in_the_file_of_the_database(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with Journal.open(file) as journal:
        timeline = Timeline(journal.database)
        timeline.write(LANE, looks(1), identity())
        timeline.write(LANE, looks(2), identity())
    assert CANARY.encode() not in file.read_bytes()
