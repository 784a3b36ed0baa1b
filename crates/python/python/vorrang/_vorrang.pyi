"""What the extension module has (`src/lib.rs`)."""

TOOL: str

Remark = tuple[str, str, int, int, str | None]

class Answer:
    """The result of a call: `json` and `text`, or why it `failed`."""

    json: str | None
    text: str
    exit: int
    warnings: list[Remark]
    refused: list[Remark] | None
    failed: str | None
    completed: bytes | None
    page: str | None
    figures: list[tuple[str, str]] | None

def run(arguments: list[str], name: str, text: bytes) -> Answer:
    """Run a verb on the text of a description that is called `name`."""

class Study:
    """A study that was read."""

    @staticmethod
    def read(name: str, text: bytes) -> tuple[Study | None, tuple[str, int] | None]:
        """The study of a text, or what is wrong with it."""

    @property
    def identity(self) -> str:
        """Identifies it and this version of vorrang."""

    @property
    def size(self) -> tuple[int, int, int]:
        """Points, samples at each, shards."""

    @property
    def columns(self) -> tuple[list[str], list[str]]:
        """Columns of the axes, and of the questions."""

    def shard(self, number: int, threads: int) -> bytes:
        """The file of one shard, on so many threads; 0: on all processors."""

    def description(self, point: int, index: int, ask: str) -> str:
        """One system as a description, as a question sees it."""

    def missing(self, folder: str) -> tuple[list[int], tuple[str, int] | None]:
        """The shards that are not in a folder; or why it cannot be the study's."""

    def publish(self, folder: str, number: int, bytes: bytes) -> tuple[str, int] | None:  # noqa: A002
        """Put a whole shard into a folder; why it cannot."""

class Columns:
    """Columns of the same length, with the PyCapsule interface of Arrow."""

    @property
    def column_names(self) -> list[str]:
        """Their names."""

    def __len__(self) -> int: ...
    def count(self, name: str) -> int | None:
        """How many values of a column are true, or not null."""

    def first(self, rows: int) -> list[list[str | None]]:
        """So many rows as text, or all of them if there are fewer."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

def batch(
    table: object, scheduler: str, bounds: bool, threads: int
) -> tuple[tuple[Columns, Columns | None] | None, tuple[str, int] | None]:
    """Verdicts and bounds of all sets of a table, on so many threads; 0: on all processors."""

def diff(was: str, is_: str, moved: int) -> tuple[str, str, int]:
    """Two documents of `check` compared: document, text and exit code."""

def fmt(text: str) -> str:
    """A description in TOML in its layout."""
