"""One card of the open round, watched: glimpses in, a departure out.

Knows places, zones and readings of one card. Must not know the other cards, the players or the
points. Here it is decided that a card left, that it was only lifted or covered (the belief crosses
`CARD_MODEL.left_share` and falls below `CARD_MODEL.back_share` again), or that it lies somewhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.referee.departure import (
    Departure,
    OutsideEvidence,
    PlaceEvidence,
    TrayEvidence,
)
from companion.referee.observing.belief import Belief, Observation
from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.referee.observing.leaving import LeavingInterval
from companion.referee.observing.lying_place import LyingPlace
from companion.referee.observing.off_place import (
    NOWHERE,
    ExitDirection,
    Relocation,
    RestOutside,
)
from companion.referee.observing.pictured_in_tray import PicturedInTray
from companion.referee.observing.tray_stay import TRAY_MODEL, TrayExposure, TrayStay
from companion.referee.observing.vacated_place import VacatedPlace
from companion.table.sighting import PlaceState, Point
from companion.table.zones import Zone, distance_mm, nearest_mm, zone_of


@dataclass(frozen=True, slots=True)
class CardModel:
    """When a card counts as having left, come back, or lying face down; chosen, and the shares varied in
    the simulator.

    P(left) above `left_share`: it left; below `back_share`: it is back. It left for certain above
    `surely_left_share`, or the lower `contradicted_share` where nothing but its not being read says so.
    A reading within `at_place_mm` is the card in its place (readings of a lying card scatter by 1 to
    3 mm, discs are 85 mm wide). Without a tray in view a card that rests `spread_mm` from every dealt
    place was taken out of the middle. Covered above `covered_share`. Unsurely named backs count
    `unnamed_down_part`. A card face down is collected at least `collected_s` after the last one left,
    and one surer than `turned_share` was only turned over to be looked at, once the round is over.
    A decided round is reopened by `reopen_readings` readings in the middle over `reopen_s`.
    A look that took longer than `longest_look_s` counts as so long for what is seen in plain view.
    """

    left_share: float = 0.6
    back_share: float = 0.4
    surely_left_share: float = 0.9
    contradicted_share: float = 0.8
    at_place_mm: float = 30.0
    spread_mm: float = 150.0
    covered_share: float = 0.6
    surely_gone_share: float = 0.9
    unnamed_down_part: float = 0.85
    collected_s: float = 2.0
    turned_share: float = 0.9
    reopen_readings: int = 3
    reopen_s: float = 0.4
    reopen_forget_s: float = 1.5
    longest_look_s: float = 0.5


CARD_MODEL = CardModel()


@dataclass(slots=True)
class FaceDown:
    """How surely a card lay face down in its place, and whether its back was seen there."""

    share: float = 0.0
    back_seen: bool = False


class OffPlace:
    """All that is known of where one card went."""

    __slots__ = ("exit", "outside", "pictured", "relocation", "tray", "tray_before", "vacated")

    def __init__(self, card: int) -> None:
        self.tray = TrayStay(card)
        self.tray_before = TrayExposure()
        """The tray in plain view since the card was last read in its place, while it did not count as
        gone."""
        self.pictured = PicturedInTray()
        self.outside = RestOutside(card)
        self.exit = ExitDirection()
        self.vacated = VacatedPlace()
        self.relocation = Relocation()

    def forget_all(self) -> None:
        """The card is back; only from where it was carried stays known."""
        self.vacated.forget_place()
        self.tray_before.restart()
        self.exit.forget_exit()
        self.tray.forget_stay()
        self.pictured.forget_picture()
        self.outside.forget_rest()


class CardWatch:
    """What is known of one card since the deal.

    Its parts each know one thing (the belief, its place, its leaving, what lies elsewhere); what is left
    here is who hears of a reading or a report, a few lines for each case: many methods, for a reading may
    lie in its place, in the tray, at the edge or back in the middle, and each means something else.
    """

    def __init__(
        self, card: int, place: Point, read_s: float, turns_over: bool, lies: float = 0.97
    ) -> None:
        self.card = card
        self.lying = LyingPlace(card, place, read_s, ever_read=lies > 0.9)
        self.belief = Belief(turns_over, lies)
        self.leaving = LeavingInterval(read_s)
        self.off_place = OffPlace(card)
        self.face_down = FaceDown()
        self.left = False
        self.covered_s = 0.0
        self.came_back_s: float | None = None

    @property
    def place(self) -> Point:
        """Where it lies, or lay last."""
        return self.lying.at_mm

    @property
    def sure_left(self) -> bool:
        """True when it certainly no longer lies face up in the middle (a little less surely when
        never contradicted)."""
        surely = (
            CARD_MODEL.surely_left_share if self.leaving.firm else CARD_MODEL.contradicted_share
        )
        return self.left and self.belief.left > surely

    @property
    def lost(self) -> bool:
        """True when it rested in the tray before its place was known, and nothing has been read in
        the tray for a while."""
        tray = self.off_place.tray
        return (
            self.place == NOWHERE and tray.at_rest and tray.exposure.awaited_s > TRAY_MODEL.lost_s
        )

    def departure(self, named_wrong: bool = False, denied: bool = False) -> Departure:
        """How it left."""
        leaving, off = self.leaving, self.off_place
        tray = TrayEvidence(
            off.tray.level,
            off.tray.exposure.watched_s,
            off.tray_before.watched_s,
            off.tray.lifted_off,
            off.tray.came_s,
            pictured_s=off.pictured.pictured_s,
            unread_s=off.tray.unread_s,
        )
        vacated = off.vacated
        place = PlaceEvidence(self.face_down.share, vacated.bare_s, vacated.back_s, vacated.again_s)
        outside = OutsideEvidence(off.outside.at_mm, off.exit.to_deg)
        return Departure(
            self.card, leaving.low_s, leaving.high_s, leaving.firm, tray, place, outside,
            leaving.visit, named_wrong, denied,
        )  # fmt: skip

    def not_read_since(self, t_s: float) -> None:
        """It was last read then: if it is found gone, it may have left at once."""
        if not self.left:
            self.lying.read_s = min(self.lying.read_s, t_s)

    def force_gone(self, now_s: float) -> None:
        """Take it for gone: the next round lies on the table."""
        if not self.left:
            self.leaving.set_interval(self.lying.read_s, now_s, firm=False)
            self.left = True
            self.off_place.tray_before.restart()

    def start_aside(self, low_s: float, high_s: float, in_tray: bool = False) -> None:
        """Take it for set aside before the watching began, between two times."""
        self.belief.assume_gone()
        self.leaving.set_interval(low_s, high_s, firm=True)
        self.left = True
        self.off_place.tray.level = 3 if in_tray else 0

    def take_into_pile(self, pile: Point) -> None:
        """It lies in a `pile` of taken cards since it was carried there."""
        relocation = self.off_place.relocation
        relocation.note_pile(pile)
        if relocation.home is not None:
            self.lying.at_mm = relocation.home
            self.lying.read_s = relocation.read_s
        self.off_place.outside.at_mm = pile
        self._prove_gone(relocation.since_s)

    def watch_glimpse(self, glimpse: IndexedGlimpse, spread: Sequence[Point]) -> None:
        """Take one glimpse; `spread` are the places where the round's cards were dealt."""
        if not self.left:
            self.belief.pass_time(glimpse.dt_s)
        else:
            self._watch_after_leaving(glimpse)
        points = glimpse.readings.get(self.card, ())
        here = False
        for point in points:
            if distance_mm(point, self.place) <= CARD_MODEL.at_place_mm:
                here = True
                self._read_in_place(glimpse, point)
        if not here:
            self.came_back_s = None
            for point in points:
                self._read_elsewhere(glimpse, point, spread)
            if not self.left:
                self.off_place.tray_before.count_time(glimpse, glimpse.dt_s)
            self._weigh_place(glimpse)
        pictured_mm = None if here else glimpse.pictured.get(self.card)
        if pictured_mm is not None and zone_of(pictured_mm, glimpse.table) is Zone.TRAY:
            self.off_place.pictured.note_picture(glimpse.t_s, glimpse.dt_s)
        self._cross_thresholds(glimpse)

    def lies_again(self, glimpse: IndexedGlimpse, spread: Sequence[Point]) -> Point | None:
        """Take one glimpse of a decided round: where the card is read at rest in the middle again, if
        it is; one that lay face down is only turned over to be looked at, now that the round is
        over."""
        middle, off = self.lying.rest, self.off_place
        for point in glimpse.readings.get(self.card, ()):
            zone = card_zone(glimpse, point, spread, off.relocation)
            if zone is Zone.MIDDLE:
                middle.add_reading(glimpse.t_s, point, forget_s=CARD_MODEL.reopen_forget_s)
            elif zone is Zone.TRAY:
                self._read_in_tray(glimpse, point)
            elif off.outside.at_mm is None:
                off.outside.read_outside(glimpse.t_s, point)
        rests = (
            middle.rests(CARD_MODEL.reopen_readings, CARD_MODEL.reopen_s)
            and middle.seen_s == glimpse.t_s
        )
        return (
            middle.centre_mm if rests and self.face_down.share <= CARD_MODEL.turned_share else None
        )

    def come_back(self, t_s: float) -> None:
        """It lies in the middle again, where it was read last."""
        self._return_to(self.lying.rest.centre_mm, t_s)
        self._count_as_back(t_s)

    def _watch_after_leaving(self, glimpse: IndexedGlimpse) -> None:
        """The tray and the vacated place, seen since the card left."""
        tray, vacated = self.off_place.tray, self.off_place.vacated
        dt_s = min(glimpse.dt_s, CARD_MODEL.longest_look_s)
        report = glimpse.report_of(self.card, self.place)
        tray.left_s = self.leaving.high_s
        tray.watch_tray(glimpse, dt_s)
        state = report.state if report is not None else PlaceState.UNKNOWN
        off_tray = tray.doubtful if tray.at_rest else None
        vacated.watch_place(glimpse, dt_s, self.place, state, self.face_down.back_seen, off_tray)

    def _read_in_place(self, glimpse: IndexedGlimpse, point: Point) -> None:
        if self.left:
            if not self.lying.is_home_again(glimpse.t_s, point):
                return  # what is known of its leaving stays
            self.belief.assume_lying()
        else:
            self.lying.learn_interval(glimpse.t_s)
        self.belief.weigh_observation(Observation.MARKER, glimpse.t_s)
        self.lying.follow(glimpse.t_s, point)
        self.leaving.note_marker_read()
        self.off_place.tray.forget_readings()
        if not self.left:
            self.lying.read_s = glimpse.t_s
            self.off_place.tray_before.restart()

    def _read_elsewhere(
        self, glimpse: IndexedGlimpse, point: Point, spread: Sequence[Point]
    ) -> None:
        off = self.off_place
        zone = card_zone(glimpse, point, spread, off.relocation)
        if zone is Zone.TRAY:
            self._read_in_tray(glimpse, point)
        elif zone is Zone.EDGE:
            if not off.relocation.in_pile(point):  # a pile in the middle went to no side yet
                off.exit.add_reading(point, spread)
            if off.outside.read_outside(glimpse.t_s, point):
                self._prove_gone(off.outside.since_s)
        elif self.lying.settles(glimpse.t_s, point):
            self._return_to(point, glimpse.t_s)

    def _read_in_tray(self, glimpse: IndexedGlimpse, point: Point) -> None:
        tray = self.off_place.tray
        level = tray.read_in_tray(glimpse.t_s, point)
        self.off_place.vacated.card_is_elsewhere()
        if level >= 2:
            self._prove_gone(tray.since_s)

    def _prove_gone(self, since_s: float) -> None:
        """It rests elsewhere since then: also a card that had left by a single look at its place is
        gone for certain now."""
        self.belief.assume_gone()
        self.leaving.prove_gone(since_s)

    def _return_to(self, point: Point, t_s: float) -> None:
        """It lies in the middle (again), at `point`: whatever was known of its leaving is void."""
        read_s = self.leaving.low_s if self.left else self.lying.read_s
        self.off_place.relocation.note_rest(t_s, point, self.place, read_s)
        self.belief.assume_lying()
        self.lying.move_to(t_s, point)

    def _weigh_place(self, glimpse: IndexedGlimpse) -> None:
        self.lying.learn_from_report(glimpse)
        shown = glimpse.observation_of(self.card, self.place)
        if shown is None or (self.left and not self._still_told_by(shown)):
            return
        if self.left:
            self.belief.pass_time(glimpse.dt_s)
        self.leaving.note_place(glimpse, shown, self.place, self.left)
        if shown is Observation.UNREAD:
            self.belief.read_rate = self.lying.read_rate(glimpse.dt_s)
        self.face_down.back_seen = self.face_down.back_seen or shown is Observation.BACK
        self.belief.named_backs = glimpse.named_backs
        self.belief.weigh_observation(shown, glimpse.t_s)

    def _still_told_by(self, shown: Observation) -> bool:
        """After it left, cups and hands on its place say nothing; not being read counts where
        nothing else told enough (one look at the bare place, then the eye asks about the heap on
        which the card lay for a moment). What lies there again although no hand came near lay there
        all the time: the bare place was a misreading."""
        off = self.off_place
        if shown is Observation.OTHER:
            elsewhere = self.face_down.back_seen or off.tray.at_rest or off.outside.at_mm
            contradicted = self.leaving.contrary_s is not None
            return off.vacated.barely_seen and contradicted and not elsewhere
        return shown in (Observation.TABLE, Observation.BACK) or (
            shown is Observation.UNREAD and not (self.leaving.firm and self.sure_left)
        )

    def _cross_thresholds(self, glimpse: IndexedGlimpse) -> None:
        """It left, or it is back."""
        left = self.belief.left
        if self.left and left < CARD_MODEL.back_share:
            self._count_as_back(glimpse.t_s)
        elif not self.left and left > CARD_MODEL.left_share:
            self.left = True
            lying = self.lying
            self.leaving.count_as_gone(
                glimpse, lying.at_mm, lying.read_s, lying.interval_s, lying.ever_read
            )
            lying.rest.forget_readings()
        self._note_face_down(glimpse)
        covered = self.belief.covered > CARD_MODEL.covered_share
        self.covered_s = self.covered_s + glimpse.dt_s if covered else 0.0

    def _note_face_down(self, glimpse: IndexedGlimpse) -> None:
        """A card turned over stays in its place while the round goes on; a named back is testimony
        for good."""
        down = self.face_down
        soon = glimpse.in_play or glimpse.t_s - self.leaving.noticed_s < CARD_MODEL.collected_s
        gone = not down.back_seen and self.belief.gone > CARD_MODEL.surely_gone_share and soon
        if not self.left or gone:
            if down.share > 0:
                self.leaving.note_turned_up()
            down.share = 0.0
        else:
            part = 1.0 if down.back_seen else CARD_MODEL.unnamed_down_part
            down.share = max(down.share, self.belief.down * part)

    def _count_as_back(self, t_s: float) -> None:
        self.left = False
        self.lying.read_s = t_s
        self.face_down = FaceDown()
        self.off_place.forget_all()
        self.leaving.forget_leaving()
        self.came_back_s = t_s


def card_zone(
    glimpse: IndexedGlimpse, point: Point, spread: Sequence[Point], relocation: Relocation
) -> Zone:
    """The part of the table in which a reading of a card lies: a pile of taken cards counts as the
    edge, and so does, without a tray in view, what is far from every dealt place."""
    zone = Zone.EDGE if relocation.in_pile(point) else zone_of(point, glimpse.table)
    if (
        zone is Zone.MIDDLE
        and spread
        and not glimpse.has_tray
        and nearest_mm(point, spread) > CARD_MODEL.spread_mm
    ):
        return Zone.EDGE
    return zone
