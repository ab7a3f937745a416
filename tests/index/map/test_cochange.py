from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.cochange import MAX_TOGETHER, CoChange, HistoryCommit, read_log

A, B, C = RepoPath("a.py"), RepoPath("b.py"), RepoPath("c.py")


def test_files_that_change_together_are_likely_to_again() -> None:
    history = CoChange([HistoryCommit(paths) for paths in ([A, B], [A, B], [A, C], [C])])
    together = history.together([A])
    assert together[B] > together[C] > 0
    assert history.together([RepoPath("new.py")]) == {}


def test_what_is_long_ago_counts_less() -> None:
    old = [HistoryCommit([RepoPath(f"x{at}.py")]) for at in range(400)]
    history = CoChange([HistoryCommit([A, B]), *old, HistoryCommit([A, C])])
    assert history.together([A])[B] > 2 * history.together([A])[C]
    assert history.activity[B] > history.activity[C]


def test_a_huge_commit_says_nothing() -> None:
    many = [RepoPath(f"f{at}.py") for at in range(MAX_TOGETHER)]
    assert CoChange([HistoryCommit([A, *many])]).together([A]) == {}


def test_the_subjects_of_a_files_commits_say_what_it_is_about() -> None:
    history = CoChange(
        [
            HistoryCommit([A], "draw circles"),
            HistoryCommit([B], "wait"),
            HistoryCommit([C, A], "drawing"),
        ]
    )
    told = history.told({"draw": 0.5, "circl": 0.5})
    assert told[A] > told[C] > 0
    assert B not in told
    assert history.told({}) == {}


def test_the_log_is_read_whatever_the_names_hold() -> None:
    data = b"\x01one\0\na b.py\0\xff.py\0\x01\0\x01two: \xff\0\n\nc.py\0\x02\n\0"
    assert read_log(data) == [
        (("a b.py", "\udcff.py"), "one"),
        ((), ""),
        (("\nc.py", "\x02\n"), "two: \udcff"),
    ]
    assert read_log(b"") == []
