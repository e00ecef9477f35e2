"""The settings are what README.md says."""

from dashboards.app.settings import AppSettings
from tests.places import REPOSITORY


def test_the_readme_has_every_setting() -> None:
    text = (REPOSITORY / "dashboards" / "app" / "README.md").read_text(encoding="utf-8")
    shown = text.split("<!-- settings -->")[1].split("<!-- end of settings -->")[0].strip().splitlines()[2:]
    rows = []
    for name, field in AppSettings.model_fields.items():
        default = f" `{field.default}` " if str(field.default) else "  "
        rows.append(f"| `{name}` |{default}| {field.description} |")
    assert shown == rows
