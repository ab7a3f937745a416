"""Every decoder with hostile inputs: 20,000 in each run, 1,000,000 in `make soak`.

Inputs are made of the files in `corpus/`. One that fails is kept under `.cache/fuzz/`; moved into
`corpus/`, it is tried in every run from then on. `python -m tests.fuzz.guided NAME` searches by
coverage, where atheris can be installed.
"""

import asyncio
import gc
import hashlib
import logging
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from tests.fuzz.byte_targets import Cut, any_pieces, small_pieces
from tests.fuzz.corpus import seeds
from tests.fuzz.mutations import Mutator
from tests.fuzz.targets import TARGETS, Check, check_of

USUAL = 20_000
MANY = 1_000_000
SEED = "JUPYTER_AC_FUZZ_SEED"
KEPT = Path(__file__).parents[2] / ".cache" / "fuzz"

logger = logging.getLogger(__name__)
names = pytest.mark.parametrize("name", TARGETS)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Make no log lines of refused calls, a million times."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


@contextmanager
def checking(name: str, cut: Cut = any_pieces) -> Iterator[Check]:
    loop = asyncio.new_event_loop()
    try:
        yield check_of(name, loop, cut)
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def attempt(name: str, check: Check, data: bytes, seed: str) -> None:
    try:
        check(data)
    except BaseException as error:
        KEPT.mkdir(parents=True, exist_ok=True)
        kept = KEPT / f"{TARGETS[name]}-{hashlib.sha256(data).hexdigest()[:12]}"
        kept.write_bytes(data)
        error.add_note(f"{name}, {SEED}={seed}, {len(data)} bytes in {kept}: {data[:300]!r}")
        raise


def fuzz(name: str, count: int, seed: str) -> tuple[float, int]:
    """Check inputs; give the longest time, in milliseconds, and the size of that input."""
    inputs = Mutator(seeds(TARGETS[name]), random.Random(f"{seed} {name}"))
    longest = (0.0, 0)
    with checking(name) as check:
        for _ in range(count):
            data = inputs.next()
            began = time.perf_counter()
            attempt(name, check, data, seed)
            longest = max(longest, ((time.perf_counter() - began) * 1e3, len(data)))
    return longest


@names
def test_each_kept_input(name: str) -> None:
    with checking(name) as check:
        for data in seeds(TARGETS[name]):
            attempt(name, check, data, "-")


@pytest.mark.slow
@names
def test_thousands_of_inputs(name: str) -> None:
    fuzz(name, USUAL // len(TARGETS), os.environ.get(SEED, "1"))


@pytest.mark.soak
@pytest.mark.timeout(7200)
@names
def test_a_million_inputs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed = os.environ.get(SEED) or str(random.SystemRandom().randrange(1 << 32))
    count = MANY // len(TARGETS)
    longest_ms, size = fuzz(name, count, seed)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name}: {count} inputs, the longest {longest_ms:.1f} ms ({size} bytes)\n"
        )


@names
def test_nothing_is_left_behind(name: str) -> None:
    """The same inputs again and again leave the memory as it was."""
    inputs = Mutator(seeds(TARGETS[name]), random.Random(name))
    round_of = [data for data in (inputs.next() for _ in range(250)) if len(data) < 1 << 16]
    held: list[int] = []
    with checking(name) as check:
        for _ in range(6):
            for data in round_of:
                attempt(name, check, data, "-")
            gc.collect()
            held.append(sys.getallocatedblocks())
    # A block left by each input would be twice as much. Python's cache of methods keeps up to 4096
    # names, of which class patterns make new ones.
    assert min(held[-2:]) - held[2] < len(round_of), held


def calls_of(work: Callable[[], None]) -> int:
    """Count the calls, of functions in C too, that something makes."""
    count = 0

    def seen(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


# Even the smaller arrays have more than 64 KiB: from there on threads check signatures.
UNKNOWN = b'{"jsonrpc":"2.0","id":1,"method":"T.there_is_nothing_of_this_name"}'
WAITING = b'{"jsonrpc":"2.0","id":1,"method":"T.wait","params":[]}'
CANCELLING = b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'
GROWING: dict[str, Callable[[int], bytes]] = {
    "deep": lambda size: b'{"jsonrpc":"2.0","id":1,"method":"T.echo","params":' + b"[" * size,
    "deep with an escape": lambda size: b'["\\ud800",' + b"[" * size + b"]" * size + b"]",
    "batch": lambda size: b"[" + b",".join([UNKNOWN] * size) + b"]",
    "batch of waiting calls that are cancelled": lambda size: (
        b"[" + b",".join([WAITING] * size) + b"," + b",".join([CANCELLING] * size) + b"]"
    ),
    "byte order marks": lambda size: b"\xef\xbb\xbf" * size,
    "lines": lambda size: b"x\n" * size,
    "blanks": lambda size: b'["a",' + b"] " * size,
    "events": lambda size: b"data: x\n\n" * size,
    "data of an event": lambda size: b"data: x\n" * size + b"\n",
    "returns": lambda size: b"\r" * size,
    "early parts": lambda size: (
        b'[{"type":"relay","link":"a","ack":0,"seq":2,"frames":[' + b'"x",' * size + b'"x"]}]'
    ),
    "small frames": lambda size: b"\x81\x81\x00\x00\x00\x00x" * size,
    "pings": lambda size: b"\x89\x80\x00\x00\x00\x00" * size,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", GROWING)
@names
def test_work_grows_with_the_size_and_no_faster(name: str, kind: str) -> None:
    with checking(name, small_pieces) as check:
        check(GROWING[kind](10))  # loads what is loaded at the first use
        small = calls_of(lambda: check(GROWING[kind](1000)))
        large = calls_of(lambda: check(GROWING[kind](4000)))
    assert large < 6 * small + 2000, (small, large)
