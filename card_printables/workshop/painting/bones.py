"""Bones: the plans of bodies that are half one thing and half another.

Knows which limbs make a walker, a swimmer or a teapot, and mixes them; knows no light, no disc and
no number of a card. A plan is a function of dice `u` (uniform in a range) that gives a list of
limbs. Each stays readable as several things: what is a trunk may be a spout, what is a wing may be
a sail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from card_printables.workshop.painting.limb import Limb, ball, limb, moved

Dice = Callable[[float, float], float]
Plan = Callable[[Dice], list[Limb]]


def _walker(u: Dice) -> list[Limb]:
    body = limb(
        (-0.4, 0.0), u(-14, 14), u(0.6, 0.85), (u(0.15, 0.22), u(0.16, 0.24)), bend=u(-45, 35)
    )
    neck = limb(body.at(1), u(25, 85), u(0.12, 0.42), (0.14, 0.1), bend=u(-40, 30))
    head = limb(neck.at(1), u(-50, 15), u(0.14, 0.3), (0.135, u(0.06, 0.1)))
    legs = [limb(moved(body.at(t), 0, -0.08, z), -90 + u(-24, 24), u(0.22, 0.4), (0.105, 0.075), bend=u(-25, 25))
            for t, z in ((0.06, 0.1), (0.2, -0.12), (0.82, -0.1), (0.97, 0.1))]  # fmt: skip
    tail = limb(body.at(0), u(120, 215), u(0.2, 0.5), (0.1, 0.045), bend=u(-90, 70))
    return [body, neck, head, tail, *legs]


def _sitter(u: Dice) -> list[Limb]:
    body = limb((0, 0.35), u(78, 104), u(0.4, 0.55), (u(0.24, 0.32), 0.17), bend=u(-25, 25))
    head = limb(body.at(1), u(20, 120), u(0.1, 0.2), (0.19, 0.16))
    snout = limb(head.at(1), u(-40, 20), u(0.14, 0.3), (0.11, 0.06), bend=u(-50, 30))
    ears = [
        limb(head.at(0.6), a, u(0.2, 0.4), (0.075, 0.045), bend=u(-40, 40))
        for a in (u(60, 85), u(105, 150))
    ]
    arm = limb(
        moved(body.at(0.6), 0.1, 0, 0.12), u(-50, 30), u(0.25, 0.4), (0.09, 0.06), bend=u(-20, 60)
    )
    tail = limb(body.at(0.05), u(165, 205), u(0.3, 0.6), (0.11, 0.05), bend=u(-110, -20))
    return [body, head, snout, arm, tail, *ears]


def _swimmer(u: Dice) -> list[Limb]:
    body = limb(
        (-0.45, 0.0),
        u(-22, 22),
        u(0.85, 1.1),
        (u(0.1, 0.2), 0.07),
        bend=u(-50, 50),
        belly=u(0.1, 0.18),
    )
    end, turn = body.at(1), body.turn(1)
    fork = [
        limb(end, turn + a, u(0.2, 0.38), (0.075, 0.05), bend=u(-20, 20))
        for a in (u(35, 65), -u(30, 60))
    ]
    fin = limb(body.at(u(0.35, 0.6)), u(75, 125), u(0.28, 0.42), (0.12, 0.05), bend=u(20, 60))
    keel = limb(body.at(u(0.3, 0.5)), u(-115, -65), u(0.22, 0.38), (0.1, 0.05), bend=u(-50, 50))
    return [body, fin, keel, *fork]


def _flyer(u: Dice) -> list[Limb]:
    body = limb((-0.25, 0.1), u(-5, 30), u(0.5, 0.65), (0.1, 0.16), bend=u(-30, 30), belly=0.05)
    head = limb(body.at(1), u(0, 50), u(0.12, 0.25), (0.13, 0.07))
    wings = [limb(moved(body.at(u(0.35, 0.7)), 0, 0, z), a, u(0.45, 0.72), (0.16, 0.055), bend=b)
             for a, b, z in ((u(95, 135), u(-10, 60), 0.12), (u(40, 80), u(-60, 10), -0.12))]  # fmt: skip
    tail = limb(body.at(0), u(160, 215), u(0.25, 0.45), (0.09, u(0.05, 0.1)), bend=u(-40, 40))
    return [body, head, tail, *wings]


def _serpent(u: Dice) -> list[Limb]:
    swing = u(110, 190)
    first = limb((-0.6, 0.1), u(40, 80), u(0.5, 0.7), (0.06, 0.12), bend=-swing * 0.8)
    second = limb(first.at(1), first.turn(1), u(0.5, 0.7), (0.12, 0.16), bend=swing)
    third = limb(second.at(1), second.turn(1), u(0.2, 0.35), (0.15, 0.13), bend=-u(40, 120))
    head = limb(third.at(1), third.turn(1), u(0.16, 0.25), (0.16, 0.08))
    crest = limb(second.at(u(0.2, 0.7)), second.turn(0.5) + u(60, 110), u(0.22, 0.36), (0.09, 0.04))
    return [first, second, third, head, crest]


def _vessel(u: Dice) -> list[Limb]:
    body = limb((-0.14, 0.1), u(-8, 8), u(0.26, 0.4), (u(0.25, 0.3), u(0.24, 0.3)))
    spout = limb(body.at(1), u(5, 45), u(0.42, 0.62), (0.13, 0.07), bend=u(-20, 50))
    grip = limb(
        moved(body.at(0), -0.1, 0.18), u(140, 170), u(0.7, 0.85), (0.07, 0.065), bend=u(150, 200)
    )
    lid = limb(moved(body.at(0.5), u(-0.1, 0.1), 0.16), u(70, 110), u(0.2, 0.34), (0.15, 0.07))
    feet = [
        limb(moved(body.at(t), 0, -0.2), -90 + u(-30, 30), u(0.1, 0.24), (0.1, 0.08))
        for t in (0.0, 1.0)
    ]
    return [body, spout, grip, lid, *feet]


def _tree(u: Dice) -> list[Limb]:
    trunk = limb((0, 0.5), u(75, 105), u(0.45, 0.6), (u(0.12, 0.18), 0.11), bend=u(-40, 40))
    boughs = [limb(trunk.at(1), a + u(-14, 14), u(0.3, 0.5), (0.13, u(0.1, 0.17)), bend=u(-50, 50))
              for a in (25, 88, 152)]  # fmt: skip
    twig = limb(trunk.at(0.45), u(10, 50), u(0.25, 0.42), (0.08, 0.06), bend=u(0, 60))
    root = limb(trunk.at(0.05), u(175, 200), u(0.2, 0.36), (0.1, 0.06))
    return [trunk, twig, root, *boughs]


def _hand(u: Dice) -> list[Limb]:
    palm = limb((0, 0.3), u(75, 105), u(0.22, 0.34), (u(0.2, 0.26), 0.25))
    lean = u(-16, 16)
    fingers = [limb(moved(palm.at(1), 0.17 * k, 0.02, 0.05 * k), 90 - 20 * k + lean, u(0.2, 0.48), (0.105, 0.07), bend=u(-40, 40))
               for k in (-1, 0, 1)]  # fmt: skip
    thumb = limb(
        moved(palm.at(0.4), 0.12, 0), u(-8, 28), u(0.3, 0.48), (0.11, 0.07), bend=u(10, 60)
    )
    cuff = limb(palm.at(0.1), u(-160, -120), u(0.3, 0.45), (0.16, 0.11), bend=u(-60, 0))
    return [palm, thumb, cuff, *fingers]


def _boat(u: Dice) -> list[Limb]:
    hull = limb(
        (-0.62, 0.02), u(-50, -28), u(1.25, 1.45), (0.06, 0.07), bend=u(60, 95), belly=u(0.07, 0.12)
    )
    mast = limb(hull.at(u(0.4, 0.6)), u(75, 105), u(0.5, 0.68), (0.11, 0.06), bend=u(-25, 25))
    sail = limb(mast.at(0.75), u(-60, -20), u(0.3, 0.45), (0.09, 0.1), bend=u(-40, 0))
    rider = limb(hull.at(u(0.18, 0.3)), u(70, 110), u(0.22, 0.36), (0.09, 0.1))
    return [hull, mast, sail, rider]


def _face(u: Dice) -> list[Limb]:
    skull = limb((-0.15, 0.05), u(50, 85), u(0.2, 0.3), (0.29, 0.26))
    nose = limb(
        moved(skull.at(0.4), 0.2, 0), u(-30, 10), u(0.26, 0.45), (0.12, 0.06), bend=u(-40, 60)
    )
    chin = limb(
        moved(skull.at(0), 0.12, -0.1), u(-55, -25), u(0.22, 0.34), (0.14, 0.08), bend=u(0, 60)
    )
    hair = limb(
        moved(skull.at(1), 0.05, 0.1), u(110, 150), u(0.5, 0.75), (0.14, 0.06), bend=u(50, 120)
    )
    brow = limb(
        moved(skull.at(1), 0.08, 0.08), u(20, 70), u(0.2, 0.36), (0.12, 0.06), bend=u(-30, 30)
    )
    return [skull, nose, chin, hair, brow]


def _duo(u: Dice) -> list[Limb]:
    left = limb((-0.45, 0.3), u(70, 100), u(0.3, 0.5), (u(0.17, 0.24), 0.13), bend=u(-50, 10))
    right = limb((0.42, 0.28), u(80, 110), u(0.2, 0.45), (u(0.15, 0.2), 0.13), bend=u(-10, 50))
    faces = [
        limb(left.at(1), u(-30, 30), u(0.14, 0.28), (0.13, 0.07)),
        limb(right.at(1), u(150, 210), u(0.12, 0.25), (0.12, 0.07)),
    ]
    bond = limb(left.at(0.1), u(-25, 5), u(0.5, 0.75), (0.12, 0.09), bend=u(0, 30))
    tuft = limb(left.at(1), u(90, 150), u(0.2, 0.34), (0.08, 0.05), bend=u(-40, 60))
    tail = limb(right.at(0), u(0, 40), u(0.2, 0.4), (0.09, 0.05), bend=u(0, 90))
    return [left, right, bond, tuft, tail, *faces]


def _bridge(u: Dice) -> list[Limb]:
    arch = limb(
        (-0.5, 0.3),
        u(58, 84),
        u(0.85, 1.1),
        (u(0.13, 0.2), u(0.13, 0.2)),
        bend=-u(50, 175),
        belly=u(0.0, 0.06),
    )
    head = limb(arch.at(1), arch.turn(1) + 100 + u(-40, 40), u(0.3, 0.6), (0.17, 0.1))
    spike = [
        limb(arch.at(t), 90 + u(-30, 30), u(0.22, 0.42), (0.1, 0.05), bend=u(-40, 40))
        for t in (u(0.3, 0.42), u(0.52, 0.68))
    ]
    tail = limb(arch.at(0.06), u(160, 200), u(0.3, 0.55), (0.13, 0.06), bend=-u(-20, 110))
    return [arch, head, tail, *spike]


def _rearing(u: Dice) -> list[Limb]:
    body = limb((-0.2, 0.3), u(45, 72), u(0.5, 0.7), (u(0.17, 0.22), 0.16), bend=u(-20, 25))
    neck = limb(body.at(1), u(55, 100), u(0.15, 0.3), (0.13, 0.1), bend=u(-70, -20))
    head = limb(neck.at(1), u(-50, 0), u(0.18, 0.28), (0.12, 0.07))
    arms = [
        limb(body.at(t), u(-25, 35), u(0.28, 0.45), (0.1, 0.06), bend=u(-60, 10), lean=z)
        for t, z in ((0.75, 0.1), (0.9, -0.1))
    ]
    legs = [
        limb(body.at(0.05), a, u(0.26, 0.4), (0.12, 0.08), bend=u(-30, 30))
        for a in (u(-80, -50), u(-130, -105))
    ]
    tail = limb(body.at(0), u(150, 200), u(0.3, 0.5), (0.09, 0.05), bend=u(-90, 40))
    return [body, neck, head, tail, *arms, *legs]


def _snail(u: Dice) -> list[Limb]:
    shell = limb((0.05, 0.02), u(60, 120), u(1.0, 1.2), (0.13, u(0.13, 0.17)), bend=u(300, 350))
    foot = limb((-0.55, 0.42), u(-4, 10), u(0.95, 1.15), (0.07, 0.12), bend=u(0, 20))
    neck = limb(foot.at(1), u(45, 85), u(0.2, 0.42), (0.12, 0.11), bend=u(-30, 30))
    horns = [limb(neck.at(1), a, u(0.16, 0.28), (0.06, 0.05)) for a in (u(35, 60), u(95, 125))]
    return [shell, foot, neck, *horns]


def _crab(u: Dice) -> list[Limb]:
    body = limb(
        (-0.26, 0.22),
        u(-8, 8),
        u(0.45, 0.6),
        (u(0.17, 0.22), u(0.17, 0.22)),
        bend=u(-20, 20),
        belly=0.05,
    )
    limbs: list[Limb] = []
    for side, share in ((1, 0.95), (-1, 0.05)):
        outwards = 90 - side * u(30, 65)
        arm = limb(body.at(share), outwards, u(0.3, 0.5), (0.11, 0.08), bend=side * u(10, 70))
        limbs += [arm, limb(arm.at(1), arm.turn(1) - side * u(20, 60), u(0.16, 0.28), (0.12, 0.07))]
    eyes = [
        limb(body.at(t), 90 + u(-20, 20), u(0.22, 0.38), (0.09, 0.08))
        for t in (u(0.3, 0.45), u(0.6, 0.75))
    ]
    return [body, *limbs, *eyes]


def _dome(u: Dice) -> list[Limb]:
    dome = limb(
        (-0.55, 0.05), u(48, 66), u(1.15, 1.3), (0.12, 0.13), bend=-u(100, 128), belly=u(0.1, 0.16)
    )
    hang = [limb(dome.at(t), -90 + u(-22, 22), u(0.3, 0.62), (0.085, 0.055), bend=u(-60, 60), lean=u(-0.1, 0.1))
            for t in (u(0.12, 0.22), u(0.4, 0.6), u(0.76, 0.9))]  # fmt: skip
    knob = limb(
        moved(dome.at(u(0.35, 0.65)), 0, 0.1),
        u(70, 110),
        u(0.16, 0.36),
        (0.1, 0.06),
        bend=u(-60, 60),
    )
    return [dome, knob, *hang]


def _lute(u: Dice) -> list[Limb]:
    turn = u(15, 60)
    bowl = limb((-0.45, 0.3), turn, u(0.25, 0.38), (u(0.24, 0.3), 0.19))
    neck = limb(bowl.at(1), turn + u(-20, 20), u(0.55, 0.75), (0.12, 0.09), bend=u(-45, 45))
    head = limb(neck.at(1), neck.turn(1) + u(-90, 90), u(0.16, 0.3), (0.12, 0.08))
    pegs = [
        limb(bowl.at(t), turn + a, u(0.28, 0.42), (0.1, 0.05), bend=u(-50, 50))
        for t, a in ((0.2, u(70, 120)), (0.6, -u(70, 120)))
    ]
    return [bowl, neck, head, *pegs]


def _dancer(u: Dice) -> list[Limb]:
    body = limb((0, 0.15), u(70, 110), u(0.25, 0.4), (0.15, 0.15), bend=u(-30, 30))
    head = limb(body.at(1), u(60, 120), u(0.18, 0.25), (0.11, 0.13))
    arms = [
        limb(body.at(0.85), a, u(0.35, 0.58), (0.1, 0.06), bend=u(-70, 70))
        for a in (u(0, 50), u(135, 190))
    ]
    legs = [
        limb(body.at(0), a, u(0.35, 0.52), (0.12, 0.07), bend=u(-50, 50))
        for a in (u(-60, -15), u(-150, -110))
    ]
    skirt = ball(body.at(0), u(0.16, 0.22))
    return [body, head, skirt, *arms, *legs]


def _castle(u: Dice) -> list[Limb]:
    base = limb(
        (-0.5, 0.28), u(-5, 5), u(0.85, 1.05), (u(0.13, 0.19), u(0.13, 0.19)), bend=u(-12, 12)
    )
    heights = (
        (0.02, u(0.25, 0.6)),
        (u(0.3, 0.5), u(0.4, 0.75)),
        (u(0.65, 0.8), u(0.2, 0.45)),
        (1.0, u(0.2, 0.7)),
    )
    towers = [
        limb(base.at(t), 90 + u(-16, 16), h, (u(0.1, 0.15), u(0.07, 0.13)), bend=u(-30, 30))
        for t, h in heights
    ]
    beak = limb(
        towers[int(u(0, 3.99))].at(1), u(-20, 40), u(0.2, 0.36), (0.11, 0.05), bend=u(-60, 20)
    )
    return [base, beak, *towers]


def _leaper(u: Dice) -> list[Limb]:
    body = limb(
        (-0.4, 0.12), u(28, 52), u(0.75, 0.95), (0.15, 0.14), bend=-u(40, 90), belly=u(0.02, 0.07)
    )
    head = limb(body.at(1), u(-30, 50), u(0.18, 0.32), (0.14, 0.07), bend=u(-40, 40))
    ears = [
        limb(moved(head.at(0.3), 0, 0.05), a, u(0.2, 0.42), (0.065, 0.045), bend=u(-30, 50))
        for a in (u(85, 105), u(125, 160))
    ]
    front = [
        limb(body.at(0.9), u(-60, -5), u(0.26, 0.42), (0.095, 0.06), bend=u(-30, 30), lean=z)
        for z in (0.1, -0.1)
    ]
    hind = [
        limb(body.at(0.05), u(185, 235), u(0.28, 0.46), (0.11, 0.06), bend=u(-40, 40), lean=z)
        for z in (0.1, -0.1)
    ]
    return [body, head, *ears, *front, *hind]


PLANS: tuple[Plan, ...] = (
    _walker, _vessel, _flyer, _swimmer, _sitter, _tree, _serpent, _hand, _boat, _face, _duo, _bridge, _rearing, _snail,
    _crab, _dome, _lute, _dancer, _castle, _leaper,
)  # fmt: skip


def _oddity(u: Dice, body: list[Limb]) -> list[Limb]:
    host = body[int(u(0, min(3, len(body)) - 0.01))]
    share = u(0.1, 0.95)
    start, kind = host.at(share), int(u(0, 5.99))
    girth = host.girth(share)
    if kind == 0:
        return [
            limb(
                moved(start, 0, girth * 0.7),
                u(60, 120),
                u(0.18, 0.34),
                (0.09, 0.045),
                bend=u(-90, 90),
            )
        ]
    if kind == 1:
        return [limb(start, u(20, 160), u(0.5, 0.65), (0.065, 0.06), bend=u(-220, -170))]
    if kind == 2:
        return [ball(moved(start, u(-0.08, 0.08), girth * 0.7), girth * u(0.7, 1.0))]
    if kind == 3:
        return [limb(start, u(90, 180), u(0.32, 0.5), (0.1, 0.05), bend=u(-40, 70), lean=0.12)]
    if kind == 4:
        return [
            limb(moved(start, x, girth * 0.6), 90 - 200 * x, u(0.16, 0.28), (0.06, 0.045))
            for x in (-0.09, 0.09)
        ]
    return [limb(start, u(-140, -40), u(0.25, 0.4), (0.09, 0.05), bend=u(-60, 60))]


def _graft(u: Dice, body: list[Limb], plan: int) -> list[Limb]:
    """One limb of quite another body, planted somewhere on this one."""
    other = PLANS[(plan + 1 + int(u(0, len(PLANS) - 1.01))) % len(PLANS)](u)
    limb_taken = other[1 + int(u(0, len(other) - 1.01))]
    host = body[int(u(0, min(3, len(body)) - 0.01))]
    return [
        replace(limb_taken, places=limb_taken.places + host.at(u(0.0, 1.0)) - limb_taken.places[0])
    ]


def _limbs(u: Dice, plan: int) -> list[Limb]:
    body = PLANS[plan % len(PLANS)](u)
    body += _graft(u, body, plan)
    if u(0, 1) < 0.5 and len(body) > 4:
        del body[len(body) - 2]
    for _ in range(int(u(0.5, 2.2))):
        body += _oddity(u, body)
    return body


def skeleton(rng: np.random.Generator, plan: int) -> np.ndarray:
    """The bones of one body, (N, 4) spheres x, y, z, radius in an open frame: a plan with a limb of
    another and oddities."""

    def u(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    spheres = np.concatenate(
        [np.column_stack([part.places, part.girths]) for part in _limbs(u, plan)]
    )
    spheres[:, :3] += rng.normal(0, 0.014, (len(spheres), 3))
    spheres[:, 3] *= rng.uniform(0.8, 1.16, len(spheres))
    if u(0, 1) < 0.5:
        spheres[:, 0] *= -1
    return spheres
