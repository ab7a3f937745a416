from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    question_block,
)
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.ids import RepoPath

HEAD = (Block(Category.SYSTEM, "Be kind."),)
FILE = file_block(RepoPath("a"), "1")


def test_the_order_is_system_log_news_question() -> None:
    past = Exchange((FILE, question_block("Why?")), answer_block("So."))
    prompt = Prompt(HEAD, (past,), (file_block(RepoPath("b"), "2"), question_block("And?")))
    assert prompt.messages() == [
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": [{"type": "text", "text": FILE.text}, {"type": "text", "text": "Why?"}],
        },
        {"role": "assistant", "content": "So."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "b\n```\n2\n```\n"},
                {"type": "text", "text": "And?"},
            ],
        },
    ]
    assert prompt.message_count == 4
    assert [block.text for block in prompt.blocks][-2:] == ["b\n```\n2\n```\n", "And?"]


def test_a_single_block_is_a_plain_string() -> None:
    prompt = Prompt(HEAD, (), (question_block("Why?"),))
    assert prompt.messages()[-1] == {"role": "user", "content": "Why?"}


def test_a_preview_without_news_and_question_has_no_last_message() -> None:
    assert Prompt(HEAD).message_count == len(Prompt(HEAD).messages()) == 1


def test_a_longer_log_only_adds_to_the_messages_before_it() -> None:
    first = Prompt(HEAD, (), (FILE, question_block("1")))
    exchange = Exchange(first.ask, answer_block("one"))
    second = Prompt(HEAD, (exchange,), (question_block("2"),))
    assert second.messages()[: first.message_count] == first.messages()


def test_files_that_are_carried_stand_before_the_news() -> None:
    prompt = Prompt(HEAD, (), (question_block("?"),), carried=(FILE,))
    assert prompt.messages()[-1]["content"] == [
        {"type": "text", "text": FILE.text},
        {"type": "text", "text": "?"},
    ]
    assert Prompt(HEAD, carried=(FILE,)).message_count == 2
