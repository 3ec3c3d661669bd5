"""The practice table: a game that plays itself in front of a simulated camera, kept by the real
reader and referee.

With --fast there is no server and no waiting: the evening is played as fast as this machine reads,
each round is printed beside what really happened, and the exit code is 0 only when every ledger
line agrees.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared.decks import card_numbers, open_eye
from companion.commands.shared.options import add_deck, lightened
from companion.errors import BadInput
from companion.evening.loop import frames_of, keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EDITIONS, HANDLINGS
from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS
from companion.practice.truth import Truth
from companion.vision.learnt.deck import LearntDeck

PRACTICE_DECK = "practice"


def configure(parser: argparse.ArgumentParser) -> None:
    """The game to play, and whether to wait for it."""
    from companion.commands.play import add_hall, add_serving

    parser.add_argument("--players", type=int, default=5, help="3 to 8 (default %(default)s)")
    parser.add_argument(
        "--edition", choices=EDITIONS, default="en", help="whose rules (default %(default)s)"
    )
    parser.add_argument(
        "--set-aside", choices=HANDLINGS, default="auto", help="default: as the edition says"
    )
    parser.add_argument(
        "--rounds", type=int, help="play only so many rounds (default: until the deck is used up)"
    )
    parser.add_argument(
        "--seed", type=int, help="the same game again (default: another one each time)"
    )
    parser.add_argument(
        "--temper",
        choices=("calm", "ordinary", "rowdy"),
        default="ordinary",
        help="how people handle cards",
    )
    parser.add_argument(
        "--room", choices=("parlour", "random"), default="parlour", help="whose table and camera"
    )
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="NAME",
        help="let this incident happen often",
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="no server, no waiting: compare the ledger with the truth",
    )
    parser.add_argument(
        "--no-codes",
        action="store_true",
        help="cards as they are published: learnt by their pictures first, then read by them",
    )
    parser.add_argument(
        "--card-shape",
        choices=("disc", "rectangle"),
        default="disc",
        help="of cards without codes: discs of 85 mm (default) or rectangles of 56 x 87 mm",
    )
    add_serving(parser)
    add_hall(parser)
    add_deck(parser)


def run(args: argparse.Namespace) -> int:
    """Play; with --fast 0 when the ledgers agree and 1 when they do not."""
    if not FEWEST_PLAYERS <= args.players <= MOST_PLAYERS:
        raise BadInput(
            f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {args.players}: choose --players"
        )
    if args.rounds is not None and args.rounds < 1:
        raise BadInput(f"{args.rounds} rounds cannot be played: choose --rounds 1 or more")
    if args.card_shape != "disc" and not args.no_codes:
        raise BadInput("cards with codes are round: say --no-codes as well")
    if args.fast and args.hall:
        raise BadInput("a hall is sent what a real evening has: leave --fast or --hall out")
    return _fast(args) if args.fast else _shown(args)


def _shown(args: argparse.Namespace) -> int:
    from companion.commands import play
    from companion.commands.shared.sources import LIKE_A_CAMERA, practice_source
    from companion.commands.shared.stopping import stops_cleanly
    from companion.journal.data_folder import open_folder
    from companion.practice import evening  # noqa: F401 (loaded before anything is opened)
    from companion.web.addresses import check_port_free

    check_port_free(args.host, args.port)
    folder = open_folder(args.data)
    with stops_cleanly() as stopping:
        source = practice_source(LIKE_A_CAMERA, args, folder)
        deck = _taught(args, folder) if args.no_codes else None
        return play.keep_evening(source, folder, args, stopping, deck=deck)


def _taught(args: argparse.Namespace, folder: Path | None = None) -> LearntDeck:
    """The practice deck learnt by its pictures at the practice table, as people do; kept in `folder`,
    where it is found the next time."""
    from companion.commands.shared.sources import practice_folder
    from companion.practice.evening import learn_practice_back, learn_practice_deck
    from companion.set_up import deck_store
    from companion.set_up.card_back_store import store_back

    name = PRACTICE_DECK if args.card_shape == "disc" else f"{PRACTICE_DECK} {args.card_shape}"
    if folder is not None and name in deck_store.kept_decks(folder):
        deck = deck_store.kept_deck(folder, name)
    else:
        print("The deck is learnt, eight cards at a time.", flush=True)
        deck = learn_practice_deck(args, name, _say_learnt)
        if folder is not None:
            deck_store.keep_deck(folder, deck)
    args.deck_size = len(deck.cards)
    if folder is not None and (back := learn_practice_back(args, deck)) is not None:
        home = practice_folder(folder)
        home.mkdir(parents=True, exist_ok=True)
        store_back(home, back)
    return deck


def _say_learnt(cards: int) -> None:
    print(f"{cards:>3} cards", flush=True)


def _fast(args: argparse.Namespace) -> int:
    from companion.practice.evening import learn_practice_back, open_practice
    from companion.vision.second_reader.guarded import FOOTAGE_DEADLINE_S, GuardedReader

    table = open_practice(args)
    deck = _taught(args) if args.no_codes else None
    keeper = Scorekeeper(numbers=card_numbers(args, deck))
    keeper.change(Changes((table.begun,)), 0.0)
    printed = 0
    with GuardedReader(FOOTAGE_DEADLINE_S) as second_reader:
        eye = open_eye(args, keeper.numbers, deck, second_reader)
        if deck is not None:
            eye.know_back(learn_practice_back(args, deck))
        for _ in keep_score(frames_of(lightened(table, args), eye), keeper):
            printed = _print_rounds(keeper, table.truth, printed)
    _print_rounds(keeper, table.truth, printed)
    return _verdict(keeper, table.truth)


def _print_rounds(keeper: Scorekeeper, truth: Truth, printed: int) -> int:
    """Print the rounds that ended since; how many have been printed."""
    done = len(keeper.ledger.finished)
    for number in range(printed + 1, done + 1):
        kept, happened = _kept(keeper, number), _happened(keeper, truth, number)
        mark = (
            "asked"
            if number in keeper.book.pending_questions
            else "exact"
            if kept == happened
            else "WRONG"
        )
        print(f"Round {number:>2}  {kept}   {mark}", flush=True)
        if kept != happened:
            print(f"   truth  {happened}", flush=True)
    return max(printed, done)


def _kept(keeper: Scorekeeper, number: int) -> str:
    if number > len(keeper.ledger.rounds):
        return "not played"
    round_, names = keeper.ledger.rounds[number - 1], keeper.ledger.names
    gains = keeper.ledger.gains(round_)
    guesses = [
        (guess.seat, guess.card if not guess.right else None, guess.right)
        for guess in round_.guesses
    ]
    return _line(tuple(round_.known_cards), guesses, gains, names)


def _happened(keeper: Scorekeeper, truth: Truth, number: int) -> str:
    """What happened, as far as names go that the ledger can know: a card that was kept without a name
    has none here, either."""
    if number > len(truth.rounds):
        return "not played"
    line = truth.rounds[number - 1]
    kept = keeper.ledger.rounds[number - 1 : number]
    nameless = [card for round_ in kept for card in round_.known_cards].count(None)
    unknown = {c for c in line.cards if not any(c in round_.known_cards for round_ in kept)}
    unknown = unknown if len(unknown) == nameless else set()

    def named(card: int) -> int | None:
        return None if card in unknown else card

    guesses = [
        (guess.seat, named(guess.card) if not guess.right else None, guess.right)
        for guess in line.guesses
    ]
    gains = line.gains(len(truth.players))
    return _line(tuple(map(named, line.cards)), guesses, gains, truth.players)


def _line(
    cards: tuple[int | None, ...],
    guesses: list[tuple[int, int | None, bool]],
    gains: tuple[int, ...],
    names: tuple[str, ...],
) -> str:
    """One round as text, whoever was right first in the gains: equal lines are equal rounds."""
    lay = " ".join(map(_number, sorted(cards, key=lambda card: card or 0)))
    tried = ", ".join(
        f"{names[seat]} {'right' if right else f'not {_number(card)}'}"
        for seat, card, right in guesses
    )
    right = [seat for seat, _, is_right in guesses if is_right]
    seats = sorted(range(len(gains)), key=lambda seat: seat not in right)
    got = ", ".join(f"{names[seat]} +{gains[seat]}" for seat in seats if gains[seat])
    return f"[{lay}]  {tried}  =>  {got}"


def _number(card: int | None) -> str:
    """As it is printed; a card without a name has none."""
    return "--" if card is None else f"{card:02d}"


def _verdict(keeper: Scorekeeper, truth: Truth) -> int:
    numbers = range(1, max(len(truth.rounds), len(keeper.ledger.rounds)) + 1)
    asked = {pending.round for pending in keeper.book.pending_questions.values()}
    wrong = [n for n in numbers if _kept(keeper, n) != _happened(keeper, truth, n)]
    exact = [n for n in numbers if n not in wrong and n not in asked]
    nameless = sum(
        keeper.ledger.rounds[n - 1].known_cards.count(None)
        for n in exact
        if n <= len(keeper.ledger.rounds)
    )
    without = f" ({nameless} {'card' if nameless == 1 else 'cards'} without a name)"
    print(
        f"{len(truth.rounds)} rounds: {len(exact)} exact{without if nameless else ''}, "
        f"{len(asked)} asked, {len(set(wrong) - asked)} wrong"
    )
    print("the ledgers agree" if not wrong and not asked else "the ledgers differ")
    return 0 if not wrong and not asked else 1
