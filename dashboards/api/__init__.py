"""The service: evaluations, imports and questions to a library over HTTP, see README.md here."""

from __future__ import annotations

from dashboards.api.app import create_app
from dashboards.api.settings import Settings

__all__ = ["Settings", "create_app"]
