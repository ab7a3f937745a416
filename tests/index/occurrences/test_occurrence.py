import pytest

from jupyter_ac.index.occurrences.occurrence import (
    NO_PLACE,
    NOWHERE,
    Occurrence,
    Origin,
    from_row,
    to_row,
)


def test_a_sight_comes_back_from_its_row() -> None:
    origin = Origin("", ("Store",), ("log",))
    member = Occurrence("get", 3, 4, is_member=True, local=NO_PLACE, origin=origin)
    local = Occurrence("x", 1, 0, is_member=False, local=(1, 0), origin=NOWHERE)
    for occurrence in (member, local):
        assert from_row(to_row(occurrence)) == occurrence
    assert not member.is_local
    assert local.is_local


@pytest.mark.parametrize("row", [[], ["a", 1], ["a", 1, 2, True, 0, 0, "", "", 5], [1] * 9])
def test_another_row_is_no_sight(row: list[object]) -> None:
    with pytest.raises(ValueError, match="no occurrence"):
        from_row(row)
