"""A page without a browser: the script of a screen run for an address, and all that it says."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def shown(screen: str, **address: str) -> AppTest:
    """The page of an address, which must not fail."""
    lines = (
        "from dashboards.app.failing import guarded",
        f"from dashboards.app.screens import {screen}",
        f"guarded({screen}.show)()",
    )
    page = AppTest.from_string("\n".join(lines), default_timeout=120)
    for name, value in address.items():
        page.query_params[name] = value
    page.run()
    # What nobody expected is words on the page, too: see `dashboards.app.failing`.
    assert not page.exception and not any("Something went wrong" in error.value for error in page.error)
    return page


def said(page: AppTest) -> str:
    """All that Streamlit's own elements say."""
    kinds = (page.title, page.header, page.subheader, page.markdown, page.caption, page.text)
    kinds = (*kinds, page.warning, page.error, page.success, page.info)
    return "\n".join(str(element.value) for kind in kinds for element in kind)
