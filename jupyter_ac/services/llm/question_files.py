"""RPC method for the files that were ticked when an earlier question was asked."""

from jupyter_ac.chat.auto_selection import AutoSelectionRule, Grounds
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.context_rows import LeftOutFile, QuestionFiles
from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method


class QuestionFileMethods:
    """What a page offers to tick again when an earlier question is asked anew.

    Args:
        book: the conversations.
        rule: which files the program may offer.
    """

    def __init__(self, book: ConversationRegistry, rule: AutoSelectionRule) -> None:
        self._conversations = book
        self._rule = rule

    @method(Access.READ, refusal=Refusal)
    async def get_question_files(self, request_id: str) -> QuestionFiles:
        """List the files that were ticked when a question was asked and aren't now.

        Those that are gone, excluded, ignored by git or look like secrets are left out, with the
        reason. Nothing is ticked by this. It isn't known of questions that were asked by older
        versions, or with more than 200 ticked files.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        session = conversation.session
        session.require_own()
        turn = session.turn(request_id)
        if turn is None:
            raise NotFound(
                f"There is no question {request_id[:64]!r} in this conversation; reload the page."
            )
        ticked = set(conversation.selection)
        wanted = [path for path in turn.ticked if path not in ticked]
        files: list[str] = []
        left_out: list[LeftOutFile] = []
        for path, verdict in (await self._rule.judge(wanted, Grounds.TICKED)).items():
            reason = verdict.reason or ("" if verdict.is_file else "it is gone")
            if reason:
                left_out.append({"path": path, "reason": reason})
            else:
                files.append(path)
        return {"files": files, "left_out": left_out}
