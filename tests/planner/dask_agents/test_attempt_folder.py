from pathlib import Path

from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.dask_agents.attempt_folder import Job, read_job, write_job


def test_a_job_is_read_as_it_was_written(tmp_path: Path) -> None:
    excluded = (RepoPath("vault"), RepoPath("not UTF-8 \udcff.py"))
    job = Job(
        "Do it.\nÄ 😀",
        "openai/x",
        ("make test", "pytest -q"),
        excluded,
        max_steps=3,
        max_usd=0.5,
    )
    write_job(tmp_path, job)
    assert read_job(tmp_path) == job
