from pathlib import Path

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.database import HISTORY_FILE
from tests.chat.history.test_row_signatures import fill
from tests.support.histories import history_in


async def test_a_history_with_its_index_is_opened_again_as_it_is(tmp_path: Path) -> None:
    for _ in range(2):
        database = history_in(tmp_path)
        if not (tmp_path / HISTORY_FILE).exists():
            await fill(database)
        await HistoryArchive(database, "").prepare_search()
        assert database.notice is None
        await database.aclose()
