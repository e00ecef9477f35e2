"""Writes games of classic_2 as the Software-Challenge's referee does: a state after every move, then the result.

No replay of a real match is public, so this follows the published grammar of both seasons, with their oddities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from xml.sax.saxutils import quoteattr

from engine.boards import cells
from engine.errors import IllegalMove
from engine.position import Position
from engine.rulesets import parse_rules
from engine.scoring import points
from notation.record import GameRecord, Move, Out, Pass
from notation.software_challenge_codes import COLOURS, VARIANT, kinds, move_of, shapes

TEAMS = ("ONE", "TWO")
CAUSES = {"abandoned": "LEFT", "violation": "RULE_VIOLATION", "time": "SOFT_TIMEOUT", "resigned": "LEFT"}
GERMAN = {
    "abandoned": "{} hat das Spiel verlassen: DISCONNECTED",
    "resigned": "{} hat das Spiel verlassen: DISCONNECTED",
    "violation": "Regelverletzung von {}: Der gewählte Stein wurde bereits gesetzt",
    "time": "{} hat fuer die Antwort auf die Zugaufforderung laenger als 2 Sekunden gebraucht.",
}
Spelling = tuple[str, str, bool, int, int]
"""Kind, rotation, flipped, corner of the bounding box (x, y down)."""


@dataclass(frozen=True)
class Style:
    """What servers and clients do differently."""

    room: str = "cb3bc426-5c70-48b9-9307-943bc328b503"
    spelling: int = 0  # which of the ways to name a placement
    aliases: bool = False  # setmove for sc.plugin2021.SetMove
    flipped: str = "isFlipped"
    nameless_skips: bool = False
    early: bool = False  # orderedColors, startColor and fields of the first weeks of 2021
    breaks: bool = True  # line ends between elements
    repeats: int = 1  # how often every state is sent
    frozen_turns: bool = False  # the turn does not count colours that have vanished
    stale_states: bool = False  # a state for every turn that goes by, with the last move of before
    requests: bool = False  # requests for moves and the answers stand in the protocol
    result: bool = True
    hard: bool = False  # a timeout is the hard one
    start_piece: str | None = None
    error: str = ""


@cache
def spellings() -> dict[int, list[Spelling]]:
    """Placement -> all ways to name it."""
    out: dict[int, list[Spelling]] = {}
    for (kind, rotation, flipped), shape in shapes().items():
        for x in range(20 - max(dx for dx, _ in shape)):
            for y in range(20 - max(dy for _, dy in shape)):
                move = move_of("BLUE", kind, rotation, str(flipped).lower(), str(x), str(y))
                out.setdefault(move.placement, []).append((kind, rotation, flipped, x, y))
    return out


def spelling_of(move: Move, number: int = 0) -> Spelling:
    """One of the ways to name a placement; cells that are none are written as a piece over the border."""
    if move.placement < 0:
        return ("PENTO_V", "NONE", False, 19, 19)
    ways = spellings()[move.placement]
    return ways[number % len(ways)]


def start_piece_of(record: GameRecord) -> str:
    """Kind of the first placement."""
    return next((spelling_of(e)[0] for e in record.events if isinstance(e, Move)), "PENTO_V")


@dataclass
class Referee:
    """Keeps the turn as the server does: a colour is asked for a move unless it has vanished."""

    style: Style
    position: Position = field(
        default_factory=lambda: Position(
            VARIANT, parse_rules(VARIANT, {"start": "any_border", "pass": "voluntary"})
        )
    )
    turn: int = 0
    active: int = 0
    valid: list[int] = field(default_factory=lambda: list(range(4)))
    last: str = ""
    lost: bool = False  # after an illegal move nobody knows who can move
    used: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    board: dict[int, int] = field(default_factory=dict)
    skipped: int = 0

    def play(self, event: Move | Pass, kind: str) -> None:
        if isinstance(event, Move):
            self.used[event.colour].append(kind)
            self.board |= dict.fromkeys(event.cells, event.colour)
        if not self.lost:
            try:
                if isinstance(event, Move):
                    self.position.play(event.colour, event.cells or (-1,))
                else:
                    self.position.pass_turn(event.colour)
            except IllegalMove:
                self.lost = True
        self.advance()

    def advance(self) -> None:
        self.skipped = 0
        self.step()
        while self.valid and not self.lost and self.position.mobility(self.active) == 0:
            self.valid.remove(self.active)
            if self.valid:
                self.step()

    def step(self) -> None:
        """On to the next colour that has not vanished."""
        first = True
        while first or self.active not in self.valid:
            self.active = (self.active + 1) % 4
            self.turn += first or not self.style.frozen_turns
            self.skipped += not first
            first = False


def replay_xml(record: GameRecord, season: int = 2027, style: Style | None = None) -> bytes:
    """A game as the replay of a season, 2021 or 2027, in UTF-8.

    Passes of colours that cannot move are not written; a colour that lets its turn go by though it could move sends a
    SkipMove. Who left the game is in the result.
    """
    style = style or Style()
    referee = Referee(style)
    parts = [_state(record, season, style, referee)]
    for event in record.events:
        if isinstance(event, Out):
            continue
        if isinstance(event, Pass) and event.colour not in referee.valid:
            continue
        while event.colour in referee.valid and referee.active != event.colour and not referee.lost:
            parts += _turn(record, season, style, referee, Pass(referee.active))
        parts += _turn(record, season, style, referee, event)
    if style.error:
        parts.append(
            f'<data class="error" message={quoteattr(style.error)}><originalMessage class="x"/></data>'
        )
    if style.result:
        parts.append(_result(record, season, style, referee))
    rooms = [f"<room roomId={quoteattr(style.room)}>{part}</room>" for part in parts]
    text = "".join(["<protocol>", *rooms, "</protocol>"])
    return (text.replace("><", ">\n<") if style.breaks else text).encode()


def _turn(
    record: GameRecord, season: int, style: Style, referee: Referee, event: Move | Pass
) -> Iterator[str]:
    spelt = spelling_of(event, style.spelling) if isinstance(event, Move) else None
    if style.requests:
        yield f'<data class="{"sc.framework.plugins.protocol.MoveRequest" if season == 2021 else "moveRequest"}"/>'
        yield _move("data", event, spelt, season, style)
    before = referee.turn
    referee.last = _move("lastMove", event, spelt, season, style)
    referee.play(event, spelt[0] if spelt else "")
    if style.stale_states and not style.frozen_turns:
        after = referee.turn
        for referee.turn in range(before + 1, after):
            yield _state(record, season, style, referee)
        referee.turn = after
    for _ in range(style.repeats):
        yield _state(record, season, style, referee)


def _move(element: str, event: Move | Pass, spelt: Spelling | None, season: int, style: Style) -> str:
    name = "SkipMove" if spelt is None else "SetMove"
    kind = name.lower() if style.aliases else f"sc.plugin{season}.{name}"
    if spelt is None:
        colour = "" if style.nameless_skips else f"<color>{COLOURS[event.colour]}</color>"
        return f'<{element} class="{kind}">{colour}</{element}>'
    piece, rotation, flipped, x, y = spelt
    hint = '<hint content="5 &lt; 7"/>' if element == "data" else ""
    return (
        f'<{element} class="{kind}"><piece color="{COLOURS[event.colour]}" kind="{piece}" rotation="{rotation}"'
        f' {style.flipped}="{str(flipped).lower()}"><position x="{x}" y="{y}"/></piece>{hint}</{element}>'
    )


def _state(record: GameRecord, season: int, style: Style, referee: Referee) -> str:
    start = style.start_piece or start_piece_of(record)
    counts = f'turn="{referee.turn}" round="{1 + referee.turn // 4}" startPiece="{start}"'
    where = cells("square20")
    fields = "".join(
        f'<field x="{where[cell][0]}" y="{19 - where[cell][1]}" content="{COLOURS[colour]}"/>'
        for cell, colour in referee.board.items()
    )
    board = f"<board><fields>{fields}</fields></board>" if style.early else f"<board>{fields}</board>"
    left = "".join(
        f"<{colour.lower()}Shapes>"
        + "".join(f"<shape>{kind}</shape>" for kind in kinds() if kind not in referee.used[c])
        + f"</{colour.lower()}Shapes>"
        for c, colour in enumerate(COLOURS)
    )
    done = "".join(
        f"<entry><color>{COLOURS[c]}</color><boolean>{str(facts.single_last).lower()}</boolean></entry>"
        for c, facts in enumerate(referee.position.facts)
        if facts.all_placed
    )
    valid = "".join(f"<color>{COLOURS[c]}</color>" for c in referee.valid)
    rest = f"<lastMoveMono>{done}</lastMoveMono>{left}<validColors>{valid}</validColors>"
    if season == 2027:
        return _memento(f'<state startTeam="ONE" {counts}>{referee.last}{board}{rest}</state>')
    names = [(record.players[seat] or "") if seat < len(record.players) else "" for seat in range(2)]
    players = "".join(
        f'<{tag} displayName={quoteattr(name)}><color class="team">{team}</color></{tag}>'
        for tag, name, team in zip(("first", "second"), names, TEAMS, strict=True)
    )
    order = "".join(f"<color>{colour}</color>" for colour in COLOURS)
    early = f"<startColor>BLUE</startColor><orderedColors>{order}</orderedColors>" if style.early else ""
    team = '<startTeam class="team">ONE</startTeam>'
    return _memento(
        f'<state class="state" {counts}>{team}{early}{board}{rest}{players}{referee.last}</state>'
    )


def _memento(state: str) -> str:
    return f'<data class="memento">{state}</data>'


def _result(record: GameRecord, season: int, style: Style, referee: Referee) -> str:
    totals = [
        sum(points("online", VARIANT, referee.position.facts[c]) for c in owned) for owned in ((0, 2), (1, 3))
    ]
    outs = {event.seat: event.cause for event in record.events if isinstance(event, Out)}
    ahead = -1 if totals[0] == totals[1] else totals.index(max(totals))
    winner = 1 - min(outs) if len(outs) == 1 else ahead
    wins = [1 if winner < 0 else 2 * (winner == seat) for seat in range(2)]
    names = [(record.players[seat] or "") if seat < len(record.players) else "" for seat in range(2)]
    return (_result_2021 if season == 2021 else _result_2027)(style, names, totals, wins, outs, winner)


def _fragments(names: tuple[str, str]) -> str:
    ways = zip(names, ("SUM", "AVERAGE"), strict=True)
    inner = "".join(
        f'<fragment name="{name}"><aggregation>{way}</aggregation>'
        "<relevantForRanking>true</relevantForRanking></fragment>"
        for name, way in ways
    )
    return f"<definition>{inner}</definition>"


def _result_2021(
    style: Style, names: list[str], totals: list[int], wins: list[int], outs: dict[int, str], winner: int
) -> str:
    scores = ""
    for seat in range(2):
        cause = CAUSES[outs[seat]] if seat in outs else "REGULAR"
        cause = "HARD_TIMEOUT" if cause == "SOFT_TIMEOUT" and style.hard else cause
        reason = "Der Spieler hat das Spiel verlassen" if seat in outs else ""
        parts = f"<part>{wins[seat]}</part><part>{totals[seat]}</part>"
        scores += f'<score cause="{cause}" reason="{reason}">{parts}</score>'
    winners = "".join(
        f'<winner displayName={quoteattr(names[seat])}><color class="team">{TEAMS[seat]}</color></winner>'
        for seat in range(2)
        if winner in (-1, seat)
    )
    return f'<data class="result">{_fragments(("Gewinner", "∅ Punkte"))}{scores}{winners}</data>'


def _result_2027(
    style: Style, names: list[str], totals: list[int], wins: list[int], outs: dict[int, str], winner: int
) -> str:
    entries = ""
    for seat in range(2):
        name = f"name={quoteattr(names[seat])} " if names[seat] else ""
        parts = (0, 0) if seat in outs else (wins[seat], totals[seat])
        score = "".join(f"<part>{part}</part>" for part in parts)
        entries += f'<entry><player {name}team="{TEAMS[seat]}"/><score>{score}</score></entry>'
    reason, team = "Beide Spieler sind gleichauf", ""
    if winner >= 0:
        team = f' team="{TEAMS[winner]}"'
        reason = f"{names[winner] or TEAMS[winner]} hat am meisten Punkte erzielt."
    if len(outs) == 1:
        ((loser, cause),) = outs.items()
        reason = GERMAN[cause].format(names[loser] or TEAMS[loser])
    end = f'<winner{team} regular="{str(not outs).lower()}" reason={quoteattr(reason)}/>'
    return (
        f'<data class="result">{_fragments(("Siegpunkte", "Punkte"))}<scores>{entries}</scores>{end}</data>'
    )
