"""The script that Streamlit runs for every visitor and every click: the pages and their frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboards.app.failing import guarded
from dashboards.app.words import say


@dataclass(frozen=True)
class Screen:
    """A page: its module in `dashboards.app.screens`, and an icon."""

    name: str
    icon: str

    def page(self) -> StreamlitPage:
        """The page as Streamlit knows it; its module is loaded when it is first shown."""
        return st.Page(
            guarded(self._shown()),
            title=say(f"pages.{self.name}"),
            icon=self.icon,
            url_path=self.name,
        )

    def _shown(self) -> Callable[[], None]:
        def show() -> None:
            import_module(f"dashboards.app.screens.{self.name}").show()

        show.__name__ = self.name
        return show


PAGES = {
    screen.name: screen
    for screen in (
        Screen("library", ":material/inventory_2:"),
        Screen("game", ":material/grid_on:"),
        Screen("openings", ":material/account_tree:"),
        Screen("position", ":material/edit_square:"),
        Screen("players", ":material/group:"),
        Screen("statistics", ":material/bar_chart:"),
        Screen("puzzles", ":material/extension:"),
    )
}
"""The pages by name, in the order of the menu."""

ROOM = """<style>
[data-testid=stMainBlockContainer] { padding-top: 4.5rem; padding-bottom: 3rem; }
@media (max-width: 640px) { [data-testid=stMainBlockContainer] { padding-left: 1rem; padding-right: 1rem; } }
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] p { color: inherit; opacity: 0.92; }
button:is([role=radio], [role=checkbox])[aria-checked=true] { color: inherit !important; font-weight: 600; }
</style>"""
"""Less room around the pages than Streamlit leaves, for boards need it; words that stand out from their ground."""


def _front() -> None:
    """The bare address: Streamlit gives its page no path, but ours shall all have one."""
    st.switch_page(PAGES["library"].page(), query_params=st.query_params.to_dict())


def main() -> None:
    """Show the page that the address names."""
    st.set_page_config(page_title=say("brand"), page_icon="🟦", layout="wide")
    st.html(ROOM)
    front = st.Page(_front, title=say("brand"), default=True, visibility="hidden")
    st.navigation([front, *(screen.page() for screen in PAGES.values())], position="top").run()


if __name__ == "__main__":
    main()
