import gc

from jupyter_ac.hosts.gc_tuning import THRESHOLDS, spare_what_is_there


def test_what_is_there_is_passed_over_and_what_comes_later_is_not() -> None:
    class Ring:
        def __init__(self) -> None:
            self.me = self

    gc.unfreeze()
    usual = gc.get_threshold()
    before = Ring()
    try:
        spare_what_is_there()
        assert gc.get_threshold() == THRESHOLDS
        assert not any(each is before for each in gc.get_objects())
        assert any(each is later for later in [Ring()] for each in gc.get_objects())
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
    assert any(each is before for each in gc.get_objects())
