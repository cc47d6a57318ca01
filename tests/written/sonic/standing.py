"""A stand-in of SONiC over real SSH that has a written switch: databases, programs and files."""

import contextlib
import json
from collections.abc import Iterator

from tests.deploy.sonic.conftest import Ground, standing
from tests.deploy.sonic.standin.redis import read
from tests.written.sonic.served import Written


@contextlib.contextmanager
def reachable(switch: Written) -> Iterator[Ground]:
    """Yield the stand-in."""
    with standing(lambda _: (switch.switch.config, switch.switch.frr)) as ground:
        put(ground, switch)
        yield ground


def put(ground: Ground, switch: Written) -> None:
    """Store the databases and the answers. A later call adds what has changed."""
    db = ground.switch.database()
    for number, keys in switch.data.of.items():
        words: list[tuple[str, ...]] = [("SELECT", str(number))]
        for key, fields in keys.items():
            flat = [word for pair in fields.items() for word in pair]
            words += [("DEL", key)] + ([("HSET", key, *flat)] if flat else [])
        db.all(words)
    db("SELECT", "4")
    saved = json.dumps(read(db), indent=4, sort_keys=True)
    db.close()
    for call, text in switch.printed().items():
        if call.startswith("docker exec "):
            ground.switch.answer(call.removeprefix("docker exec "), text)
        elif call.startswith("/etc/"):
            (ground.switch.home / call[1:]).write_text(text)
        elif not call.startswith("/"):
            ground.switch.answer(call, text)
    (ground.switch.home / "etc/sonic/config_db.json").write_text(saved)
