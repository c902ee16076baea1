"""The table of changed verdicts has every earlier entry, and a reason for every change."""

import pytest

from experiments.engine.store import ROOT
from paper_figures.claims import load_published
from paper_figures.history_page import page
from theory_checks import changes
from theory_checks.ledger import load

VERDICTS = {one.claim.id: one.verdict for one in load_published(ROOT)}


def test_every_entry_of_then_is_there_and_every_change_has_a_reason():
    rows = changes.changes(VERDICTS)
    assert len(rows) == len(changes.before()) == 211
    assert [one.claim for one in rows if one.old != one.new and not one.reason] == []
    text = page(load_published(ROOT))
    for one in rows:
        if one.old != one.new and one.reason != changes.PROVED:
            assert f"[{one.claim}](" in text or f"| `{one.claim}` | {one.old} | {one.new} |" in text, one.claim


def test_a_page_of_some_claims_has_no_changes_of_verdicts():
    """A report of some figures has these claims alone."""
    some = load_published(ROOT)[:3]
    assert "| then |" not in page(some)


def test_records_are_of_entries_that_stood_or_stand():
    assert changes.unknown(list(load())) == []


def test_a_verdict_that_changed_without_a_record_is_refused():
    silent = next(one.claim for one in changes.changes(VERDICTS) if not one.reason)
    with pytest.raises(KeyError, match="says nothing of why"):
        changes.changes({**VERDICTS, silent: "vacuous"})
    gone = {name: verdict for name, verdict in VERDICTS.items() if name != silent}
    with pytest.raises(KeyError, match="stands no more"):
        changes.changes(gone)
