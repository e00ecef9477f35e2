"""What this visitor has started: imports, each file once, measurings and judgings; how far they are, how they ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dashboards.app import links, working
from dashboards.app.library import jobs, outcome
from dashboards.app.library.looking import Dropped, How
from dashboards.app.words import plain_markdown, say, words
from dashboards.work import FINAL, Work, WorkRefused

LOOK = 0.7
"""Seconds between two looks at how far the work is."""

MINE = "library.started"


@dataclass
class Started:
    """Work of this visitor: its name, the files it is of, and the job that it has become, or why it has not."""

    title: str
    kind: str
    handing: Future[str]
    digests: frozenset[str] = frozenset()
    job: dict[str, Any] = field(default_factory=dict)
    refusal: WorkRefused | None = None
    away: bool = False

    @property
    def ended(self) -> bool:
        """Whether nothing will happen to it any more."""
        return self.refusal is not None or self.job.get("state") in FINAL

    @property
    def did_it(self) -> bool:
        """Whether it is done, and not failed or cancelled."""
        return self.job.get("state") == "done"

    def look(self) -> None:
        """See how far it is."""
        if self.ended or not self.handing.done():
            return
        self.away = False
        try:
            identity = self.handing.result()
            self.job = working.told(lambda work: work.job(identity))
        except WorkRefused as error:
            if error.code == working.AWAY and self.handing.exception() is None:
                self.away = True
            else:
                self.refusal = error


def mine() -> list[Started]:
    """What this visitor has started, in that order."""
    found: list[Started] = st.session_state.setdefault(MINE, [])
    return found


def state_of(digest: str) -> str:
    """What has become of a file of this visitor: new, under_way, done."""
    states = {
        "done" if one.did_it else "under_way"
        for one in mine()
        if digest in one.digests and (one.did_it or not one.ended)
    }
    return "done" if "done" in states else "under_way" if states else "new"


def begin_import(files: Sequence[Dropped], how: How) -> None:
    """Import files; those that are or have been imported for this visitor are left out."""
    new = [file for file in files if state_of(file.digest) == "new"]
    if not new:
        return
    content = [(file.name, file.content) for file in new]
    _begin(
        words().counted("library.import_title", len(new)) if len(new) > 1 else new[0].name,
        "import",
        lambda work: work.import_files(content, **how.settings()),
        frozenset(file.digest for file in new),
    )


def begin_measuring() -> None:
    """Measure all games that are not."""
    _begin(say("library.measuring"), "measure", lambda work: work.measure())


def begin_judging(ids: list[str] | None, budget: str, variant_id: str | None = None) -> None:
    """Judge games that are not; None: all, of a variant."""
    _begin(say("library.judging"), "judge", lambda work: work.judge(ids, budget, variant=variant_id))


def is_under_way(kind: str) -> bool:
    """Whether this visitor waits for work of a kind."""
    return any(one.kind == kind and not one.ended for one in mine())


def _begin(
    title: str, kind: str, start: Callable[[Work], str], digests: frozenset[str] = frozenset()
) -> None:
    mine().append(Started(title, kind, working.begun(start), digests))


def show() -> None:
    """What is under way, what has ended, and what the import of the address brought."""
    for one in mine():
        one.look()
    if any(not one.ended for one in mine()):
        _under_way()
    for number, one in enumerate(mine()):
        if one.ended and (one.kind != "import" or not one.did_it):
            _ended(number, one)
    if links.parameter("job"):
        outcome.show(links.parameter("job"))


@st.fragment(run_every=LOOK)
def _under_way() -> None:
    active = [one for one in mine() if not one.ended]
    for one in active:
        one.look()
    ended = [one for one in active if one.ended]
    if ended or not active:
        brought = [one.job["id"] for one in ended if one.kind == "import" and one.did_it]
        if brought:
            links.keep(job=brought[-1])
        st.rerun()
    for one in active:
        if one.away:
            st.warning(say("library.away_meanwhile"), icon=":material/cloud_off:")
        jobs.progress(one.title, one.job)


def _ended(number: int, one: Started) -> None:
    """How it ended, until that is read."""
    left, right = st.columns([12, 1], vertical_alignment="center")
    with left:
        if one.did_it:
            st.success(plain_markdown(jobs.did(one.job)), icon=":material/check:")
        else:
            why = str(one.refusal) if one.refusal else jobs.how_it_ended(one.job)
            step = jobs.next_step(
                one.refusal.code if one.refusal else one.job.get("code"), one.job.get("state")
            )
            text = f"**{plain_markdown(one.title)}:** {plain_markdown(why)}  \n{step}"
            if one.job.get("state") == "cancelled":
                st.info(text, icon=":material/cancel:")
            else:
                st.error(text, icon=":material/error:")
    right.button(
        say("library.read"),
        key=f"library.read.{number}",
        on_click=mine().remove,
        args=(one,),
        help=say("library.read_help"),
    )
