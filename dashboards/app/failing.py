"""What a visitor sees when something fails: what, and the next step; never a traceback."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import streamlit as st
import structlog
from streamlit.runtime.scriptrunner import RerunException, StopException

from dashboards.app import links
from dashboards.app.words import plain_markdown, say
from engine.errors import EngineError
from notation.errors import NotationError
from notation.formats import FORMATS
from pipeline.errors import LibraryTooNew, LibraryTooOld, NotALibrary, PipelineError

EXPECTED = (PipelineError, NotationError, EngineError)


def guarded(page: Callable[[], None]) -> Callable[[], None]:
    """The page, with every failure turned into words and the next step."""

    def shown() -> None:
        try:
            page()
        except (RerunException, StopException):
            raise
        except NotALibrary:
            no_library()
        except LibraryTooNew:
            st.error(say("failure.too_new"))
        except LibraryTooOld:
            st.error(say("failure.too_old"))
        except EXPECTED as error:
            refused(error)
        except Exception:
            mark = uuid.uuid4().hex[:8]
            structlog.get_logger().exception("page failed", mark=mark)
            st.error(say("failure.unexpected", mark=mark))

    return shown


def refused(error: Exception) -> None:
    """Say what is wrong with what the visitor asked."""
    st.error(say("failure.refused", what=plain_markdown(str(error))))


def no_library() -> None:
    """The page of a library that is not there yet."""
    st.subheader(say("empty.title"))
    st.write(say("empty.about", n=len(FORMATS)))
    if st.button(say("empty.go"), type="primary"):
        links.go("library")
