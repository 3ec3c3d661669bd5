"""A browser without a browser, for the tests of the tablet's server: an evening, its app, a device
let in, a command sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web import Door, Rule, create_app
from tests.support.kept_evening import KeptEvening, played

HOME = "http://localhost"
JSON = {"Origin": HOME, "Content-Type": "application/json"}


@pytest.fixture
def evening() -> KeptEvening:
    return played()


@pytest.fixture
def app(evening: KeptEvening) -> Flask:
    return create_app(
        evening.session, Door(), hosts=["192.168.1.5", "companion.local"], stream_cap=2
    )


def enter(app: Flask, role: Rule = Rule.CONTROL) -> FlaskClient:
    client = app.test_client()
    code = app.extensions["companion"].door.invite(role)
    assert client.get(f"/in/{code}").status_code == 303
    return client


def send(client: FlaskClient, evening: KeptEvening, do: str, **more: Any) -> Any:
    body = {
        "id": more.pop("id", "command-0001"),
        "version": more.pop("version", evening.version),
        "do": do,
        **more,
    }
    return client.post("/api/command", data=json.dumps(body), headers=JSON)
