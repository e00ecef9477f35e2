"""What can be set of the dashboard: read from the environment as `CORNERWISE_<NAME>`; README.md lists it."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class AppSettings(BaseSettings):
    """Settings of one dashboard; its defaults are for one person on one machine."""

    model_config = SettingsConfigDict(env_prefix="CORNERWISE_", extra="ignore", frozen=True)

    library: Path = Field(default=Path("cornerwise-library"), description="folder of the library")
    service: str = Field(
        default="", description="address of a service that does imports and analyses; empty: done here"
    )
    service_key: str = Field(default="", description="key for that service")
    language: str = Field(default="en", description="language of all texts")
    memory: str = Field(
        default="1GB", pattern=r"^[1-9][0-9]*(MB|GB)$", description="memory of all questions to the library"
    )


_NAMES = tuple(f"CORNERWISE_{name.upper()}" for name in AppSettings.model_fields)


def settings() -> AppSettings:
    """The settings of this process. Pages ask hundreds of times a click: they are read again when one has changed."""
    return _read(tuple(os.environ.get(name) for name in _NAMES))


@lru_cache(maxsize=4)
def _read(environment: tuple[str | None, ...]) -> AppSettings:
    return AppSettings()
