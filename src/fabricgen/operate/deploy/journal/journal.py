"""Store the journal of pushes: user, time, plan and result."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Row, Select, and_, func, inspect, select, text

from fabricgen.operate.deploy.journal.database import Database
from fabricgen.operate.deploy.journal.lock import Lock
from fabricgen.operate.deploy.journal.plans import unpacked
from fabricgen.operate.deploy.journal.records import (
    Act,
    JournalFailure,
    Kind,
    NoJournal,
    PendingSwitch,
    Phase,
    Push,
    Result,
    Signed,
    Step,
    Takeover,
)
from fabricgen.operate.deploy.journal.tables import (
    JOURNAL,
    METADATA,
    PLANS,
    PUSHES,
    SIGNED,
    STEPS,
    TAKEOVERS,
    VERSION,
    Now,
    Utc,
)

T = TypeVar("T")
_RECENT = 20  # pushes that give the usual duration of a batch
_MAKING = 0x66616272  # "fabr": advisory lock while the tables are created in PostgreSQL


def journal_of(site: Path) -> Path:
    """Return the default path of a site's journal.

    Raises:
        JournalFailure: The path is a symbolic link. A site from elsewhere must not choose the
            target.
    """
    place = site / ".fabricgen" / "journal.db"
    if linked := next((each for each in (place.parent, place) if each.is_symlink()), None):
        raise JournalFailure(
            f"journal {place}: {linked} is a symbolic link; select a journal with --journal"
        )
    return place


class Journal:
    """The journal of pushes. Reading needs no lock; `lock` returns the only writer."""

    def __init__(self, database: Database) -> None:
        """Store the database; callers use `open`."""
        self._database = database

    @classmethod
    def open(cls, address: str | Path, *, make: bool = True) -> "Journal":
        """Open a file or postgresql://….

        Args:
            address: Path or URL.
            make: Create the tables when they are missing.

        Raises:
            NoJournal: The journal does not exist and `make` is false.
            JournalFailure: The database cannot be opened.
        """
        database = Database(str(address))
        try:
            if _standing(database) is None:
                _begin(database, make=make)
        except BaseException:
            database.engine.dispose()
            raise
        return cls(database)

    @property
    def name(self) -> str:
        """Return the address without a password."""
        return self._database.shown

    @property
    def database(self) -> Database:
        """Return the database, which also stores the timeline of switches."""
        return self._database

    def lock(self, site: str, plan: str, who: str, *, force: bool = False) -> Lock:
        """Return the lock of a site for `with`; raise LockHeld if another push has it.

        With `force`, a live holder loses the lock, too, and can then no longer write.
        """
        return Lock(self._database, site, plan, who, force=force)

    def close(self) -> None:
        """Close the connections."""
        self._database.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def history(
        self, site: str | None = None, *, plan: str | None = None, limit: int | None = 50
    ) -> list[Push]:
        """Return pushes, newest first."""
        query = select(PUSHES).order_by(PUSHES.c.number.desc()).limit(limit)
        if site is not None:
            query = query.where(PUSHES.c.site == site)
        if plan is not None:
            query = query.where(PUSHES.c.plan == plan)
        return self._rows(query, _push)

    def push(self, identity: str) -> Push | None:
        """Return a push by its id."""
        return next(iter(self._rows(select(PUSHES).where(PUSHES.c.id == identity), _push)), None)

    def steps(self, push: str) -> list[Step]:
        """Return all steps of a push in order."""
        query = select(STEPS).where(STEPS.c.push == push).order_by(STEPS.c.number)
        return self._rows(query, _step)

    def states(self, push: str) -> dict[str, Step]:
        """Return the last step of a push on each switch."""
        last = select(func.max(STEPS.c.number)).where(STEPS.c.push == push)
        query = select(STEPS).where(STEPS.c.number.in_(last.group_by(STEPS.c.switch)))
        return {step.switch: step for step in self._rows(query.order_by(STEPS.c.switch), _step)}

    def tally(self, pushes: Iterable[str]) -> dict[str, dict[Phase, int]]:
        """Return the number of switches in each phase for each push."""
        wanted = list(pushes)
        last = select(func.max(STEPS.c.number)).where(STEPS.c.push.in_(wanted))
        query = (
            select(STEPS.c.push, STEPS.c.phase, func.count().label("switches"))
            .where(STEPS.c.number.in_(last.group_by(STEPS.c.push, STEPS.c.switch)))
            .group_by(STEPS.c.push, STEPS.c.phase)
        )
        tallies: dict[str, dict[Phase, int]] = {push: {} for push in wanted}
        counts = self._rows(query, lambda row: (row.push, Phase(row.phase), row.switches))
        for push, phase, switches in counts:
            tallies[push][phase] = switches
        return tallies

    def pace(self, site: str) -> list[float]:
        """Return the durations of batches in the last successful pushes of this site.

        A duration is in seconds, from the first changing command to the last confirmed switch.
        """
        done = (
            select(PUSHES.c.id)
            .where(PUSHES.c.site == site, PUSHES.c.result == Result.DONE.value)
            .order_by(PUSHES.c.number.desc())
            .limit(_RECENT)
        )
        query = (
            select(func.min(STEPS.c.at).label("begun"), func.max(STEPS.c.at).label("ended"))
            .where(STEPS.c.push.in_(done), STEPS.c.batch > 0)
            .where(STEPS.c.phase.in_((Phase.ARMING.value, Phase.CONFIRMED.value)))
            .group_by(STEPS.c.push, STEPS.c.batch)
        )
        return self._rows(query, lambda row: (row.ended - row.begun).total_seconds())

    def unended(self, site: str) -> list[Push]:
        """Return the pushes without an end, oldest first; under the lock, these pushes were killed.

        Switches in the middle of a change have a `pending` phase in `states`.
        """
        query = select(PUSHES).where(PUSHES.c.site == site, PUSHES.c.ended.is_(None))
        return self._rows(query.order_by(PUSHES.c.number), _push)

    def plan(self, identity: str) -> str | None:
        """Return the document of a pushed plan; None when the journal no longer has it."""
        query = select(PLANS.c.document).where(PLANS.c.id == identity)
        return next(iter(self._rows(query, lambda row: unpacked(row.document))), None)

    def changed(self, site: str) -> dict[str, str]:
        """Return each switch that a push of this site was about to change, with its last plan."""
        last = (
            select(func.max(STEPS.c.number))
            .join(PUSHES, STEPS.c.push == PUSHES.c.id)
            .where(PUSHES.c.site == site, PUSHES.c.kind == Kind.PUSH, STEPS.c.batch > 0)
            .group_by(STEPS.c.switch)
        )
        query = select(STEPS.c.switch, PUSHES.c.plan).join(PUSHES, STEPS.c.push == PUSHES.c.id)
        return dict(self._rows(query.where(STEPS.c.number.in_(last)), tuple))

    def behind(self, site: str | None = None) -> list[PendingSwitch]:
        """Return the switches whose last push failed."""
        first: dict[tuple[str, str], PendingSwitch] = {}
        for last in self._rows(_failing(site), _behind):
            key = last.push.site, last.step.switch
            since = first[key].since if key in first else last.since
            first[key] = replace(last, since=since)
        return sorted(first.values(), key=lambda each: (each.push.site, each.step.switch))

    def latest(self, site: str) -> datetime:
        """Return the time of the database, or the start of a push if that is later."""
        began = select(func.max(PUSHES.c.started, type_=Utc)).where(PUSHES.c.site == site)
        query = select(Now().label("now"), began.scalar_subquery().label("began"))
        ((now, start),) = self._rows(query, tuple)
        latest: datetime = max(now, start or now)
        return latest

    def signed(self, push: str) -> list[Signed]:
        """Return the signatures of a push in order."""
        query = select(SIGNED).where(SIGNED.c.push == push).order_by(SIGNED.c.number)
        return self._rows(query, _signed)

    def takeovers(self, site: str | None = None) -> list[Takeover]:
        """Return the locks that were taken from dead holders, oldest first."""
        query = select(TAKEOVERS).order_by(TAKEOVERS.c.number)
        if site is not None:
            query = query.where(TAKEOVERS.c.site == site)
        return self._rows(query, _takeover)

    def _rows(self, query: Select[Any], make: Callable[[Row[Any]], T]) -> list[T]:
        """Convert each row; a row that cannot be converted means a damaged journal."""
        with self._database.reading() as connection:
            return list(map(make, connection.execute(query)))


def _failing(site: str | None) -> Select[Any]:
    """Select the last step of each push on each switch since the last success there."""
    of_site = () if site is None else (PUSHES.c.site == site,)
    pushes = and_(PUSHES.c.kind.in_((Kind.PUSH, Kind.ROLLBACK)), *of_site)
    joined = STEPS.join(PUSHES, STEPS.c.push == PUSHES.c.id)
    of_switch = (PUSHES.c.site, STEPS.c.switch)
    well = (
        select(*of_switch, func.max(STEPS.c.number).label("number"))
        .select_from(joined)
        .where(pushes, STEPS.c.phase.in_([each for each in Phase if each.well]))
        .group_by(*of_switch)
        .subquery()
    )
    last = (
        select(func.max(STEPS.c.number))
        .select_from(joined)
        .where(pushes, STEPS.c.phase != Phase.KEPT)
        .group_by(STEPS.c.push, STEPS.c.switch)
    )
    same = and_(well.c.site == PUSHES.c.site, well.c.switch == STEPS.c.switch)
    return (
        select(STEPS, *(column.label(f"of_{column.name}") for column in PUSHES.c))
        .select_from(joined.outerjoin(well, same))
        .where(STEPS.c.number.in_(last), STEPS.c.number > func.coalesce(well.c.number, 0))
        .order_by(STEPS.c.number)
    )


def _behind(row: Row[Any]) -> PendingSwitch:
    values = {key[3:]: value for key, value in row._asdict().items() if key.startswith("of_")}
    push = _made(values)
    return PendingSwitch(since=push, push=push, step=_step(row))


def _takeover(row: Row[Any]) -> Takeover:
    return Takeover(**{key: value for key, value in row._asdict().items() if key != "number"})


def _signed(row: Row[Any]) -> Signed:
    values = row._asdict()
    del values["number"], values["push"]
    return Signed(**values | {"act": Act(row.act)})


def _push(row: Row[Any]) -> Push:
    return _made(row._asdict())


def _made(values: dict[str, Any]) -> Push:
    del values["number"]
    values["kind"] = Kind(values["kind"])
    values["result"] = Result(values["result"]) if values["result"] else None
    return Push(**values)


def _step(row: Row[Any]) -> Step:
    return Step(
        switch=row.switch,
        phase=Phase(row.phase),
        batch=row.batch,
        message=row.message,
        before=row.before,
        after=row.after,
        at=row.at,
    )


def _standing(database: Database) -> int | None:
    """Return the version of the tables; None when there are no tables yet."""
    if database.file is not None and not database.file.exists():
        return None
    with database.reading() as connection:
        return _version(connection, database.shown)


def _version(connection: Connection, shown: str) -> int | None:
    if not inspect(connection).has_table(JOURNAL.name):
        return None
    version: int | None = connection.scalar(select(JOURNAL.c.version))
    if version is not None and version != VERSION:
        age = "newer" if version > VERSION else "older"
        raise JournalFailure(
            f"journal {shown}: written by {age} fabricgen (tables {version}, here "
            f"{VERSION}); use that version, or select another journal with --journal"
        )
    return version


def _begin(database: Database, *, make: bool) -> None:
    """Create the tables in one transaction; a second process then finds them."""
    if not make:
        raise NoJournal(f"journal {database.shown}: no push yet")
    database.make_file()
    with database.writing() as connection:
        if database.file is None:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MAKING})
        if _version(connection, database.shown) is None:
            METADATA.create_all(connection)
            connection.execute(JOURNAL.insert().values(version=VERSION))
