from collections.abc import Mapping, Sequence

import pytest

from jupyter_ac.chat.files import ALL_WHOLE, Reading
from jupyter_ac.chat.open_notebooks import NONE_OPEN, OpenNotebook
from jupyter_ac.chat.turn.pipeline import run
from jupyter_ac.errors import Conflict, NotReady, ProviderAuth
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cell_selection import NotebookView
from tests.chat.memory import MemoryFiles, Recorder, World, open_world
from tests.chat.turn.stages import asked


async def test_a_turn_goes_through_its_stages() -> None:
    world, turn = open_world({"a.py": "1\n"}), asked("Why?", "1-a", "a.py")
    await run(turn, world.ports())
    assert world.history.steps == ["begin Why?", "keep_sent standard"]
    assert turn.gathered is not None
    assert [block.path for block in turn.request.sent] == ["a.py", None]
    assert turn.answers.outcome is not None
    assert turn.context.stream.text == "Hello world"


async def test_the_first_stage_that_raises_ends_the_turn() -> None:
    world, turn = open_world(), asked()
    world.choice = None
    with pytest.raises(NotReady):
        await run(turn, world.ports())
    assert (turn.gathered, world.model.requests) == (None, [])


async def test_what_a_stage_has_found_out_stays_when_a_later_one_fails() -> None:
    world, turn, follower = World(), asked(), Recorder()
    world.gate.open()
    world.model.error = ProviderAuth("The key is wrong.")
    turn.context.stream.follow("page", follower)
    with pytest.raises(ProviderAuth):
        await run(turn, world.ports())
    assert turn.gathered is not None
    assert turn.record.sent == turn.request.sent
    assert turn.context.stream.text == "Hello world"


VAULT = ExcludedPaths((RepoPath("vault"),))
OTHER = ExcludedPaths((RepoPath("other"),))


class ChangingFiles(MemoryFiles):
    """Files whose list is the next of these with each look at it, and stays the last one.

    The first is that of the first reading.
    """

    def __init__(self, *lists: ExcludedPaths) -> None:
        super().__init__({"a.py": "1\n"})
        self.not_sent, *self.further = lists
        self.readings = 0

    async def excluded(self) -> ExcludedPaths:
        if self.further:
            self.not_sent = self.further.pop(0)
        return self.not_sent

    async def read(
        self,
        paths: Sequence[RepoPath],
        notebooks: Mapping[RepoPath, OpenNotebook] = NONE_OPEN,
        views: Mapping[RepoPath, NotebookView] = ALL_WHOLE,
    ) -> Reading:
        self.readings += 1
        return await super().read(paths, notebooks, views)


@pytest.mark.parametrize("later", [VAULT, ExcludedPaths(number=2)])
async def test_what_is_excluded_while_the_request_is_made_has_it_made_anew(
    later: ExcludedPaths,
) -> None:
    files = ChangingFiles(NONE_EXCLUDED, later)
    world, turn = World(files=files), asked("Why?", "1-a", "a.py", "gone.py")
    world.gate.open()
    await run(turn, world.ports())
    assert files.readings == 2
    assert turn.gathered is not None
    reading = turn.gathered.reading
    assert (reading.excluded, reading.excluded.number) == (later, later.number)
    assert turn.context.notices == ["Not sent: gone.py"]
    assert len(world.model.requests) == 1


async def test_a_list_that_goes_on_changing_sends_nothing_and_says_so() -> None:
    files = ChangingFiles(NONE_EXCLUDED, *([VAULT, OTHER] * 4))
    world, turn = World(files=files), asked("Why?", "1-a", "a.py")
    world.gate.open()
    with pytest.raises(Conflict, match="Ask again"):
        await run(turn, world.ports())
    assert (files.readings, world.model.requests) == (3, [])
