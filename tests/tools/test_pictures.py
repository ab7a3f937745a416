"""The pictures of the docs are taken by a script; here what it makes of frames."""

import io
from pathlib import Path

from PIL import Image
from PIL.WebPImagePlugin import WebPImageFile

from tools.pictures import LAST_FRAME_S, Frame, write_animation

SIZE = (40, 20)


def frame(red: int, time_s: float) -> Frame:
    file = io.BytesIO()
    Image.new("RGB", SIZE, (red, 0, 0)).save(file, format="PNG")
    return Frame(file.getvalue(), time_s)


def test_frames_become_one_animation_at_their_pace(tmp_path: Path) -> None:
    path = tmp_path / "a.webp"
    write_animation([frame(0, 7.0), frame(120, 7.25), frame(240, 8.0)], path)
    with Image.open(path) as found:
        assert isinstance(found, WebPImageFile)
        assert (found.size, found.n_frames, found.info["loop"]) == (SIZE, 3, 0)
        durations = []
        for number in range(3):
            found.seek(number)
            found.load()
            durations.append(found.info["duration"])
        assert durations == [250, 750, LAST_FRAME_S * 1000]
