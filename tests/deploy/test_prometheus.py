"""Alerts and rules can be parsed, ask for metrics that there are, and are explained."""

import re
from typing import Any

import promql_parser
import pytest
from deploy.manifests import DEPLOY, read, resources
from http_client import CHECKOUT
from prometheus_client.parser import text_string_to_metric_families

from shelfie.api import metrics
from shelfie.api.app import create_app
from shelfie.api.settings import Settings

RULES = [
    rule
    for group in read(DEPLOY / "prometheus/alerts.yaml")["groups"]
    for rule in group["rules"]
]  # fmt: skip
ADAPTER = read(DEPLOY / "prometheus/adapter.yaml")["rules"]
OPERATING = (CHECKOUT / "docs" / "operating.md").read_text(encoding="utf-8")
QUERIES = {rule["alert"]: rule["expr"] for rule in RULES} | {
    f"page {number}": text.strip()
    for number, text in enumerate(re.findall(r"^```promql\n(.*?)^```$", OPERATING, re.M | re.S))
}


def metrics_and_labels() -> dict[str, set[str]]:
    """Every name that a scrape has, with its labels."""
    found: dict[str, set[str]] = {"up": {"job", "instance"}}
    for family in metrics.REGISTRY.collect():
        collector = metrics.REGISTRY._names_to_collectors[family.name]
        names = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}[family.type]
        for name in names:
            labels = set(collector._labelnames)  # type: ignore[attr-defined]
            found[family.name + name] = labels | ({"le"} if name == "_bucket" else set())
    text = create_app(Settings()).test_client().get("/metrics").get_data(as_text=True)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if not sample.name.endswith("_created"):  # of one process alone, as in tests
                found.setdefault(sample.name, set(sample.labels))
    return found


KNOWN = metrics_and_labels()


def check(query: str) -> None:
    """Its selectors name metrics and labels of ours."""
    promql_parser.parse(query)
    for name, matchers in re.findall(r"\b(up|shelfie_\w+)\b(?:\{(.*?)\})?", query):
        if name in {label for labels in KNOWN.values() for label in labels}:
            continue
        assert name in KNOWN, f"{name} in {query}"
        for label in re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", matchers):
            assert label in KNOWN[name] | {"instance", "job"}, f"{label} of {name} in {query}"


@pytest.mark.parametrize("name", QUERIES)
def test_queries(name: str) -> None:
    check(QUERIES[name])


def test_a_wrong_query_would_be_found() -> None:
    for query in ("sum(rate(shelfie_requests[5m]))", 'shelfie_slots{kind="calls"}'):
        with pytest.raises(AssertionError):
            check(query)


def test_reasons_that_alerts_name_exist() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in sorted((CHECKOUT / "api").rglob("*.py"))
    )
    for query in QUERIES.values():
        for value in re.findall(r'reason=~?"([^"]+)"', query):
            for reason in value.split("|"):
                assert f'"{reason}"' in source


def test_the_page_says_what_to_do() -> None:
    """One row for each alert, and one for each metric."""
    for rule in RULES:
        assert re.search(rf"^\| `{rule['alert']}` \|", OPERATING, re.M), rule["alert"]
        assert rule["annotations"]["summary"]
    for name in KNOWN:
        base = re.sub(r"_(bucket|sum|count)$", "", name)
        assert base == "up" or f"`{base}`" in OPERATING, base


def test_the_autoscaler_asks_for_what_the_adapter_tells() -> None:
    (rule,) = ADAPTER
    scaler: dict[str, Any] = resources(DEPLOY / "kubernetes/autoscaler.yaml")[0]
    asked = [
        metric["pods"]["metric"]["name"]
        for metric in scaler["spec"]["metrics"]
        if metric["type"] == "Pods"
    ]
    assert asked == [rule["name"]["as"]]
    query = rule["metricsQuery"]
    query = query.replace("<<.GroupBy>>", "pod").replace("<<.LabelMatchers>>", 'pod=~"a|b"')
    check(query.replace(',pod=~"a|b"', ""))
    promql_parser.parse(query)
    promql_parser.parse(rule["seriesQuery"])
