"""Many clients at once leave a sane repository and lose nothing."""

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, AlreadyExists, Conflict, GitError, NotFound
from jupyter_ac.git.files import file_hash, read_text
from jupyter_ac.git.refs import is_clean
from jupyter_ac.git.repository import discover
from tests.support.changing import Service, service_of
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.sanity import require_sane
from tests.support.trees import file_tree

CLIENTS = 50
ROUNDS = 3
LIMIT_S = 110
MANY = {f"n{number:03}": "main\n" for number in range(300)}

pytestmark = pytest.mark.slow


def named(folder: RepositoryFolder) -> RepositoryFolder:
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return named(make_repository(tmp_path / "r", {"a": "1\n", "counter": "0\n"}))


@pytest.fixture
def service(folder: RepositoryFolder) -> Iterator[Service]:
    yield service_of(asyncio.run(discover(folder.root)))
    require_sane(folder)


@pytest.fixture
def branches(tmp_path: Path) -> RepositoryFolder:
    """Two branches with other content in so many files that a switch takes a while."""
    made = named(make_repository(tmp_path / "b", dict(MANY)))
    made.git("checkout", "-q", "-b", "side")
    for name in MANY:
        made.write(name, "side\n")
    made.commit()
    made.git("checkout", "-q", "main")
    return made


async def later(work: Awaitable[object], longest_s: float) -> object:
    await asyncio.sleep(random.uniform(0, longest_s))
    return await work


async def gathered(*work: Awaitable[object]) -> list[object]:
    """Do all of it and return results and refusals; a fault of the program is raised."""
    async with asyncio.timeout(LIMIT_S):
        results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, AcError):
            raise result
    return list(results)


async def test_fifty_clients_write_stage_commit_and_read(
    folder: RepositoryFolder, service: Service
) -> None:
    staged: dict[str, str] = {}
    commits: list[str] = []
    refused: list[str] = []

    async def client(number: int) -> None:
        for turn in range(ROUNDS):
            name = f"d{number % 5}/f{number}"
            await service.writes.write_file(name, f"{number} {turn}\n")
            assert await read_text(service.repository, name) == f"{number} {turn}\n"
            await service.writes.write_file("shared", f"{number} {turn}\n" * 1000)
            match number % 4:
                case 0:
                    await service.staging.stage_files([name])
                    staged[name] = f"{number} {turn}"
                case 1:
                    await service.staging.stage_all()
                    staged[name] = f"{number} {turn}"
                case 2:
                    await service.moves.rename_file(name, f"{name}.{turn}")
                case _:
                    tree = await file_tree(service.repository)
                    assert tree["conflicted"] == []
            try:
                commits.append((await service.staging.commit(f"{number} {turn}"))["sha"])
            except GitError as error:
                refused.append(error.message)

    async with asyncio.timeout(LIMIT_S):
        await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    assert all("Nothing is staged" in reason for reason in refused)
    assert len(commits) + len(refused) == CLIENTS * ROUNDS
    shared = (folder.root / "shared").read_text()
    assert len(set(shared.splitlines())) == 1
    assert len(shared.splitlines()) == 1000
    for number in range(CLIENTS):
        kept = folder.root / f"d{number % 5}/f{number}{f'.{ROUNDS - 1}' if number % 4 == 2 else ''}"
        assert kept.read_text() == f"{number} {ROUNDS - 1}\n"
    assert {name: folder.git("show", f":{name}") for name in staged} == staged
    require_sane(folder, commits)
    assert folder.git("rev-list", "--count", "HEAD") == str(1 + len(commits))


async def test_a_number_that_many_raise_loses_no_step(
    folder: RepositoryFolder, service: Service
) -> None:
    """Two services are two processes to each other: they share nothing but the disk."""
    services = (service, service_of(service.repository))
    reached: list[int] = []

    async def raise_it(one: Service) -> None:
        while len(reached) < 60:
            seen = await file_hash(one.repository, "counter")
            number = int(await read_text(one.repository, "counter"))
            try:
                written = await one.writes.write_file("counter", f"{number + 1}\n", seen)
            except Conflict:
                continue
            reached.append(number + 1)
            assert written["hash"] == hashlib.sha256(b"%d\n" % (number + 1)).hexdigest()

    async def keep_staging(one: Service) -> None:
        while len(reached) < 60:
            await one.staging.stage_all()
            await one.staging.unstage_files(["counter"])

    async with asyncio.timeout(LIMIT_S):
        await asyncio.gather(
            *(raise_it(services[number % 2]) for number in range(10)), keep_staging(service)
        )
    assert sorted(reached) == list(range(1, len(reached) + 1))
    assert (folder.root / "counter").read_text() == f"{len(reached)}\n"


async def test_a_write_is_not_lost_to_a_switch_of_branches(branches: RepositoryFolder) -> None:
    """git looks whether all is clean, then replaces; what was written between would be gone."""
    service = service_of(await discover(branches.root))
    other = service_of(service.repository)
    switched = 0
    for turn in range(16):
        name, text = f"n{random.randrange(len(MANY)):03}", f"mine {turn}\n"
        where = ("side", "main")[turn % 2]
        answer, written = await gathered(
            service.staging.checkout_branch(where),
            later(other.writes.write_file(name, text), 0.03),
        )
        assert isinstance(answer, dict)
        switched += "error" not in answer
        assert isinstance(written, dict)
        assert (branches.root / name).read_text() == text
        branches.git("reset", "-q", "--hard")
        branches.git("checkout", "-q", where)
    assert switched > 0
    require_sane(branches)


async def test_a_write_is_not_lost_to_a_review(branches: RepositoryFolder) -> None:
    service = service_of(await discover(branches.root))
    for turn in range(6):
        name, text = f"n{random.randrange(len(MANY)):03}", f"mine {turn}\n"
        begun, written = await gathered(
            service.review.checkout_review_parent("side"),
            later(service.writes.write_file(name, text), 0.03),
        )
        assert isinstance(written, dict)
        assert (branches.root / name).read_text() == text
        if isinstance(begun, dict) and "error" not in begun:
            text = f"{text}again\n"
            ended, _ = await gathered(
                service.review.exit_review_mode(),
                later(service.writes.write_file(name, text), 0.03),
            )
            assert isinstance(ended, dict)
            assert "error" not in ended
            kept = (branches.root / name).read_text() == text
            assert kept or branches.git("show", f"stash@{{0}}:{name}") + "\n" == text
        branches.git("reset", "-q", "--hard")
    assert branches.git("symbolic-ref", "HEAD") == "refs/heads/main"
    require_sane(branches)


async def test_a_folder_that_moves_takes_along_what_is_being_written_into_it(
    tmp_path: Path,
) -> None:
    """`git mv` would put it into a folder of the new name that has come into being meanwhile."""
    for turn in range(12):
        folder = make_repository(tmp_path / f"r{turn}", {f"d/n{n}": "1\n" for n in range(3)})
        service = service_of(await discover(folder.root))
        wanted = ["d/w0", "d/w1", "d/w2", "e/w3", "e/w4"]
        moved, *written = await gathered(
            service.moves.rename_directory("d", "e"),
            *(later(service.writes.write_file(name, f"{name}\n"), 0.02) for name in wanted),
        )
        assert isinstance(moved, dict | AlreadyExists)
        assert not (folder.root / "e/d").exists()
        assert (folder.root / ("e/n0" if isinstance(moved, dict) else "d/n0")).exists()
        for name, answer in zip(wanted, written, strict=True):
            assert isinstance(answer, dict)
            assert [found.read_text() for found in folder.root.rglob(name[2:])] == [f"{name}\n"]
        require_sane(folder)


async def test_deleting_discarding_and_resetting_meet_writes_in_some_order(
    folder: RepositoryFolder, service: Service
) -> None:
    first = hashlib.sha256(b"1\n").hexdigest()
    rivals: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: service.moves.delete_file("a"),
        lambda: service.staging.discard_changes(["a"]),
        service.staging.reset_hard,
        lambda: service.moves.rename_file("a", "b"),
        lambda: service.staging.stage_files(["a"]),
    )
    for turn in range(25):
        text = f"mine {turn}\n"
        left, right = await gathered(
            later(rivals[turn % 5](), 0.01),
            later(service.writes.write_file("a", text, first), 0.01),
        )
        assert isinstance(left, dict)
        wrote = isinstance(right, dict)
        assert wrote or isinstance(right, Conflict)
        found = (folder.root / "a").read_text() if (folder.root / "a").exists() else None
        moved = (folder.root / "b").read_text() if (folder.root / "b").exists() else None
        possible: dict[int, list[tuple[str | None, str | None]]] = {
            0: [(None, None)],
            1: [(text, None), ("1\n", None)],
            2: [(text, None), ("1\n", None)],
            3: [(None, text if wrote else "1\n")],
            4: [(text, None)],
        }
        assert (found, moved) in possible[turn % 5]
        require_sane(folder)
        folder.git("reset", "-q", "--hard")
        folder.git("clean", "-qfd")


async def test_anything_at_once_leaves_a_sane_repository(
    branches: RepositoryFolder,
) -> None:
    service = service_of(await discover(branches.root))
    staging, moves, writes = service.staging, service.moves, service.writes
    rng = random.Random(4)
    commits: list[str] = []
    faults: list[str] = []

    async def anything() -> None:
        name, other = f"n{rng.randrange(20):03}", f"p/q{rng.randrange(5)}/x"
        one, two = rng.sample([name, other, f"p/r{rng.randrange(5)}"], 2)
        folders = f"p/q{rng.randrange(5)}", f"p/r{rng.randrange(5)}"
        calls: list[Callable[[], Awaitable[object]]] = [
            lambda: writes.write_file(one, f"{rng.random()}\n"),
            lambda: writes.create_file(two, f"{rng.random()}\n"),
            lambda: moves.rename_file(one, two),
            lambda: moves.rename_directory(*folders),
            lambda: moves.delete_file(one),
            lambda: staging.stage_files([one]),
            staging.stage_all,
            lambda: staging.unstage_files([one, two]),
            lambda: staging.discard_changes([one, two]),
            staging.reset_hard,
            lambda: staging.commit("m"),
            lambda: staging.checkout_branch(rng.choice(["main", "side"])),
            lambda: file_tree(service.repository),
            lambda: is_clean(service.repository),
        ]
        try:
            answer = await rng.choice(calls)()
        except (NotFound, Conflict, AlreadyExists):
            return
        except AcError as error:
            faults.append(str(error))
            return
        if isinstance(answer, dict) and "sha" in answer and "message" in answer:
            commits.append(str(answer["sha"]))

    async def client() -> None:
        for _ in range(8):
            await anything()

    async with asyncio.timeout(LIMIT_S):
        await asyncio.gather(*(client() for _ in range(CLIENTS)))
    refusals = ("Nothing is staged", "`git switch` failed")
    unexpected = [fault for fault in faults if not any(text in fault for text in refusals)]
    assert all("is a folder" in fault or "isn't a folder" in fault for fault in unexpected), (
        unexpected
    )
    assert commits
    require_sane(branches, commits)
