"""`%ac_status` in a real kernel, and its lines."""

from pathlib import Path

import pytest

from jupyter_ac.hosts.kernel.cell_questions import HostState
from jupyter_ac.hosts.kernel.kernel_status import host_lines
from jupyter_ac.version import __version__
from tests.hosts.kernel.environment import kernel_with
from tests.support.kernels import printed
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder


async def test_it_names_what_answers_and_how_long_the_conversation_is(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        first = printed(await kernel.run("%ac_status"))
        await kernel.run("%%ac\nWhat is this?")
        later = printed(await kernel.run("%ac_status"))
        wrong = printed(await kernel.run("%ac_status now"))
        await kernel.run("import os; os.mkdir('../nowhere'); os.chdir('../nowhere')")
        nowhere = printed(await kernel.run("%ac_status"))
    lines = first.splitlines()
    assert lines[:3] == [
        f"jupyter_ac    {__version__}",
        f"repository    {garden.root}",
        "model         openai/scripted",
    ]
    assert lines[3].startswith("host          jupyter ac stdio, process ")
    assert lines[4].endswith(", 0 messages")
    assert later.splitlines()[4].endswith(", 2 messages")
    assert first.splitlines()[3] == later.splitlines()[3]
    assert "takes nothing" in wrong
    assert "no git repository" in nowhere
    assert len(nowhere.splitlines()) == 2


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ({"name": "m/x", "demo": True}, "m/x (demo: nothing is sent)"),
        ({"name": "", "message": "No key."}, "none: No key."),
        ("nothing", "none: choose one in the settings"),
    ],
)
def test_a_model_that_is_special_or_lacking_is_described(model: object, words: str) -> None:
    values = {"model": model, "messages": [{}], "earlier": 0}
    assert host_lines(HostState(Path("/r"), None, values)) == [
        "repository    /r",
        f"model         {words}",
        "host          jupyter ac stdio",
        "conversation  none, 1 message",
    ]
