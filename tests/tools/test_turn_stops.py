"""A question's way through the code stays short enough to be followed by a reader."""

from tools.turn_stops import STAGES, count_stops

MOST_ON_THE_WAY = 26
MOST_IN_ASSEMBLE = 28


async def test_a_question_enters_few_functions_until_its_request_leaves() -> None:
    walk = await count_stops()
    assert walk.is_over
    names = [name for _, name in walk.way]
    assert names[0].endswith(".chat_streaming")
    assert {"Turns.start", "run", "ModelGateway.complete"} <= set(names)
    assert not [path for path, _ in walk.way if path in STAGES]
    assert len(walk.way) <= MOST_ON_THE_WAY, walk.way
    assert walk.assemble[0][1] == "assemble"
    assert len(walk.assemble) <= MOST_IN_ASSEMBLE, walk.assemble
