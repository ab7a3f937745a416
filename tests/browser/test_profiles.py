import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

from jupyter_ac.browser.profiles import PREFIX, Profile, remove_left, remove_stale

LONG_AGO = time.time() - 3600


def test_a_profile_is_private_and_goes_away(tmp_path: Path) -> None:
    profile = Profile.create(tmp_path)
    assert stat.S_IMODE(profile.path.stat().st_mode) == 0o700
    (profile.path / "Default").mkdir()
    (profile.path / "Default/Cookies").write_text("secret")
    assert profile.remove()
    assert list(tmp_path.iterdir()) == []
    assert profile.remove()


def test_a_profile_in_use_is_left_alone(tmp_path: Path) -> None:
    profile = Profile.create(tmp_path)
    os.utime(profile.path, (LONG_AGO, LONG_AGO))
    other = Profile.create(tmp_path)
    assert profile.path.exists()
    profile.remove()
    other.remove()


def test_the_profile_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    code = (
        "import os, sys, signal; from pathlib import Path; "
        "from jupyter_ac.browser.profiles import Profile; "
        "print(Profile.create(Path(sys.argv[1])).path, flush=True); "
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    left = Path(done.stdout.strip())
    assert left.is_dir()
    assert left.parent == tmp_path
    profile = Profile.create(tmp_path)
    assert not left.exists()
    profile.remove()


def test_a_young_folder_without_an_owner_may_be_in_the_making(tmp_path: Path) -> None:
    made = tmp_path / f"{PREFIX}made"
    made.mkdir()
    remove_stale(tmp_path)
    assert made.exists()
    os.utime(made, (LONG_AGO, LONG_AGO))
    remove_stale(tmp_path)
    assert not made.exists()


def test_folders_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to(target)
    (tmp_path / f"{PREFIX}file").write_text("")
    (tmp_path / f"{PREFIX}young").mkdir()
    trap = tmp_path / f"{PREFIX}trap"
    trap.mkdir()
    os.utime(trap, (LONG_AGO, LONG_AGO))
    (trap / ".jupyter-ac.lock").symlink_to(target / "made")
    before = sorted(path.name for path in tmp_path.iterdir())
    remove_stale(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert list(target.iterdir()) == []


def test_the_profile_of_a_killed_process_goes_when_its_browser_has_ended(tmp_path: Path) -> None:
    code = (
        "import os, sys, subprocess; from pathlib import Path; "
        "from jupyter_ac.browser.profiles import Profile; "
        "made = Profile.create(Path(sys.argv[1])); "
        "browser = subprocess.Popen(['sleep', '600'], pass_fds=(made.lock_fd,), stdout=2); "
        "print(browser.pid, os.getpid(), flush=True); "
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        timeout=90,
        check=False,
    )
    browser, owner = map(int, done.stdout.split())
    remove_stale(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    os.kill(browser, signal.SIGKILL)
    remove_left(owner, tmp_path)
    assert list(tmp_path.iterdir()) == []
    remove_left(owner, tmp_path)
