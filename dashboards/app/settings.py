"""What can be set of the dashboard: read from the environment as `CORNERWISE_<NAME>`; README.md lists it."""

from __future__ import annotations

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
