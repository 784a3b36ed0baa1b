"""Executes the notebooks of the studies, and writes them as pages of the book.

python notebooks.py                      all of them, in full, into docs/studies
python notebooks.py vint                 one
python notebooks.py --keep FOLDER vint   its results stay in FOLDER; begun again, it goes on there

What a notebook is executed with stands in its cell with the tag `parameters`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "studies"
PAGES = ROOT / "docs" / "studies"


def executed(path: Path, folder: Path, parameters: str | None = None) -> Any:
    """A notebook with its outputs; `parameters` takes the place of its own, `folder` gets files."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, 4)
    (cell,) = (cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ()))
    cell.source = "\n".join(
        [parameters if parameters is not None else cell.source, f"RESULTS = {str(folder)!r}"]
    )
    resources = {"metadata": {"path": str(STUDIES)}}
    NotebookClient(notebook, timeout=None, resources=resources).execute()
    return notebook


def pictures(notebook: Any) -> list[str]:
    """All figures of an executed notebook, as SVG."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    found = (output.get("data", {}).get("image/svg+xml") for output in outputs)
    return [svg for svg in found if svg is not None]


def page(notebook: Any, name: str) -> str:
    """An executed notebook as Markdown; its figures are files beside it."""
    parts = []
    number = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        if "hidden" not in cell.metadata.get("tags", ()):
            source = cell.source.split("\nRESULTS = ")[0]
            parts.append(f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            if output.get("metadata", {}).get("vorrang") == "progress":
                continue
            if output.output_type == "stream":
                parts.append(f"```text\n{output.text.rstrip()}\n```")
            elif "image/svg+xml" in output.get("data", {}):
                number += 1
                parts.append(f"![Figure {number}]({name}-{number}.svg)")
            elif "text/plain" in output.get("data", {}):
                parts.append(f"```text\n{output.data['text/plain']}\n```")
    head = f"<!-- Written by crates/python/notebooks.py from studies/{name}.ipynb. -->"
    return head + "\n\n" + "\n\n".join(parts) + "\n"


def main() -> None:
    """Write the pages."""
    import argparse
    import tempfile

    arguments = argparse.ArgumentParser()
    arguments.add_argument("--keep", type=Path, metavar="FOLDER")
    arguments.add_argument("names", nargs="*", metavar="NAME")
    asked = arguments.parse_args()
    names = asked.names or sorted(path.stem for path in STUDIES.glob("*.ipynb"))
    PAGES.mkdir(exist_ok=True)
    for name in names:
        with tempfile.TemporaryDirectory() as temporary:
            folder = asked.keep.absolute() / name if asked.keep else Path(temporary)
            notebook = executed(STUDIES / f"{name}.ipynb", folder)
        (PAGES / f"{name}.md").write_text(page(notebook, name))
        for old in PAGES.glob(f"{name}-*.svg"):
            old.unlink()
        for number, svg in enumerate(pictures(notebook), 1):
            # The date is not part of the picture.
            text = re.sub(r"<dc:date>.*?</dc:date>", "", svg)
            (PAGES / f"{name}-{number}.svg").write_text(text)
        print(f"docs/studies/{name}.md")


if __name__ == "__main__":
    main()
