"""Reads a request's body: media type, JSON, schema. Plugged into flask-smorest's arguments."""

from typing import Any, NoReturn

import marshmallow as ma
from flask import Request
from flask_smorest import Blueprint
from webargs.flaskparser import FlaskParser

from shelfie.api import json_text, schemas
from shelfie.api.request_context import check_content_type


class BodyParser(FlaskParser):
    """webargs' parser with our JSON reader and our faults."""

    def _raw_load_json(self, req: Request) -> Any:
        check_content_type()
        return json_text.loads(req.get_data(cache=False))

    def handle_error(self, error: ma.ValidationError, *_: Any, **__: Any) -> NoReturn:
        assert isinstance(error.messages, dict)
        raise schemas.refused(ma.ValidationError(error.messages["json"])) from None


class ServiceBlueprint(Blueprint):  # type: ignore[misc]  # flask-smorest ships no types
    """A blueprint whose arguments are read strictly."""

    ARGUMENTS_PARSER = BodyParser()
