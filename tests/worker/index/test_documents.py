import json
from pathlib import Path

from jupyter_ac.workers.process import Worker
from tests.support.index_worker import LIMIT_S, opened_index
from tests.support.repositories import make_repository

NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"id": "a", "cell_type": "markdown", "metadata": {}, "source": "# Look at the data"},
        {"id": "b", "cell_type": "code", "metadata": {}, "source": "1", "outputs": []},
    ],
}
FILES: dict[str, str | bytes] = {
    "README.md": "# Boats\n\nThe rudder and the keel; the rudder, the keel of `Boat`. More text.\n",
    "docs/guide.md": "# Guide\n\n[boats](../README.md#boats)\n",
    "docs/flow.svg": "<svg><title>Flow</title></svg>",
    "look.ipynb": json.dumps(NOTEBOOK),
    "boat.py": "class Boat: pass\n",
}


async def _enriched(worker: Worker) -> list[object]:
    stages: list[object] = []

    def note(event: object) -> None:
        assert isinstance(event, dict)
        stages.append(event["stage"].removeprefix("doc_enrichment_"))

    await worker.run("Index.enrich", on_event=note, timeout_s=LIMIT_S)
    return stages


async def test_documents_are_mapped_and_enriched_and_a_restart_knows_it_all(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", FILES).root
    async with opened_index(root, tmp_path / "c") as worker:
        status = await worker.call("Index.document_status", timeout_s=LIMIT_S)
        assert status == {
            "ready": True,
            "building": False,
            "enriched": False,
            "enrichment_status": "pending",
            "files": 0,
            "total": 3,
        }
        assert await _enriched(worker) == ["queued", *["file_done"] * 3, "complete"]
        drawn = await worker.call("Index.document_map", 1000, timeout_s=LIMIT_S)
        assert isinstance(drawn, dict)
        assert drawn["text"] == (
            "./\n README.md: Boats (rudder, keel, text) [readme] ←1\n"
            " look.ipynb: Look at the data [notebook, code] ~5\n"
            "docs/\n flow.svg: Flow\n guide.md: Guide [guide] →README.md#boats\n"
        )
        assert drawn["files"] == 4
        told = await worker.call("Index.hover", "boat.py", 1, 7, timeout_s=LIMIT_S)
        assert isinstance(told, dict)
        assert told["contents"].endswith("named in `README.md:3`")
        assert 0 < drawn["tokens"] <= 1000
    async with opened_index(root, tmp_path / "c") as worker:
        assert await _enriched(worker) == []
        assert await worker.call("Index.document_map", 1000, timeout_s=LIMIT_S) == drawn


async def test_a_map_waits_for_a_few_keywords_and_follows_changes(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", FILES).root
    async with opened_index(root, tmp_path / "c") as worker:
        first = await worker.call("Index.document_map", 1000, timeout_s=LIMIT_S)
        assert isinstance(first, dict)
        assert "(rudder" in first["text"]
        (root / "README.md").write_text("# Cars\n")
        (root / "docs/guide.md").unlink()
        await worker.run("Index.refresh", None, on_event=lambda _: None, timeout_s=LIMIT_S)
        second = await worker.call("Index.document_map", 1000, timeout_s=LIMIT_S)
        assert isinstance(second, dict)
        assert " README.md: Cars [readme]\n" in second["text"]
        assert "guide.md" not in second["text"]
        assert second["generation"] != first["generation"]
        status = await worker.call("Index.document_status", timeout_s=LIMIT_S)
        assert isinstance(status, dict)
        assert (status["enriched"], status["files"], status["total"]) == (True, 2, 2)


async def test_a_document_with_a_secret_or_that_git_does_not_track_has_no_keywords(
    tmp_path: Path,
) -> None:
    key = "sk-proj-" + "a1b2" * 6
    text = "# Notes\n\nThe harbour and the mooring; the harbour, the mooring.\n"
    files: dict[str, str | bytes] = {
        **FILES,
        "open.md": text,
        "notes.md": f"{text}\nkey: {key}\n",
        ".env.md": text,
    }
    folder = make_repository(tmp_path / "r", files)
    folder.write("loose.md", text)
    async with opened_index(folder.root, tmp_path / "c") as worker:
        await _enriched(worker)
        drawn = await worker.call("Index.document_map", 1000, timeout_s=LIMIT_S)
    assert isinstance(drawn, dict)
    assert "open.md: Notes (harbour, mooring" in drawn["text"]
    assert "notes.md: Notes [" in drawn["text"]
    assert "loose.md: Notes\n" in drawn["text"]
    assert ".env.md" not in drawn["text"]
