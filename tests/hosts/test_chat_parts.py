"""The chat of a repository, put together."""

from pathlib import Path

from jupyter_ac.events import FilesModified
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.chat_parts import ChatDependencies, chat_parts
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.store.state_paths import state_place
from tests.support.histories import history_in
from tests.support.repositories import make_repository


async def test_the_parts_work_on_one_repository_and_one_history(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": "x\n"})
    repository = await discover(folder.root)
    planner = ModelPlanner({}, tmp_path / "config", JupyterAC(), lambda: False)
    resources = HostResources()
    place = state_place(repository.common_dir)
    database = history_in(place.directory)
    try:
        ground = ChatDependencies(
            repository, resources, planner, LiveModel(planner), place, database
        )
        made = chat_parts(ground)
        conversation = await made.domain.book.open(ConversationKey(Identity("ada")))
        assert await made.domain.book.select(conversation, ["a.py", "gone"]) == ["a.py"]
        assert made.domain.repo_root == repository.root
        assert made.domain.ports.edits.applier is not None
        assert made.domain.ports.edits.exists("a.py")
        (folder.root / "a.py").write_text("y\n", encoding="utf-8")
        assert await made.own.others(["a.py"]) == ["a.py"]
        made.writers.audience.publish(FilesModified(["a.py"]))
        assert await made.own.others(["a.py"]) is None
        made.elsewhere.publish(FilesModified(["b.py"]))
        assert await made.own.others(["b.py"]) == ["b.py"]
    finally:
        await database.aclose()
        await resources.aclose()
