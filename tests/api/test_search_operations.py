"""What users of such services complain of elsewhere, asked of ours; docs/service.md lists it."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api.app import create_app
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

BOTH = pytest.mark.parametrize("game", GAMES)
# The mover is seat 1, whose card is 1; the other player's is sent although it is a secret.
SHOWN = DECISIONS["tile"].replace("?,1", "7,1")


def ask(client: FlaskClient, game: str, operation: str, **request: Any) -> dict[str, Any]:
    answer = client.post(f"/v1/games/{game}/{operation}", json=request)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    found: dict[str, Any] = answer.get_json()
    return found


@BOTH
@pytest.mark.parametrize("level", [None, 1, 5, 10])
def test_chosen_is_the_head_of_the_list(client: FlaskClient, game: str, level: int | None) -> None:
    """The list is what the level thinks, so the move it plays is the first of the list."""
    request = {"position": DECISIONS[game], "level": level, "top": 0}
    found = ask(client, game, "analysis", **request)
    first = found["moves"][0]
    assert found["chosen"] == {"rank": 1, "move": first["move"]}
    assert [move["rank"] for move in found["moves"]] == list(range(1, found["moves_total"] + 1))
    assert first["loss"] == 0
    assert all(move["loss"] >= 0 for move in found["moves"])
    played = ask(client, game, "move", **request)
    assert played["chosen"] == found["chosen"]


@BOTH
def test_levels_are_views_of_their_own(client: FlaskClient, game: str) -> None:
    """A weak level's list differs from the full one in order or in values."""
    lists = [
        [(m["move"], m["win_probability"]) for m in
         ask(client, game, "analysis", position=DECISIONS[game], level=level, top=0)["moves"]]
        for level in (1, 2, None)
    ]  # fmt: skip
    assert lists[0] != lists[1] != lists[2] != lists[0]


def test_a_warning_comes_beside_the_answer(client: FlaskClient) -> None:
    """A secret that is sent is not used; the answer is whole, and says so."""
    request = {"limits": {"playouts": 50}, "top": 0, "seed": "w"}
    found = ask(client, "tile", "analysis", position=SHOWN, **request)
    plain = ask(client, "tile", "analysis", position=DECISIONS["tile"], **request)
    assert [warning["code"] for warning in found["warnings"]] == ["hidden-information-ignored"]
    assert plain["warnings"] == []
    assert found["moves"] == plain["moves"]
    assert found["position_hash"] == plain["position_hash"]
    opened = ask(client, "tile", "analysis", position=SHOWN, information="open", **request)
    assert opened["warnings"] == []


def test_playouts_are_exact(client: FlaskClient) -> None:
    for playouts in (1, 37, 500):
        found = ask(client, "tile", "analysis", position=DECISIONS["tile"],
                    limits={"playouts": playouts}, top=0)  # fmt: skip
        assert found["search"]["playouts"] == playouts
        assert found["search"]["stopped_by"] == "playouts"
        assert sum(move["playouts"] for move in found["moves"]) == playouts


@BOTH
def test_which_answer_belongs_to_which_question(client: FlaskClient, game: str) -> None:
    hashes = set()
    for number, position in enumerate((DECISIONS[game], CHANCES[game], OVER[game])):
        found = ask(client, game, "evaluation", position=position, id=f"turn-{number}")
        assert found["id"] == f"turn-{number}"
        hashes.add(found["position_hash"])
    assert len(hashes) == 3


@BOTH
def test_values_before_chance_decides(client: FlaskClient, game: str) -> None:
    """The value before a roll or a refill needs no result of it; both objectives have one."""
    found = ask(client, game, "evaluation", position=CHANCES[game])
    assert sum(found["root"]["win_probability"]) == pytest.approx(1)
    assert len(found["root"]["expected_score"]) == 2
    request = {"position": DECISIONS[game], "top": 0}
    win, score = (
        ask(client, game, "analysis", **request, objective=objective)["moves"]
        for objective in ("win", "score")
    )
    assert [move["loss"] for move in win] != [move["loss"] for move in score]


@BOTH
@pytest.mark.parametrize("operation", ["analysis", "move"])
def test_after_the_end_there_is_no_move(client: FlaskClient, game: str, operation: str) -> None:
    """`finished`, the final result, and no field that could be taken for a move."""
    found = ask(client, game, operation, position=OVER[game])
    assert found["status"] == "finished"
    assert "chosen" not in found
    if operation == "analysis":
        assert found["moves"] == []
        assert sum(found["root"]["win_probability"]) == pytest.approx(1)


@BOTH
@pytest.mark.parametrize("operation", ["analysis", "move"])
def test_a_deadline_always_leaves_a_move(client: FlaskClient, game: str, operation: str) -> None:
    """However short: the move is a legal one, and the answer says what cut it."""
    legal = ask(client, game, "legal-moves", position=DECISIONS[game])["moves"]
    found = ask(client, game, operation, position=DECISIONS[game], deadline_ms=1)
    assert found["chosen"]["move"] in legal
    assert found["search"]["stopped_by"] in ("deadline", "exact")


def test_a_filter_in_another_order_of_equal_tiles_holds(client: FlaskClient) -> None:
    """Equal tiles taken in another order are the same move, listed once; a filter finds it."""
    room = "9/9/9/3CC4/9/9/9/9/9 5/5/5/5/5/3BT|5/5/5/5/5/CG3 0 0 staircase,x_shape 7,? -"
    assert "34,33>2" not in ask(client, "tile", "legal-moves", position=room)["moves"]
    request = {"position": room, "limits": {"playouts": 20}, "top": 0}
    allowed = ask(client, "tile", "analysis", **request, allow=["34,33>2"])
    assert [move["move"] for move in allowed["moves"]] == ["33,34>2"]
    avoided = ask(client, "tile", "analysis", **request, avoid=["34,33>2"])
    assert "33,34>2" not in [move["move"] for move in avoided["moves"]]
    assert avoided["moves_total"] == 14, "two tiles and their pair, in five columns, less one"


@BOTH
def test_ratings_come_with_their_conditions(client: FlaskClient, game: str) -> None:
    levels = client.get(f"/v1/games/{game}").get_json()["levels"]
    assert [level["level"] for level in levels] == list(range(1, 11))
    for level in levels:
        for entry in level["measured"]:
            assert entry["rating_95"] > 0
            assert {"players", "anchor", "match", "games", "seats", "win_share_95"} <= set(entry)
    ratings = [level["measured"][0]["rating"] for level in levels]
    assert ratings == sorted(ratings)
    assert ratings[0] < 0, "greedy is 0, and level 1 loses to it"


@BOTH
def test_what_may_be_asked_is_told_beforehand(game: str) -> None:
    """How many at once, who waits how long, and the quota, so that nobody has to guess."""
    settings = Settings(slots=3, queue=5, queue_ms=700, batches=2, quota=60)
    told = create_app(settings).test_client().get(f"/v1/games/{game}").get_json()["limits"]
    assert told["admission"] == {
        "slots": 3, "queue": 5, "queue_ms": 700, "batches": 2, "calls_per_minute": 60,
    }  # fmt: skip
    assert told["maximum"]["time_ms"] == 30_000


@BOTH
def test_hints(client: FlaskClient, game: str) -> None:
    """Several good moves, what each gives away, and what it does or aims at."""
    found = ask(client, game, "analysis", position=DECISIONS[game], top=5)
    assert len(found["moves"]) == 5
    assert all(reason["type"] for move in found["moves"] for reason in move["reasons"])
    assert any(move["reasons"] for move in found["moves"])
    if game == "dice":
        keeps = [move for move in found["moves"] if move["detail"]["type"] == "keep"]
        assert keeps
        for keep in keeps:
            assert keep["targets"]
            assert all(0 < target["probability"] <= 1 for target in keep["targets"])
