"""A fresh application for every test module."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from shelfie.api.app import create_app
from shelfie.api.settings import Settings


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
