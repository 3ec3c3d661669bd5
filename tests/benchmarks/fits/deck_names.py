"""How much each witness is worth for a learnt card's name: `python -m tests.benchmarks.fits.deck_names
[--tables 20] [--seed 91000] [--manners clouds,photographs,dark,plain]`.

Lays cards of painted decks in hard light and asks of each view (the first picture, and four pictures
together) which card it is: once as it is, once with the true card taken out of the deck, so that
whatever is named is wrong. A logistic regression weighs the witnesses; beside each weight stands that of
`companion.vision.learnt.recognise`, and then what share of the cards is named when 1 lies an eighth above
the worst wrong one.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np

from companion.vision.learnt.patches import cut_patch
from companion.vision.learnt.recognise import (
    RECOGNISE_RULE,
    CardFound,
    PlaceView,
    Recogniser,
)
from companion.vision.places.disc_finder import BareLook, find_discs
from tests.benchmarks.deck.__main__ import FRAMES, LIGHTS, OTHERS, Laid, learn
from tests.benchmarks.deck.painted_decks import MANNERS, foreign_face, painted_face
from tests.benchmarks.results.record import Figure, add_json, record, share

DISCS = 18
NEAR_MM = 20.0
SPARE = 0.12

WITNESSES = {
    "lead": RECOGNISE_RULE.lead_says,
    "tone lead": RECOGNISE_RULE.tone_lead_says,
    "tone gain": RECOGNISE_RULE.tone_gain_says,
    "keypoints": RECOGNISE_RULE.keypoint_says,
    "rivals": -RECOGNISE_RULE.rival_says,
    "aside": -RECOGNISE_RULE.aside_costs,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of one view: of which `cell`, whether one of the deck's own cards lay there and
    could be named (`own`), whether the name is `right`, and the witnesses."""

    cell: str
    own: bool
    right: bool
    witnesses: tuple[float, ...]


class Probe(Recogniser):
    """A recogniser of which one card can be taken out."""

    without: int | None = None
    rivals = 0

    def ask(self, view: PlaceView, without: int | None) -> tuple[float, ...] | None:
        """The witnesses for the likeliest card; None where its tones or its field name nothing."""
        self.without, self.rivals = without, 0
        self.found = found = self.recognise(view, with_keypoints=True)
        rule = RECOGNISE_RULE
        if found.evidence < rule.least_own or found.tone_lead < rule.least_tone_lead:
            return None
        fit = np.clip((found.tone_fit - rule.fits_from) / (rule.fits_wholly - rule.fits_from), 0, 1)
        aside = hypot(found.pose.x_mm, found.pose.y_mm)
        return (
            min(found.lead, rule.most_lead),
            float(np.clip(found.tone_lead, *rule.tone_lead) * max(fit, rule.least_fit)),
            float(np.clip(found.tone_gain, *rule.tone_gain) * fit),
            float(min(found.keypoints, rule.most_keypoints)),
            float(min(self.rivals, rule.most_keypoints)),
            float(np.clip(aside, rule.aside_from_mm, rule.most_aside_mm) - rule.aside_from_mm),
        )

    def _likeliest(self, view: PlaceView) -> tuple[np.ndarray, np.ndarray]:
        rows, poses = super()._likeliest(view)
        kept = rows != self.without
        return rows[kept], poses[kept]

    def _confirmed(self, *asked: object) -> tuple[CardFound, int]:
        found, self.rivals = super()._confirmed(*asked)
        return found, self.rivals


def asked_of(manner: str, tables: int, seed: int) -> Iterator[Asked]:
    """Every view of so many tables of one deck."""
    deck, numbers = learn(manner, seed - 1000, Counter())
    known = Probe(deck)
    rng = np.random.default_rng([seed, MANNERS.index(manner)])
    for _ in range(tables):
        table = Laid(rng, 1.25, LIGHTS["hard"], DISCS)
        mine = [int(card) for card in rng.permutation(numbers)[: len(table.places) - OTHERS]]
        faces = [painted_face(manner, card) for card in mine]
        faces += [foreign_face(int(rng.integers(100))) for _ in table.places[len(mine) :]]
        turns = [float(rng.uniform(0, 360)) for _ in faces]
        bare = BareLook(table.shoot([], [], 1, False)[0], table.plane)
        views: dict[int, list[PlaceView]] = {at: [] for at in range(len(table.places))}
        for picture in table.shoot(faces, turns, FRAMES, True):
            discs = find_discs(picture, table.plane, known.reach_mm, None, bare)
            for at, (x, y) in enumerate(table.places):
                near = [
                    d.centre_mm
                    for d in discs
                    if hypot(d.centre_mm[0] - x, d.centre_mm[1] - y) < NEAR_MM
                ]
                if near:
                    patch = cut_patch(picture, table.plane, near[0], known.reach_mm)
                    views[at].append(known.view(*patch))
        for at, seen in views.items():
            truth = numbers.index(mine[at]) if at < len(mine) else None
            for looks, view in (("one", seen[:1]), ("still", seen[-4:])):
                if not view:
                    continue
                merged = known.merged_views(view) if len(view) > 1 else view[0]
                for without in (None,) if truth is None else (None, truth):
                    witnesses = known.ask(merged, without)
                    own = truth is not None and without is None
                    right = own and truth is not None and known.found.card == truth + 1
                    if witnesses is not None:
                        yield Asked(f"{manner}, {looks}", own, right, witnesses)
                    elif own:
                        yield Asked(f"{manner}, {looks}", own, False, ())


def fitted(seen: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The weights (a constant first) by which these witnesses (N, K) tell right names."""
    columns = np.column_stack([np.ones(len(seen)), seen])
    weights = np.zeros(columns.shape[1])
    held = np.diag([1e-9, *[1e-2] * seen.shape[1]])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-columns @ weights))
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + held
        weights += np.linalg.solve(bend, columns.T @ (right - chance) - held @ weights)
    return weights


def main() -> None:
    """Print the weights beside those the product keeps, and what they name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=91000)
    parser.add_argument("--manners", default="clouds,photographs,dark,plain")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    asked = [
        a for manner in args.manners.split(",") for a in asked_of(manner, args.tables, args.seed)
    ]
    told = [a for a in asked if a.witnesses]
    seen, right = np.array([a.witnesses for a in told]), np.array([a.right for a in told], float)
    weights = fitted(seen, right)
    says = seen @ weights[1:]
    enough = says[right == 0].max() + SPARE * abs(says[right == 0].max())
    figures = [
        Figure(f"weight of {name}", f"{weight / enough:.2f}, kept {kept:.2f}", "", len(told))
        for (name, kept), weight in zip(WITNESSES.items(), weights[1:], strict=True)
    ]
    for cell in sorted({a.cell for a in asked}):
        named = sum(
            a.cell == cell and a.right and said >= enough
            for a, said in zip(told, says, strict=True)
        )
        figures.append(
            Figure(f"{cell}: named", share(named, sum(a.cell == cell and a.own for a in asked)))
        )
    for figure in figures:
        print(f"{figure.what}: {figure.value}")
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
