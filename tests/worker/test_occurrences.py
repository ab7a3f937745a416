from pathlib import Path

from jupyter_ac.index.occurrences.occurrence import from_row
from jupyter_ac.worker.occurrences import OccurrenceWorker


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
