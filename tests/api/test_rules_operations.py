"""new, legal-moves, apply, score over HTTP."""

from typing import Any

import pytest
import vectors
from flask.testing import FlaskClient
from sample_positions import CHANCES, DECISIONS, OVER

GAMES = ["tile", "dice"]


def ask(client: FlaskClient, game: str, operation: str, **request: Any) -> dict[str, Any]:
    answer = client.post(f"/v1/games/{game}/{operation}", json=request)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    body: dict[str, Any] = answer.get_json()
    assert body["game"] == game
    return body


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_new_repeats_with_its_seed(client: FlaskClient, game: str, players: int) -> None:
    first = ask(client, game, "new", players=players)
    again = ask(client, game, "new", players=players, seed=first["seed"])
    assert again == first
    assert list(first) == ["game", "position", "notation", "node", "seed"]
    assert first["position"]["players"] == players


def test_new_without_a_seed_differs(client: FlaskClient) -> None:
    seeds = {ask(client, "tile", "new", players=2)["seed"] for _ in range(5)}
    assert len(seeds) == 5


def test_new_takes_the_options(client: FlaskClient) -> None:
    rules = {"refill": "keep", "squares": "any"}
    answer = ask(
        client, "tile", "new", players=3, common_goals=1, personal_goals=False, rules=rules
    )
    position = answer["position"]
    assert len(position["common_goals"]) == 1
    assert position["personal_goals"] == []
    assert position["rules"] == {"refill": "keep"}
    sheet = {"columns": [1, 1, 2, 2, 6], "values": [[0, 1, 2, 3, 4]] * 5}
    assert ask(client, "dice", "new", players=2, sheet=sheet)["position"]["sheet"] == sheet


@pytest.mark.parametrize("game", GAMES)
def test_rules_agree_with_the_vectors(client: FlaskClient, game: str) -> None:
    """Both forms of every twentieth position: moves, node, scores, winners."""
    for case in vectors.load(f"{game}_positions")[::20]:
        for form in (case["position"], case["notation"]):
            moves = ask(client, game, "legal-moves", position=form)
            assert moves["moves_total"] == case["moves_total"]
            assert moves["moves"] == case.get("legal_moves", moves["moves"])
            assert moves["node"] == case["node"]
            assert moves["to_move"] == case["position"]["to_move"]
            assert moves["position"] == case["position"]
            assert moves["notation"] == case["notation"]
            score = ask(client, game, "score", position=form)
            assert score["scores"] == case["scores"]
            assert score["winners"] == case["winners"]
            assert score["over"] is (case["node"] == "terminal")


@pytest.mark.parametrize("game", GAMES)
def test_apply_agrees_with_the_vectors(client: FlaskClient, game: str) -> None:
    for case in vectors.load(f"{game}_applies")[::10]:
        request = {"position": case["notation"], "move": case["move"]}
        if "outcome" in case:
            request["outcome"] = case["outcome"]
        after = ask(client, game, "apply", **request)
        assert after["position"] == case["result"]
        assert after["notation"] == case["result_notation"]
        assert after["node"] == case["result_node"]
        assert after["seed"] is None
        resolved = [{"move": case["move"], "outcome": case["outcome"]}] if "outcome" in case else []
        assert after["outcomes"] == resolved


@pytest.mark.parametrize("game", GAMES)
def test_chance_repeats_and_follows_its_seed(client: FlaskClient, game: str) -> None:
    request = {"position": CHANCES[game], "move": {"tile": "refill", "dice": "roll"}[game]}
    derived = ask(client, game, "apply", **request)
    assert ask(client, game, "apply", **request) == derived
    assert ask(client, game, "apply", **request, seed=derived["seed"]) == derived
    others = [ask(client, game, "apply", **request, seed=f"s{i}") for i in range(4)]
    assert len({other["notation"] for other in others}) > 1
    assert [other["seed"] for other in others] == ["s0", "s1", "s2", "s3"]
    # The outcome that was drawn, given back, leads to the same place.
    (drawn,) = derived["outcomes"]
    given = ask(client, game, "apply", **request, outcome=drawn["outcome"])
    assert given["notation"] == derived["notation"]
    assert given["seed"] is None


def test_the_derived_seed_does_not_depend_on_the_form(client: FlaskClient) -> None:
    notation = CHANCES["dice"]
    position = ask(client, "dice", "legal-moves", position=notation)["position"]
    answers = [ask(client, "dice", "apply", position=p, move="roll") for p in (notation, position)]
    assert answers[0] == answers[1]


def test_until_decision_resolves_what_follows(client: FlaskClient) -> None:
    """Marking ends the turn; the next player's roll is made on the way."""
    marks = ask(client, "dice", "legal-moves", position=DECISIONS["dice"])["moves"]
    mark = next(move for move in marks if move.startswith("mark:"))
    request = {"position": DECISIONS["dice"], "move": mark}
    stop = ask(client, "dice", "apply", **request)
    assert (stop["node"], stop["outcomes"], stop["seed"]) == ("chance", [], None)
    on = ask(client, "dice", "apply", **request, until="decision")
    assert on["node"] == "decision"
    assert [done["move"] for done in on["outcomes"]] == ["roll"]
    assert on["position"]["dice"] == on["outcomes"][0]["outcome"]
    assert on["seed"] is not None


def test_until_decision_after_a_given_outcome(client: FlaskClient) -> None:
    request = {"position": DECISIONS["dice"], "move": "keep:PP", "outcome": "PPPPPJ"}
    answer = ask(client, "dice", "apply", **request, until="decision")
    assert answer["outcomes"] == [{"move": "keep:PP", "outcome": "PPPPPJ"}]
    assert answer["seed"] is None


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game(client: FlaskClient, game: str) -> None:
    answer = ask(client, game, "legal-moves", position=OVER[game])
    assert (answer["node"], answer["moves"], answer["moves_total"]) == ("terminal", [], 0)
    score = ask(client, game, "score", position=OVER[game])
    assert score["over"] is True
    assert sum(score["winners"]) == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_over_http(client: FlaskClient, game: str) -> None:
    """Always the last legal move, chance resolved by the service, until the game is over."""
    state = ask(client, game, "new", players=3, seed="whole")
    for turn in range(500):
        moves = ask(client, game, "legal-moves", position=state["notation"])
        if moves["node"] == "terminal":
            break
        request = {"position": state["notation"], "move": moves["moves"][-1], "seed": f"t{turn}"}
        state = ask(client, game, "apply", **request, until="decision")
    assert ask(client, game, "score", position=state["notation"])["over"] is True
