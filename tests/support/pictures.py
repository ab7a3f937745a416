"""Small images, and a large one."""

import base64
import struct
import zlib


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(noise: bytes = b"", colour: int = 0) -> bytes:
    """A PNG of one pixel, with `noise` in a chunk that nobody reads."""
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = _chunk(b"IDAT", zlib.compress(bytes([0, colour])))
    rest = _chunk(b"noIs", noise) if noise else b""
    return b"\x89PNG\r\n\x1a\n" + head + rest + body + _chunk(b"IEND", b"")


def png_of_size(size: int) -> bytes:
    """A PNG of exactly this many bytes."""
    return png(bytes(size - len(png(b"x")) + 1))


GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9"
WEBP = b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88"
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'


def uri(data: bytes, mime: str = "image/png") -> str:
    """A data URI that claims this kind."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"
