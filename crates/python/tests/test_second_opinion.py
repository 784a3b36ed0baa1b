from __future__ import annotations

import pytest

pytest.importorskip("response_time_analysis")

from second_opinion import BACKLOG, KINDS, ORDERS, compare


@pytest.mark.filterwarnings("ignore::vorrang.DescriptionWarning")
def test_another_analysis_has_the_same_bounds_but_for_known_reasons() -> None:
    """Ours is less where a task has jitter, an equal was ready later, or budget is left."""
    tally = compare(1, range(300), 20_000)
    budgets_kept = ["deferrable"]
    budgets_lost = [kind for kind in KINDS if kind not in budgets_kept]
    for order in ORDERS:
        assert all(tally.of("equal", [order], [kind]) > 0 for kind in KINDS)
    # Never more, and never other than theirs under EDF.
    assert tally.of("larger", ORDERS) == 0
    assert tally.of("jitter", ["edf"]) == tally.of("smaller", ["edf"]) == 0
    for order in ("fixed priority", "first come"):
        assert tally.of("smaller", [order], budgets_lost) == 0
    assert tally.of("jitter", ["fixed priority"]) > 0
    assert tally.of("smaller", ["some equal"]) > tally.of("reached", ["some equal"]) > 0
    # Theirs is for another rule where several jobs of a task wait: histories of ours exceed it.
    assert tally.of("larger", [BACKLOG]) >= tally.of("exceeded", [BACKLOG]) > 0
