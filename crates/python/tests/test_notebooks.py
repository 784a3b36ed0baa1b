"""The notebooks of the studies run, with few systems, and their figures show something."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
sys.path.insert(0, str(PACKAGE))

import notebooks  # noqa: E402

FEW = {
    "vint": "SAMPLES = 3",
    "servers": "SAMPLES, DESIGNS, STEPS = 3, 1, 40",
    "tightness": "SAMPLES, HISTORIES, FEW, DEEP = 2, 1, 1, (1, 2)",
}


def test_all_of_them_are_run() -> None:
    assert {path.stem for path in notebooks.STUDIES.glob("*.ipynb")} == set(FEW)


@pytest.mark.parametrize("name", FEW)
def test_a_notebook_runs_and_is_a_page(name: str, tmp_path: Path) -> None:
    pytest.importorskip("nbclient")
    notebook = notebooks.executed(notebooks.STUDIES / f"{name}.ipynb", tmp_path, FEW[name])
    figures = notebooks.pictures(notebook)
    assert figures
    assert all("<path" in figure for figure in figures)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    bars = [out for out in outputs if out.get("metadata", {}).get("vorrang") == "progress"]
    assert bars
    assert all("<progress value=" in bar["data"]["text/html"] for bar in bars)
    page = notebooks.page(notebook, name)
    assert " shards" not in page
    assert f"![Figure {len(figures)}]({name}-{len(figures)}.svg)" in page
    # What a page of the book says is what the notebook says.
    book = (notebooks.PAGES / f"{name}.md").read_text()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            assert cell.source in book, "write it anew: python crates/python/notebooks.py"
