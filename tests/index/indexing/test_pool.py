import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import record_in
from jupyter_ac.index.indexing.file_reader import blob_hash
from jupyter_ac.index.indexing.pool import Job, Parsed, Pool
from tests.support.deadly_files import EXITING, KILLED, SILENT, SLOW, make_parsers_mortal
from tests.support.processes import wait_until_gone

LIMIT_S = 90.0


@asynccontextmanager
async def pool_of(root: Path, size: int = 2) -> AsyncIterator[Pool]:
    pool = Pool(str(root), size)
    try:
        yield pool
    finally:
        await asyncio.wait_for(pool.aclose(), LIMIT_S)


def written(root: Path, files: Mapping[str, str]) -> list[Job]:
    for path, content in files.items():
        (root / path).write_text(content)
    return [Job(RepoPath(path), "python", len(content)) for path, content in files.items()]


async def results(pool: Pool, jobs: Sequence[Job]) -> dict[str, Parsed]:
    found: dict[str, Parsed] = {}

    async def take(parsed: Sequence[Parsed]) -> None:
        found.update({row.path: row for row in parsed})

    async with asyncio.timeout(LIMIT_S):
        await pool.parse(jobs, take)
    return found


def names(row: Parsed) -> list[str]:
    return [symbol.name for symbol in record_in(row.packed).symbols]


async def test_files_are_parsed_whatever_their_number(tmp_path: Path) -> None:
    jobs = written(tmp_path, {f"bed_{at}.py": f"def fern_{at}(): ...\n" for at in range(150)})
    async with pool_of(tmp_path) as pool:
        assert await results(pool, []) == {}
        assert pool.pids == []
        found = await results(pool, jobs)
        assert len(found) == len(jobs)
        for at in range(150):
            row = found[f"bed_{at}.py"]
            assert row.blob == blob_hash(f"def fern_{at}(): ...\n".encode())
            assert names(row) == [f"fern_{at}"]
        assert len(pool.pids) == 1  # what comes after the parsing has the memory of the others
        await pool.rest()
        pids = pool.pids
        assert len(pids) == 1  # the next change finds it ready
    wait_until_gone(pids[0])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it in a file")
async def test_a_parser_that_has_grown_large_is_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.index.indexing.pool._LARGE_BYTES", 0)
    jobs = written(tmp_path, {f"bed_{at}.py": f"def fern_{at}(): ...\n" for at in range(150)})
    pids: set[int] = set()
    taken: list[str] = []
    async with pool_of(tmp_path, size=1) as pool:

        async def take(parsed: Sequence[Parsed]) -> None:
            taken.extend(row.path for row in parsed if not row.problem)
            pids.update(pool.pids)

        await asyncio.wait_for(pool.parse(jobs, take), LIMIT_S)
        assert pool.pids == []
    assert sorted(taken) == sorted(job.path for job in jobs)
    assert len(pids) == 2


async def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    async with pool_of(tmp_path) as pool:
        job = Job(RepoPath("missing.py"), "python", 1)
        assert (await results(pool, [job]))["missing.py"].problem == "No such file or directory"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (KILLED, "the parser was ended by SIGKILL"),
        (EXITING, "the parser ended with exit status 3"),
        (SLOW, "takes too long to parse"),
    ],
)
async def test_a_file_that_kills_its_parser_is_found_and_the_others_are_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, problem: str
) -> None:
    make_parsers_mortal(tmp_path / "site", monkeypatch)
    files = {f"bed_{at}.py": f"def fern_{at}(): ...\n" for at in range(20)}
    jobs = written(tmp_path, {**files, "bed_7.py": content})
    async with pool_of(tmp_path, 1) as pool:
        found = await results(pool, jobs)
        assert {path: row.problem for path, row in found.items() if row.problem} == {
            "bed_7.py": problem
        }
        assert found["bed_7.py"].is_deadly
        assert len(found) == len(jobs)
        assert names((await results(pool, jobs[:1]))["bed_0.py"]) == ["fern_0"]


async def test_nothing_is_put_down_to_a_file_whose_parser_was_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_parsers_mortal(tmp_path / "site", monkeypatch)
    monkeypatch.setattr("jupyter_ac.index.indexing.pool._BATCH_S", 1.0)
    jobs = written(tmp_path, {"silent.py": SILENT})
    async with pool_of(tmp_path, 1) as pool:
        found = await results(pool, jobs)
    assert found["silent.py"].problem == "the parser gave no answer"
    assert not found["silent.py"].is_deadly


async def test_a_parser_killed_from_outside_costs_no_file(tmp_path: Path) -> None:
    long = "".join(f"def fern_{at}(): ...\n" for at in range(2000))
    jobs = written(tmp_path, {f"bed_{at}.py": long for at in range(40)})
    async with pool_of(tmp_path) as pool:
        await pool.warm_up()
        parsing = asyncio.create_task(results(pool, jobs))
        await asyncio.sleep(0)
        for pid in pool.pids:
            os.kill(pid, signal.SIGKILL)
        found = await parsing
        assert len(found) == len(jobs)
        assert not [row for row in found.values() if row.problem]


async def test_parsers_give_way_to_what_answers_somebody(tmp_path: Path) -> None:
    jobs = written(tmp_path, {"a.py": "x = 1\n"})
    async with pool_of(tmp_path, 1) as pool:
        await results(pool, jobs)
        (pid,) = pool.pids
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, ours + 5)


async def test_a_parser_that_was_killed_while_it_was_idle_is_replaced(tmp_path: Path) -> None:
    jobs = written(tmp_path, {"a.py": "x = 1\n"})
    async with pool_of(tmp_path, 1) as pool:
        await pool.rest()
        (pid,) = pool.pids
        os.kill(pid, signal.SIGKILL)
        assert not (await results(pool, jobs))["a.py"].problem
        assert pool.pids != [pid]
