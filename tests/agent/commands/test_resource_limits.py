import os
import resource
from pathlib import Path

from jupyter_ac.agent.commands.resource_limits import (
    MAX_PROCESSES,
    limit_memory,
    limited,
    memory_limit,
)
from tests.agent.commands.commanded import make_commanded

LIMITS = (
    "import resource as r; print(r.getrlimit(r.RLIMIT_DATA), r.getrlimit(r.RLIMIT_NPROC),"
    " r.getrlimit(r.RLIMIT_CORE))"
)
TOO_MUCH = "import sys; bytearray(int(sys.argv[1]))"


def test_a_process_may_have_most_of_what_there_is(tmp_path: Path) -> None:
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    missing = tmp_path / "memory.max"
    assert 0 < memory_limit(missing) <= whole
    missing.write_text("max\n")
    assert memory_limit(missing) == memory_limit(tmp_path / "nowhere")
    missing.write_text("1000000\n")
    assert memory_limit(missing) == 750_000


def test_processes_are_bounded_where_the_kernel_counts_those_of_a_sandbox_apart() -> None:
    line = limited(("make", "test"), lambda _path: True, "5.14.0-1-generic")
    assert line[1:] == [
        f"--data={memory_limit()}",
        "--core=0",
        f"--nproc={MAX_PROCESSES}",
        "--",
        "make",
        "test",
    ]
    assert not any("nproc" in one for one in limited(("make",), lambda _path: True, "5.4.0"))
    assert not any("nproc" in one for one in limited(("make",), lambda _path: True, "Darwin"))


def test_without_a_program_that_sets_them_there_are_no_bounds() -> None:
    assert limited(("make", "test"), lambda _path: False) == ["make", "test"]


def test_a_process_that_has_ended_is_no_error() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    limit_memory(2**22 + 1)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


async def test_in_the_sandbox_memory_and_processes_are_bounded(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    outcome = await commanded.sandboxed_python(LIMITS)
    size = memory_limit()
    bounds = f"({size}, {size}) ({MAX_PROCESSES}, {MAX_PROCESSES}) (0, 0)"
    assert outcome.output.strip() == bounds
    outcome = await commanded.sandboxed_python(TOO_MUCH, str(size + 1))
    assert (outcome.exit_code, "MemoryError" in outcome.output) == (1, True)


async def test_outside_of_it_memory_is_bounded(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    outcome = await commanded.python(TOO_MUCH, str(memory_limit() + 1))
    assert (outcome.exit_code, "MemoryError" in outcome.output) == (1, True)
    assert outcome.is_sandboxed is False
