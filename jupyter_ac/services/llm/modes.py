"""What is being worked on: code, or documents in a later release."""

from typing import Literal, TypedDict

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.refusal import Refusal


class ModeState(TypedDict):
    """The mode that is on. The members about documents are constants in this release."""

    mode: Literal["code"]
    doc_index_ready: bool
    doc_index_building: bool
    doc_index_enriched: bool
    enrichment_status: str
    cross_ref_ready: bool
    cross_ref_enabled: bool


class ModeSwitched(TypedDict):
    """The mode that is on now."""

    mode: Literal["code"]


class Modes:
    """The one mode that there is."""

    @method(Access.READ)
    def get_mode(self) -> ModeState:
        """Return the mode that is on, and how far the index of documents is."""
        return {
            "mode": "code",
            "doc_index_ready": False,
            "doc_index_building": False,
            "doc_index_enriched": False,
            "enrichment_status": "unavailable",
            "cross_ref_ready": False,
            "cross_ref_enabled": False,
        }

    @method(Access.WRITE)
    def switch_mode(self, mode: str) -> ModeSwitched | Refusal:
        """Switch to another mode, of which this release has `code` only."""
        if mode == "code":
            return {"mode": "code"}
        return {"error": f"There is no mode {mode[:64]!r} in this release; there is 'code'."}
