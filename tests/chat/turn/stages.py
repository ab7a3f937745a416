"""A turn taken through some of its stages, for tests of what they do."""

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.turn.admit import admit
from jupyter_ac.chat.turn.assemble import assemble
from jupyter_ac.chat.turn.fit import fit
from jupyter_ac.chat.turn.gather import gather, gather_again
from jupyter_ac.chat.turn.stream import stream
from jupyter_ac.chat.turn.turn import Gathered, Question, Turn
from jupyter_ac.ids import ConversationKey, RepoPath
from tests.chat.memory import ADA


def asked(question: str = "Why?", request_id: str = "1-a", *selection: str) -> Turn:
    """A turn of Ada's in a new conversation with these files selected."""
    conversation = Conversation(ConversationKey(ADA))
    conversation.selection = tuple(RepoPath(path) for path in selection)
    return asked_in(conversation, question, request_id)


def asked_in(conversation: Conversation, question: str, request_id: str) -> Turn:
    """A turn in a conversation."""
    return Turn.of(conversation, Question(request_id, question))


def gathered_for(turn: Turn) -> Gathered:
    """What a turn has gathered."""
    assert turn.gathered is not None
    return turn.gathered


async def admitted(turn: Turn, ports: TurnPorts) -> None:
    """Run `admit`."""
    await admit(turn.stored, turn.context.stream, ports, turn.context.source(ports.models))


async def prepared(turn: Turn, ports: TurnPorts) -> None:
    """Run `gather`, for a second answer what it does then, and `assemble`."""
    if turn.gathered is None:
        turn.gathered = await gather(turn.context, ports)
    else:
        turn.gathered = await gather_again(turn.context, turn.gathered, ports)
    turn.request = await assemble(turn.context, turn.gathered, turn.next)


async def fitting(turn: Turn) -> None:
    """Run `fit`."""
    await fit(gathered_for(turn), turn.request)


async def answered(turn: Turn, ports: TurnPorts) -> None:
    """Run `stream`."""
    await stream(turn, gathered_for(turn), ports)
