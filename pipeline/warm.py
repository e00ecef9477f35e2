"""Imported once by the server that worker processes are forked from: everything they need, kernels loaded."""

import pipeline.unit  # noqa: F401
from engine.replay import Script, replay_scripts
from engine.rulesets import default_rules

replay_scripts("duo", default_rules("duo"), [Script([])])
