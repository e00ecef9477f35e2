"""What can be set of the service: one table, read from the environment as `CORNERWISE_<NAME>`; README.md lists it."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

MIB = 1024 * 1024


class Settings(BaseSettings):
    """Settings of one service; its defaults are for one person on one machine."""

    model_config = SettingsConfigDict(env_prefix="CORNERWISE_", extra="ignore", frozen=True)

    library: Path = Field(default=Path("cornerwise-library"), description="folder of the library")
    host: str = Field(
        default="127.0.0.1", description="address to listen on; another than loopback needs keys"
    )
    port: int = Field(default=8321, ge=0, le=65535, description="port to listen on; 0: a free one")
    keys: Literal["auto", "on", "off"] = Field(
        default="auto", description="whether requests need a key; auto: unless the address is loopback"
    )
    rate_limit: str = Field(
        default="auto",
        description='requests of a key or an address, "1200/minute"; auto: that where keys are needed; off',
    )
    body_bytes: int = Field(default=4 * MIB, ge=1024, description="bytes of a request that is no upload")
    upload_bytes: int = Field(default=256 * MIB, ge=1024, description="bytes of an upload")
    upload_files: int = Field(default=200, ge=1, description="files of an upload")
    check_bytes: int = Field(default=8 * MIB, ge=1024, description="bytes of files that are only checked")
    expanded_bytes: int = Field(
        default=2048 * MIB, ge=1024, description="bytes that the files of an upload unpack to"
    )
    members: int = Field(default=100_000, ge=1, description="files that an upload unpacks to")
    queries: int = Field(default=1000, ge=1, description="queries of one analysis")
    positions: int = Field(default=100_000, ge=1, description="positions of one analysis")
    simulations: int = Field(default=1_000_000, ge=1, description="simulations of one evaluation")
    seconds: float = Field(default=60.0, gt=0, description="time limit of one evaluation")
    evaluators: int = Field(default=2, ge=1, le=64, description="evaluations at a time; others wait")
    waiting: int = Field(
        default=64, ge=1, description="evaluations that wait at most; more are refused with 503"
    )
    readers: int = Field(default=4, ge=1, le=64, description="questions to the library at a time")
    memory: str = Field(
        default="1GB", pattern=r"^[1-9][0-9]*(MB|GB)$", description="memory of all questions to the library"
    )
    cache: int = Field(default=10_000, ge=1, description="evaluations that are remembered")
    answer_bytes: int = Field(
        default=64_000_000, ge=0, description="bytes of answers about the library that are remembered"
    )
    import_processes: int = Field(default=1, ge=1, le=64, description="processes of an import job")
    judging_processes: int = Field(
        default=1, ge=1, le=64, description="processes of a judging or measuring job"
    )
    analysis_threads: int = Field(default=1, ge=1, le=64, description="threads of an analysis job")
    work: bool = Field(default=True, description="whether this service does jobs, and not only takes them")
    origins: str = Field(
        default="", description="origins of web pages that may ask, with commas between them; empty: none"
    )

    @field_validator("rate_limit")
    @classmethod
    def _is_rate(cls, value: str) -> str:
        from limits import parse

        if value not in ("auto", "off"):
            parse(value)
        return value

    @property
    def needs_keys(self) -> bool:
        """Whether a request needs a key."""
        return not is_loopback(self.host) if self.keys == "auto" else self.keys == "on"

    @property
    def rate(self) -> str | None:
        """The rate limit in force, None where there is none."""
        if self.rate_limit == "auto":
            return "1200/minute" if self.needs_keys else None
        return None if self.rate_limit == "off" else self.rate_limit


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
