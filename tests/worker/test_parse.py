import base64
from pathlib import Path

import pytest

from jupyter_ac.index.graph.record_codec import record_in
from jupyter_ac.index.indexing.file_reader import SHA1_DIGITS, blob_hash
from jupyter_ac.index.occurrences.occurrence import from_row
from jupyter_ac.worker import parse
from jupyter_ac.worker.parse import OccurrenceWorker, Parse


def test_each_file_is_answered_with_its_hash_and_record_or_a_reason(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def fern(): ...\n")
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    jobs = [["a.py", "python"], ["missing.py", "python"], ["link.py", "python"]]
    found, missing, link = Parse().files(str(tmp_path), SHA1_DIGITS, jobs)
    assert found[0] == blob_hash(b"def fern(): ...\n")
    record = record_in(base64.b64decode(found[1]))
    assert [symbol.name for symbol in record.symbols] == ["fern"]
    assert missing == ["", "", "No such file or directory"]
    assert link[:2] == ["", ""]
    assert link[2]


def test_a_fault_in_the_extraction_costs_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> None:
        raise RecursionError

    (tmp_path / "a.py").write_text("x")
    monkeypatch.setattr(parse, "parse", faulty)
    found = Parse().files(str(tmp_path), SHA1_DIGITS, [["a.py", "python"]])
    assert found == [["", "", "it can't be parsed (RecursionError)"]]


def test_names_are_found_in_files_as_they_are_on_disk(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n\nfunc Keep() { Keep() }\n")
    (tmp_path / "b.go").write_bytes(b"Keep" * (1 << 19))
    (tmp_path / "c.go").symlink_to(tmp_path / "a.go")
    root = str(tmp_path)
    files = [[name, "go", ["Keep"]] for name in ("a.go", "b.go", "c.go", "../a.go", "none.go")]
    found = OccurrenceWorker().occurrences_of(root, [*files, ["a.go", "go", ["Other"]], ["a.go"]])
    assert [len(rows) for rows in found] == [2, 0, 0, 0, 0, 0, 0]
    assert [from_row(row).column for row in found[0]] == [5, 14]
    seen = OccurrenceWorker().occurrence_at(root, "a.go", "go", "Keep", 3, 14)
    assert seen is not None
    assert from_row(seen).line == 3
    assert OccurrenceWorker().occurrence_at(root, "a.go", "go", "Keep", 1, 0) is None
    assert OccurrenceWorker().occurrence_at(root, "none.go", "go", "Keep", 1, 0) is None
