"""Errors as problem details (RFC 9457): one format for every HTTP error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.routing import compile_path

from api.http.worker.desk import SenderLeft
from api.http.worker.fair_queue import Busy
from api.interpret.corrections import InvalidCorrection
from scorer.games.scoring import ThrowError
from vision.photo import PhotoError

MEDIA_TYPE = "application/problem+json"
MOST_TOLD = 10
"""Maximum number of validation errors reported per request."""
_OWN = "Value error, "
"""Prefix that pydantic adds to the messages of our own checks."""
_LONGEST = 300
"""Maximum characters of each, since it may quote the request."""

_STATUS_OF_PHOTO_ERROR = {"too-large-file": 413, "not-a-photo": 415, "unsupported-format": 415}
_CODE_OF_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large-file",
    415: "unsupported-format",
    422: "invalid-request",
}


class Problem(BaseModel):
    """What went wrong, for programs (`code`, `status`) and for people (`detail`)."""

    type: str = Field(description="Always `about:blank`; `code` identifies the problem.")
    title: str = Field(description="The name of the HTTP status.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A sentence for a person.")
    code: str = Field(description="Stable name of the problem, for programs.")


def problem(status: int, code: str, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The response for a problem."""
    body = Problem(type="about:blank", title=HTTPStatus(status).phrase, status=status, detail=detail, code=code)
    return JSONResponse(body.model_dump(), status, headers, media_type=MEDIA_TYPE)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Entries for a route's `responses`, one per problem status."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": HTTPStatus(status).phrase, "content": content} for status in statuses}


class BodyTooLarge(HTTPException):
    """The request is larger than this server accepts."""

    def __init__(self, limit: int, way_out: str = "") -> None:
        """More than `limit` bytes came; `way_out`: a sentence on what to do about it."""
        # Whole MB: the limit for a photo of 25 MB has some kB more, for the rest of the form.
        much = f"{limit / 1024:.3g} kB" if limit < 1024**2 else f"{limit // 1024**2} MB"
        super().__init__(413, f"That is more than {much}{way_out or TOO_MUCH_JSON}")


TOO_MUCH_JSON = ", which is more than any request without a photo needs."
TOO_MUCH_PHOTO = ". Save the photo as a JPEG, or make it smaller."
TOO_MUCH_PROFILE = ". Teach it again from fewer photos."
TOO_MUCH_EVIDENCE = ". Check it on a computer with `muggins verify`."


def install(app: FastAPI) -> None:
    """Make `app` report every error as a problem, and add the problem schema to its description."""
    app.openapi = partial(_described, app.openapi)  # type: ignore[method-assign] # FastAPI's own way to extend it
    app.add_exception_handler(PhotoError, _photo_error)
    app.add_exception_handler(ThrowError, _question_error)
    app.add_exception_handler(InvalidCorrection, _not_corrected)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Busy, _busy)
    app.add_exception_handler(SenderLeft, _left)
    app.add_exception_handler(StarletteHTTPException, http_error)
    app.add_exception_handler(Exception, _bug)


def _described(describe: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    description = describe()
    description.setdefault("components", {}).setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
    return description


def _photo_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PhotoError)
    return problem(_STATUS_OF_PHOTO_ERROR.get(error.code, 422), error.code, error.message)


def _question_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ThrowError)
    return problem(422, error.code, error.message)


def _not_corrected(_: Request, error: Exception) -> JSONResponse:
    return problem(422, "bad-correction", str(error))


def _busy(_: Request, error: Exception) -> JSONResponse:
    return problem(503, "busy", str(error), {"Retry-After": "3"})


def _left(_: Request, __: Exception) -> Response:
    """The client has disconnected; the status (nginx's 499) is for log and metrics."""
    return Response(status_code=499)


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    if any(one["loc"][:1] == ("body",) for one in errors) and (text := _other_body(request)):
        return problem(422, "invalid-request", text)
    told = [_in_words(one) for one in errors[:MOST_TOLD]]
    more = [f"and {len(errors) - MOST_TOLD} more"] if len(errors) > MOST_TOLD else []
    return problem(422, "invalid-request", "; ".join([*told, *more]))


def _other_body(request: Request) -> str:
    """The error for a body of another media type than the operation takes; empty if it does not apply."""
    takes = _operation(request).get("requestBody", {}).get("content", {})
    came = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not takes or came in takes or came.endswith("+json"):
        return ""
    how = f"came as {came[:100]}" if came else "has no such header"
    return f"This request takes a body with the header Content-Type: {' or '.join(takes)}, and yours {how}."


def _operation(request: Request) -> Mapping[str, Any]:
    """The OpenAPI description of the requested operation; empty if there is none."""
    path = getattr(request.scope.get("route"), "path_format", "")
    described: Mapping[str, Any] = request.app.openapi()["paths"].get(path, {}).get(request.method.lower(), {})
    return described


def _in_words(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return _no_json(error)
    if error["loc"] == ("body",):
        return _whole_body(error)
    where = ".".join(str(part) for part in error["loc"] if part != "body")
    text = str(error["msg"]).removeprefix(_OWN)
    said = f"{where}: {text}" if where else text
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"


def _no_json(error: Mapping[str, Any]) -> str:
    """The error for a body, or a part of a form, that is not JSON; with the position in a body."""
    why = str((error.get("ctx") or {}).get("error", ""))[:_LONGEST] or "it cannot be read"
    *_, place = error["loc"]
    return (
        f"The body is no JSON: {why} at character {place}." if isinstance(place, int) else f"{place} is no JSON: {why}."
    )


def _whole_body(error: Mapping[str, Any]) -> str:
    """The error of the body as a whole: its type, or the message of one of our own checks."""
    if error["type"] == "missing":
        return "The body has to be a JSON object; none came. Send {} if there is nothing to say."
    if error["type"] == "value_error":
        return str(error["msg"]).removeprefix(_OWN)
    return 'The body has to be a JSON object, such as {"lines": 1}.'


def http_error(request: Request, error: Exception) -> JSONResponse:
    """The problem of an `HTTPException`."""
    assert isinstance(error, StarletteHTTPException)
    code = _CODE_OF_STATUS.get(error.status_code, "error")
    headers = dict(error.headers or {})
    detail = str(error.detail)
    if error.status_code == 405 and (methods := _methods(request)):
        headers["Allow"] = ", ".join(methods)
        detail = f"{request.method} is not possible here. Use {' or '.join(methods)}."
    if detail == HTTPStatus.NOT_FOUND.phrase:
        detail = "There is nothing at this address. All that this server answers to is listed at /docs."
    return problem(error.status_code, code, detail, headers)


def _methods(request: Request) -> list[str]:
    """All methods of an address, as described; Starlette itself lists those of a single route."""
    paths = request.app.openapi()["paths"]
    found = [path for path in paths if compile_path(path)[0].match(request.url.path)]
    # As in OpenAPI: a path without parameters takes precedence over one with them.
    path = min(found, key=lambda each: each.count("{"), default=None)
    return sorted(method.upper() for method in paths[path]) if path else []


def _bug(_: Request, __: Exception) -> JSONResponse:
    return problem(500, "internal-error", "Something broke here; the server's log has the details.")
