from contextlib import closing

from jupyter_ac.chat.history import removals
from jupyter_ac.chat.history.lineage import LineagePart
from jupyter_ac.chat.prompt.log_removals import Removal
from tests.support.histories import history_in_memory


def test_removals_are_read_in_order_up_to_a_moment_and_unknown_ones_left_out() -> None:
    with closing(history_in_memory()) as db:
        made = [Removal("trim", "t", created_ms=at) for at in (1, 2, 3)]
        for removal in made:
            removals.add(db, "s", removal)
        removals.add(db, "other", made[0])
        db.execute("UPDATE removals SET kind = 'later' WHERE created_ms = 2")
        assert removals.read(db, LineagePart("s")) == (made[0], made[2])
        assert removals.read(db, LineagePart("s", until_ms=2)) == (made[0],)
