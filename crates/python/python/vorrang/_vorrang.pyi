"""What the extension module has (`src/lib.rs`)."""

TOOL: str

Remark = tuple[str, str, int, int, str | None]

class Answer:
    """What a call comes to: `json` and `text`, or that it `failed`."""

    json: str | None
    text: str
    exit: int
    warnings: list[Remark]
    refused: list[Remark] | None
    failed: str | None
    completed: bytes | None

def run(arguments: list[str], name: str, text: bytes) -> Answer:
    """Run a verb on the text of a description that is called `name`."""
