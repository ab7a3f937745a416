"""The user's application settings: `app.json` in the configuration directory."""

from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.settings.executors import ExecutorSettings, check_executors
from jupyter_ac.settings.panels import PanelSettings, check_panels
from jupyter_ac.settings.schema import SettingsText, build

_COUNT: Final = {"least": 0, "most": 1_000_000_000}
_MAP: Final = {"least": 0, "most": 200_000}


@dataclass(frozen=True, slots=True)
class EditSettings:
    """Settings for applying the model's edits.

    Attributes:
        review: True keeps edits pending until the user accepts them.
        retries: how often a failed edit is requested again.
        apply_shifted: True applies an edit that matches one position except for indentation.
        max_file_bytes: larger files aren't edited.
    """

    review: bool = False
    retries: int = field(default=1, metadata={"least": 0, "most": 2})
    apply_shifted: bool = False
    max_file_bytes: int = field(default=5 * 1024 * 1024, metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """Settings for the list of files.

    Attributes:
        show_jupyter_files: True shows untracked files that Jupyter writes beside documents.
    """

    show_jupyter_files: bool = False


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """Settings for shortening long conversations; budgets in tokens.

    Attributes:
        compaction_trigger_tokens: a longer conversation is summarized.
        log_trigger_tokens: if conversation and copies of files are longer together, old copies are
            removed.
    """

    enabled: bool = True
    compaction_trigger_tokens: int = field(default=24000, metadata=_COUNT)
    log_trigger_tokens: int = field(default=60_000, metadata=_COUNT)
    verbatim_window_tokens: int = field(default=4000, metadata=_COUNT)
    summary_budget_tokens: int = field(default=500, metadata=_COUNT)
    min_verbatim_exchanges: int = field(default=2, metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class UrlSettings:
    """Settings for the web pages whose addresses are in questions.

    Attributes:
        fetch: `ask` fetches a page when the user asks for it, `auto` also those of a question when
            it is sent, `never` none.
    """

    fetch: str = field(default="ask", metadata={"words": ("ask", "auto", "never")})


@dataclass(frozen=True, slots=True)
class UrlCacheSettings:
    """Folder of the cache for fetched pages ("": the cache directory) and its lifetime in hours."""

    path: str = ""
    ttl_hours: float = field(default=24.0, metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class DocIndexSettings:
    """Settings for extracting keywords from documents."""

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
    """Settings for prompts.

    Attributes:
        profile: the prompt profile; `auto` selects it by the model.
        warn_usd: announce a turn whose prompt probably costs more; 0 for never.
        map_tokens: size of the repository map at the beginning of each prompt; 0 for none.
        ranked_tokens: size of the further repository context of a question; 0 for none.
    """

    profile: str = field(default="auto", metadata={"words": ("auto", "standard", "embedded")})
    warn_usd: float = field(default=0.5, metadata=_COUNT)
    map_tokens: int = field(default=5000, metadata=_MAP)
    ranked_tokens: int = field(default=1024, metadata=_MAP)


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """Settings for the kernels of notebooks.

    Attributes:
        run_cells: True lets the program ask to run cells; each still needs the user's approval.
    """

    run_cells: bool = False


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Settings for agents, which call tools; each limit is for one run.

    Attributes:
        max_steps: requests to the model.
        max_tokens: sent and received.
        max_usd: counts only where the model's price is known.
        max_minutes: without waits for the user.
        read_instructions: True sends the repository's `AGENTS.md` or `CLAUDE.md`.
    """

    max_steps: int = field(default=25, metadata={"least": 1, "most": 1000})
    max_tokens: int = field(default=400_000, metadata={"least": 1000, "most": 1_000_000_000})
    max_usd: float = field(default=1.0, metadata={"least": 0.01, "most": 10_000})
    max_minutes: int = field(default=15, metadata={"least": 1, "most": 1440})
    read_instructions: bool = True


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """Settings for plans, whose tasks work in copies of the repository.

    Attributes:
        worktree_links: files and folders that git ignores, such as `.venv`, to which each copy gets
            links.
        worktree_setup: a command that is run in each copy before the task, once the user has
            allowed it for the plan; "" for none.
    """

    worktree_links: tuple[str, ...] = field(default=(), metadata={"most": 100})
    worktree_setup: str = field(default="", metadata={"most": 2000})


@dataclass(frozen=True, slots=True)
class AppSettings:
    """The settings in `app.json`, with defaults."""

    edits: EditSettings = field(default_factory=EditSettings)
    files: FileSettings = field(default_factory=FileSettings)
    history_compaction: CompactionSettings = field(default_factory=CompactionSettings)
    urls: UrlSettings = field(default_factory=UrlSettings)
    url_cache: UrlCacheSettings = field(default_factory=UrlCacheSettings)
    doc_index: DocIndexSettings = field(default_factory=DocIndexSettings)
    prompt: PromptSettings = field(default_factory=PromptSettings)
    kernel: KernelSettings = field(default_factory=KernelSettings)
    agent: AgentSettings = field(default_factory=AgentSettings)
    plans: PlanSettings = field(default_factory=PlanSettings)
    executors: tuple[ExecutorSettings, ...] = field(default=(), metadata={"most": 20})
    panels: PanelSettings = field(default_factory=PanelSettings)


def read_app(source: SettingsText) -> AppSettings:
    """Read `app.json`; an empty one gives the defaults.

    Raises:
        BrokenSettings: it is invalid; the message names the line and the key.
    """
    settings = build(AppSettings, source)
    check_executors(settings.executors, source)
    check_panels(settings.panels, source)
    return settings
