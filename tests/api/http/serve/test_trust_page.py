from __future__ import annotations

from pathlib import Path

import pytest
from cryptography import x509
from fastapi.testclient import TestClient

from api.http.serve.certificates import Certificates
from api.http.serve.trust_page import plain_app


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return Certificates(tmp_path_factory.mktemp("data")).for_server((), ()).authority


@pytest.fixture
def phone(authority: bytes) -> TestClient:
    app = plain_app(authority, 8000, ["dice.example"])
    return TestClient(app, base_url="http://192.168.1.20:8001", follow_redirects=False)


def test_the_page_explains_both_kinds_of_phones_and_runs_nothing(phone: TestClient) -> None:
    response = phone.get("/trust")
    assert response.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in response.headers["content-security-policy"]
    assert "<script" not in response.text
    assert "style=" not in response.text
    for part in response.text.split('<section aria-labelledby="')[1:3]:
        assert part.count("<li>") == 2, "two steps"
        assert 'href="/trust/muggins.crt"' in part
    assert {"android", "iphone"} == {part.split('"')[0] for part in response.text.split('<h2 id="')[1:3]}


def test_everything_the_page_needs_is_there(phone: TestClient) -> None:
    page = phone.get("/trust").text
    needed = {part.split('"')[0] for mark in ('href="/', 'src="/') for part in page.split(mark)[1:]}
    assert "web/trust/trust.css" in needed
    for path in needed:
        assert phone.get(f"/{path}").status_code in (200, 307), path


def test_the_file_is_what_phones_install(phone: TestClient, authority: bytes) -> None:
    response = phone.get("/trust/muggins.crt")
    assert response.headers["content-type"] == "application/x-x509-ca-cert"
    assert response.headers["content-disposition"] == 'inline; filename="muggins.crt"'
    assert response.content == authority
    assert b"PRIVATE" not in response.content
    constraints = x509.load_der_x509_certificate(response.content).extensions
    assert constraints.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.168.1.20:8001", "https://192.168.1.20:8000/"),
        ("[fe80::1]:8001", "https://[fe80::1]:8000/"),
        ("dice.example", "https://dice.example:8000/"),
    ],
)
def test_from_there_it_goes_to_the_games(phone: TestClient, host: str, expected: str) -> None:
    response = phone.get("/trust/games", headers={"host": host})
    assert (response.status_code, response.headers["location"]) == (307, expected)


def test_it_leads_nobody_to_another_host(phone: TestClient) -> None:
    assert phone.get("/trust/games", headers={"host": "evil.example"}).status_code == 421


def test_the_plain_server_has_nothing_else(phone: TestClient) -> None:
    assert phone.get("/").headers["location"] == "/trust"
    assert phone.get("/v1/models").status_code == 404
    assert phone.post("/v1/games", json={}).status_code == 404
    assert phone.get("/web/../certificates.py").status_code == 404
    assert Path("api/web/trust/trust.css").exists()
