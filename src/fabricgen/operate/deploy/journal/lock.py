"""Lock a site for one push and guard the writes of the lock's holder.

A lock is a row, and its holder renews it. A killed holder leaves the row, so another process checks
whether the holder is alive. On the same machine it checks the process, elsewhere the last renewal.
Each transaction of a holder first checks that the row still belongs to it. So a holder that seemed
dead, such as a suspended machine, can no longer write.
"""

import logging
import secrets
import threading
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Row, or_, select
from sqlalchemy.exc import IntegrityError

from fabricgen.operate.deploy.journal.database import Database
from fabricgen.operate.deploy.journal.holder import Holder, lives, this_process
from fabricgen.operate.deploy.journal.plans import KEPT, packed
from fabricgen.operate.deploy.journal.records import (
    JournalFailure,
    Kind,
    LockHeld,
    LockLost,
    Result,
    Signed,
    Step,
)
from fabricgen.operate.deploy.journal.tables import (
    LOCKS,
    PLANS,
    PUSHES,
    SIGNED,
    STEPS,
    TAKEOVERS,
    Now,
)

BEAT = 15.0
"""Seconds between two heartbeats."""
DEAD = timedelta(seconds=60)
"""Age of a heartbeat after which its holder counts as dead: four failed beats."""
_TRIES = 9
_LONGEST = 4_000
_log = logging.getLogger(__name__)


class Lock:
    """The lock of a site between `with` and its end. All writes need it."""

    def __init__(
        self, database: Database, site: str, plan: str, who: str, *, force: bool = False
    ) -> None:
        """Store the arguments; callers use Journal.lock."""
        self.site, self.plan, self.who, self._force = site, plan, who, force
        self._database, self._holder = database, this_process()
        self._token = secrets.token_hex(16)
        self._over = threading.Event()
        self._beating = threading.Thread(target=self._beat, name="journal heartbeat", daemon=True)

    def __enter__(self) -> Self:
        """Take the lock, also from a dead holder; raise LockHeld if the holder is alive."""
        for _ in range(_TRIES):
            if self._taken():
                self._beating.start()
                return self
        raise JournalFailure(f"the lock of {self.site} changes its holder too fast; try again")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the lock. A failure is only logged: others find a dead holder later."""
        self._over.set()
        self._beating.join()
        try:
            with self._database.writing() as connection:
                connection.execute(LOCKS.delete().where(*self._own))
        except JournalFailure as failure:
            _log.warning("lock of %s not released: %s", self.site, failure)

    def start(self, kind: Kind, version: str, intent: str, signed: Iterable[Signed] = ()) -> str:
        """Record the start of a push and its signatures; return the id of the push."""
        row = self._push(self.plan) | {"kind": kind, "version": version, "intent": intent}
        rows = [asdict(each) | {"push": row["id"]} for each in signed]
        with self._database.writing() as connection:
            self._check(connection)
            connection.execute(PUSHES.insert().values(**row, started=Now()))
            if rows:
                connection.execute(SIGNED.insert(), rows)
        return str(row["id"])

    def keep(self, document: str) -> None:
        """Store the plan of the push, so that another machine can resume it.

        A plan above the size limit is not stored. Plans that are too old to resume are deleted.
        """
        kept = packed(document)
        with self._database.writing() as connection:
            self._check(connection)
            now = connection.scalar(select(Now()))
            old = () if now is None else (PLANS.c.kept < now - KEPT,)
            connection.execute(PLANS.delete().where(or_(PLANS.c.id == self.plan, *old)))
            if kept is not None:
                row = {"id": self.plan, "kept": now, "document": kept}
                connection.execute(PLANS.insert().values(**row))

    def restore(self, plan: str, started: datetime | None, steps: Iterable[Step]) -> None:
        """Record a push that only the switches remember. started: None if unknown."""
        row = self._push(plan) | {"kind": Kind.PUSH, "version": "", "intent": ""}
        row |= {"started": started or Now(), "ended": started or Now(), "result": Result.REBUILT}
        with self._database.writing() as connection:
            self._check(connection)
            connection.execute(PUSHES.insert().values(**row))
        self.record(str(row["id"]), steps)

    def _push(self, plan: str) -> dict[str, Any]:
        identity = f"push-{secrets.token_hex(5)}"
        row = {"id": identity, "site": self.site, "plan": plan}
        return row | {"who": self.who, "host": self._holder.host}

    def record(self, push: str, steps: Iterable[Step]) -> None:
        """Append steps in one transaction; after the call they are on disk."""
        with self._database.writing() as connection:
            self._check(connection)
            at = connection.scalar(select(Now()))
            rows = [_row(push, step) | {"at": at} for step in steps]
            if rows:
                connection.execute(STEPS.insert(), rows)

    def end(self, push: str, result: Result) -> None:
        """Record the result of a push once, of this push or of one that was killed."""
        ours = (PUSHES.c.id == push, PUSHES.c.site == self.site, PUSHES.c.ended.is_(None))
        with self._database.writing() as connection:
            self._check(connection)
            ended = PUSHES.update().where(*ours).values(ended=Now(), result=result)
            if connection.execute(ended).rowcount != 1:
                raise JournalFailure(f"{push} is not a running push of {self.site}")

    @property
    def _own(self) -> tuple[Any, Any]:
        return LOCKS.c.site == self.site, LOCKS.c.token == self._token

    def _check(self, connection: Connection) -> None:
        """Check that this process holds the lock until the transaction ends."""
        mine = select(LOCKS.c.token).where(*self._own).with_for_update(read=True)
        if connection.scalar(mine) is None:
            raise LockLost(f"lock of {self.site} lost: another process took or removed it")

    def _taken(self) -> bool:
        """Take the lock; return False when another process was faster."""
        try:
            with self._database.writing() as connection:
                of_site = select(LOCKS, Now().label("now")).where(LOCKS.c.site == self.site)
                held = connection.execute(of_site.with_for_update()).one_or_none()
                if held is not None:
                    self._take_over(connection, held)
                try:
                    connection.execute(LOCKS.insert().values(**self._row()))
                except IntegrityError:
                    raise _LockTaken from None
        except _LockTaken:
            return False
        return True

    def _take_over(self, connection: Connection, held: Row[Any]) -> None:
        """Remove and record the row of a dead holder; raise LockHeld if the holder is alive."""
        why = _dead(held) or ("by force" if self._force else None)
        if why is None:
            raise LockHeld(self.site, held.who, held.host, held.pid, held.plan, held.since)
        row = {"site": self.site, "by": self.who, "host": self._holder.host, "plan": self.plan}
        row |= {f"of_{key}": getattr(held, key) for key in ("who", "host", "pid", "plan", "since")}
        connection.execute(TAKEOVERS.insert().values(**row, at=Now(), why=why))
        connection.execute(LOCKS.delete().where(LOCKS.c.site == self.site))

    def _row(self) -> dict[str, Any]:
        me = self._holder
        row: dict[str, Any] = {
            "site": self.site,
            "token": self._token,
            "who": self.who,
            "plan": self.plan,
        }
        row |= {"host": me.host, "machine": me.machine, "pid": me.pid, "born": me.born}
        return row | {"since": Now(), "heartbeat": Now()}

    def _beat(self) -> None:
        """Renew the row while it belongs to this process. A failed beat is only logged."""
        while not self._over.wait(BEAT):
            try:
                with self._database.writing() as connection:
                    renewed = LOCKS.update().where(*self._own).values(heartbeat=Now())
                    if connection.execute(renewed).rowcount != 1:
                        return
            except JournalFailure as failure:
                _log.warning("lock of %s not renewed: %s", self.site, failure)


class _LockTaken(Exception):  # noqa: N818 - never leaves this module
    """Another process took a free site between our query and our insert."""


def _dead(held: Row[Any]) -> str | None:
    """Return why a holder counts as dead; None while it is alive."""
    alive = lives(Holder(host=held.host, machine=held.machine, pid=held.pid, born=held.born))
    if alive is not None:
        return None if alive else f"process {held.pid} has ended"
    silent = held.now - held.heartbeat
    return f"no heartbeat for {silent.total_seconds():.0f} s" if silent > DEAD else None


def _row(push: str, step: Step) -> dict[str, Any]:
    return {
        "push": push,
        "switch": step.switch,
        "batch": step.batch,
        "phase": step.phase,
        "message": _storable(step.message),
        "before": step.before,
        "after": step.after,
    }


def _storable(text: str) -> str:
    """Shorten an answer of a switch and remove characters that no database stores."""
    text = text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    rest = len(text) - _LONGEST
    return text if rest <= 0 else f"{text[:_LONGEST]}… and {rest} more characters"
