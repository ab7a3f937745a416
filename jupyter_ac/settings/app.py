"""The user's application settings: `app.json` in the configuration directory."""

from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.settings.schema import SettingsText, build

_COUNT: Final = {"least": 0, "most": 1_000_000_000}
_MAP: Final = {"least": 0, "most": 200_000}


@dataclass(frozen=True, slots=True)
class EditSettings:
    """How the model's edits are taken.

    Attributes:
        review: True keeps edits pending until the user accepts them.
        retries: how often a failed edit is asked for again.
        apply_shifted: True applies an edit that fits at one place but for its indentation.
        max_file_bytes: files longer than this aren't edited.
    """

    review: bool = False
    retries: int = field(default=1, metadata={"least": 0, "most": 2})
    apply_shifted: bool = False
    max_file_bytes: int = field(default=5 * 1024 * 1024, metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """Which files are shown.

    Attributes:
        show_jupyter_files: True shows untracked files that Jupyter writes beside documents.
    """

    show_jupyter_files: bool = False


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """When and how a long conversation is shortened; budgets in tokens.

    Attributes:
        compaction_trigger_tokens: talk that is longer is summarised.
        log_trigger_tokens: when talk and copies of files together are longer, old copies go.
    """

    enabled: bool = True
    compaction_trigger_tokens: int = field(default=24000, metadata=_COUNT)
    log_trigger_tokens: int = field(default=60_000, metadata=_COUNT)
    verbatim_window_tokens: int = field(default=4000, metadata=_COUNT)
    summary_budget_tokens: int = field(default=500, metadata=_COUNT)
    min_verbatim_exchanges: int = field(default=2, metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class UrlCacheSettings:
    """Where fetched pages are kept ("" = the cache directory) and for how many hours."""

    path: str = ""
    ttl_hours: float = field(default=24.0, metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class DocIndexSettings:
    """How keywords are found in documents."""

    keyword_model: str = ""
    keywords_enabled: bool = True
    keywords_top_n: int = field(default=3, metadata=_COUNT)
    keywords_ngram_range: tuple[int, ...] = (1, 2)
    keywords_min_section_chars: int = field(default=50, metadata=_COUNT)
    keywords_min_score: float = 0.3
    keywords_diversity: float = 0.5
    keywords_tfidf_fallback_chars: int = field(default=150, metadata=_COUNT)
    keywords_max_doc_freq: float = 0.6


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """How prompts are made.

    Attributes:
        profile: which profile is used; `auto` takes it from the model.
        warn_usd: a turn whose prompt is likely to cost more is announced; 0 for never.
        map_tokens: of the map of the repository at the head of each prompt; 0 for none.
        ranked_tokens: of what else of the repository goes out behind a question; 0 for none.
    """

    profile: str = field(default="auto", metadata={"words": ("auto", "standard", "embedded")})
    warn_usd: float = field(default=0.5, metadata=_COUNT)
    map_tokens: int = field(default=5000, metadata=_MAP)
    ranked_tokens: int = field(default=1024, metadata=_MAP)


@dataclass(frozen=True, slots=True)
class AppSettings:
    """What `app.json` says, defaults filled in."""

    edits: EditSettings = field(default_factory=EditSettings)
    files: FileSettings = field(default_factory=FileSettings)
    history_compaction: CompactionSettings = field(default_factory=CompactionSettings)
    url_cache: UrlCacheSettings = field(default_factory=UrlCacheSettings)
    doc_index: DocIndexSettings = field(default_factory=DocIndexSettings)
    prompt: PromptSettings = field(default_factory=PromptSettings)


def read_app(source: SettingsText) -> AppSettings:
    """Return what `app.json` says; an empty one keeps every default.

    Raises:
        BrokenSettings: it can't be used; the message names the line and the key.
    """
    return build(AppSettings, source)
