"""Figures for Prometheus, a registry of their own for every service."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Figures:
    """What is counted and measured."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "cornerwise_requests", "Requests answered", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "cornerwise_request_seconds",
            "Time to answer",
            ["route"],
            registry=self.registry,
            buckets=(0.005, 0.02, 0.1, 0.5, 2, 10, 60),
        )
        self.evaluations = Counter(
            "cornerwise_evaluations",
            "Evaluations by where they came from",
            ["source"],
            registry=self.registry,
        )
        self.waiting = Gauge(
            "cornerwise_evaluations_waiting", "Evaluations under way or waiting", registry=self.registry
        )
        self.jobs = Gauge(
            "cornerwise_jobs", "Jobs by kind and state", ["kind", "state"], registry=self.registry
        )

    def text(self, jobs: Mapping[tuple[str, str], int]) -> bytes:
        """All figures, with the present number of jobs."""
        self.jobs.clear()
        for (kind, state), number in jobs.items():
            self.jobs.labels(kind, state).set(number)
        return generate_latest(self.registry)
