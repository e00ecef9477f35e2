"""A player that takes the biggest piece, the middle one of its placements; and as a program that speaks GTP."""

from __future__ import annotations

import sys

from dashboards.commands.engine_options import board_lines
from engine.geometry import geometry
from engine.position import Position
from engine.rulesets import Ruleset
from pipeline.gtp_session import GtpSession, Parts


class Greedy:
    def __init__(self, variant_id: str, rules: Ruleset, seed: int = 1) -> None:
        self._geometry = geometry(variant_id)
        self._seed = seed

    def choose(self, position: Position, simulations: int) -> int:
        colour = position.to_move
        assert colour is not None
        legal = position.legal_placements(colour).tolist()
        sizes = self._geometry.span[:, 1] - self._geometry.span[:, 0]
        most = max(sizes[p] for p in legal)
        best = [p for p in legal if sizes[p] == most]
        return int(best[(len(best) // 2 + self._seed * simulations) % len(best)])


def simulations(variant_id: str, budget: str | int) -> int:
    from engine.errors import EngineError

    if budget == "quick":
        return 100
    if not isinstance(budget, int) or not 0 < budget <= 10**8:
        raise EngineError(f"no budget: {budget}")
    return budget


PARTS = Parts(Greedy, simulations, board_lines, "0")


def session(variant_id: str = "duo", **settings: str) -> GtpSession:
    return GtpSession(PARTS, variant_id, "quick", 1, settings)


if __name__ == "__main__":
    variant_id, *rest = sys.argv[1:]
    served = GtpSession(PARTS, variant_id, int(rest[0]) if rest else "quick", 1, {})
    for line in sys.stdin:
        said = served.respond(line)
        if said is not None:
            print(said, end="", flush=True)
        if served.done:
            break
