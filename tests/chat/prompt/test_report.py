from dataclasses import replace

from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    note_block,
    question_block,
    summary_block,
)
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.maps import map_blocks, ranked_blocks
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.prompt.report import Weighed, report
from jupyter_ac.chat.prompt.tiers import RequestAges
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.tokens import Encoding

A, B = RepoPath("src/a.py"), RepoPath("b.py")
PROMPT = Prompt(
    (Block(Category.SYSTEM, "S" * 10),),
    (Exchange((file_block(A, "1"), question_block("q1")), answer_block("a1")),),
    (file_block(A, "22"), file_block(B, "3"), note_block(A, "note"), question_block("q2")),
)


def weighed(input_cost: float | None = None) -> Weighed:
    tokens = {block.sha256: len(block.text) for block in PROMPT.blocks}
    encoding = Encoding("cl100k_base", estimate=True)
    warnings = {B: ("It seems to contain a key.",)}
    return Weighed(PROMPT, tokens, encoding, input_cost, warnings, ages=RequestAges(1, 1))


def test_the_categories_and_the_overhead_add_up_to_the_total() -> None:
    found = report(weighed())
    rows = found["breakdown"]
    parts = [rows["system"], rows["files"], rows["history"], rows["question"], rows["overhead"]]
    total = sum(len(block.text) for block in PROMPT.blocks) + 4 * 4
    assert sum(parts) == found["total_tokens"] == total
    assert (found["messages"], found["message_overhead"], rows["history_messages"]) == (4, 4, 2)


def test_a_file_has_one_row_with_all_its_copies() -> None:
    rows = report(weighed())["breakdown"]
    first, second = rows["file_details"]
    copies = len(file_block(A, "1").text) + len(file_block(A, "22").text)
    assert (first["name"], first["path"], first["tokens"]) == ("a.py", A, copies)
    assert (first["in_log"], second["in_log"]) == (False, False)
    assert second["warnings"] == ["It seems to contain a key."]
    assert rows["file_count"] == 2


def test_a_file_of_which_nothing_is_new_is_in_the_log() -> None:
    prompt = Prompt(PROMPT.head, PROMPT.past, ())
    rows = report(Weighed(prompt, weighed().tokens, weighed().encoding))["breakdown"]
    assert [row["in_log"] for row in rows["file_details"]] == [True]


def test_the_blocks_list_every_block_by_type() -> None:
    tiers = report(weighed())["blocks"]
    assert [(tier["tier"], tier["count"]) for tier in tiers] == [
        ("L0", 1),
        ("L3", 2),
        ("active", 5),
    ]
    assert [row["type"] for tier in tiers for row in tier["contents"]] == [
        *("system", "files", "history", "history"),
        *("files", "files", "history", "question"),
    ]
    for tier in tiers:
        assert tier["tokens"] == sum(row["tokens"] for row in tier["contents"])


def test_questions_can_be_told_apart_and_a_summary_can_be_read() -> None:
    long = question_block("Why  so\n" + "long? " * 100)
    prompt = Prompt(
        (),
        (Exchange((summary_block("They spoke."),), answer_block("Good.")),),
        (long, PROMPT.ask[-1]),
    )
    tokens = {block.sha256: 1 for block in prompt.blocks}
    (new,) = report(Weighed(prompt, tokens, weighed().encoding))["blocks"]
    summary, answer, question, other = [row["text"] for row in new["contents"]]
    assert "They spoke." in summary
    assert question.startswith("Why so long? long?")
    assert len(question) == 80
    assert (answer, other) == ("", "q2")


def test_the_maps_of_head_log_and_question_are_counted_apart() -> None:
    code, doc = map_blocks("code", "Signs.", "a.py", 7), map_blocks("doc", "", "b.md", 2)
    ranked = ranked_blocks("near")
    past = (Exchange((*doc, question_block("q1")), answer_block("a1")),)
    prompt = Prompt((*PROMPT.head, *code), past, (question_block("q2"),), ranked=ranked)
    tokens = {block.sha256: len(block.text) for block in prompt.blocks}
    found = report(Weighed(prompt, tokens, weighed().encoding))
    rows = found["breakdown"]
    names = ("system", "legend", "symbol_map", "files", "history", "question", "overhead")
    assert sum(int(str(dict(rows)[name])) for name in names) == found["total_tokens"]
    assert rows["legend"] == len(code[0].text)
    assert rows["symbol_map"] == sum(len(block.text) for block in (code[1], *doc, *ranked))
    assert rows["symbol_map_files"] == 9
    assert [row["name"] for row in rows["symbol_map_details"]] == ["map", "map", "ranked_map"]
    types = [row["type"] for tier in found["blocks"] for row in tier["contents"]]
    assert types == [
        *("system", "legend", "symbols", "doc_symbols"),
        *("history", "history", "question", "symbols"),
    ]


def test_what_the_cache_served_is_marked_and_counted() -> None:
    found = report(replace(weighed(), ages=RequestAges(1, 1), read_blocks=2))
    head, young, active = found["blocks"]
    assert [tier["cached"] for tier in (head, young, active)] == [True, False, False]
    assert young["cached_tokens"] == young["contents"][0]["tokens"]
    assert [row["cached"] for row in young["contents"]] == [True, False]


def test_the_cost_is_known_when_the_price_is() -> None:
    assert report(weighed())["cost_usd"] is None
    found = report(weighed(0.5))
    assert found["cost_usd"] == found["total_tokens"] * 0.5


def test_a_warning_is_listed_with_its_path() -> None:
    found = report(weighed())
    assert found["warnings"] == [{"path": B, "message": "It seems to contain a key."}]
    assert (found["tokenizer"], found["estimate"]) == ("cl100k_base", True)
