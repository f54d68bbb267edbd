"""Checks evidence over HTTP: streams each finding as it is found, from a process of its own that can be killed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from api.evidence.archive import not_a_zip
from api.evidence.findings import Finding, Level
from api.evidence.keys import mistyped
from api.http.addresses import is_loopback
from api.http.problems import documented
from api.http.readings import client_of
from api.http.worker.command import command, environment
from api.http.worker.desk import SenderLeft
from api.http.worker.fair_queue import Busy, FairQueue

EVIDENCE_BYTES = 256 * 1024 * 1024
"""The largest zip that is checked here, with some sixty photos. Larger ones are checked with the command `muggins verify`."""
_MEGABYTES, _SECONDS = 2048, 1800.0
"""Limits of memory and of CPU time for one zip. The checks skip photos before reaching them, and report that."""
_BUSY = "This server is checking other evidence. Wait a little, or check it on a computer with `muggins verify`."
_NOT_DONE = "Checking takes more memory or time than this server gives. Check it on a computer with `muggins verify`."
_MOST_FILES, _MOST_OF_CLIENT = 6, 2
"""Zips on this server's disk at once, in all and of one address: those being received, waiting, or being checked. This
computer's own address may be a proxy's, with the zips of all clients.
"""
_MOST_HEADS = 100
_HASH = r"^[\s-]*(([A-Za-z2-7][\s-]*){16}|([0-9A-Fa-f][\s-]*){64})$"
"""A head or key as people write it down: sixteen letters and digits in groups, or all 64 digits. For documentation only:
`api.evidence.keys.mistyped` reports what is wrong with others.
"""
_Hash = Annotated[str, Field(max_length=100, json_schema_extra={"pattern": _HASH})]

router = APIRouter(prefix="/v1/verifications", tags=["evidence"])


class FoundLine(BaseModel):
    """One check."""

    level: Level = Field(description="`ok`; `warning`: a person should look; `wrong`: it is false.")
    code: str = Field(description="Stable name of the check, for programs.")
    text: str = Field(description="A sentence for a person.")
    line: int | None = Field(description="Of the record, from 1, if it is about a single line.")


class VerdictLine(BaseModel):
    """The last line. If it is missing, the checks were aborted."""

    verdict: Level = Field(description="The worst level of all findings.")
    game: str | None = Field(description="Id of the game at the server that signed it, if its signature is right.")
    key: str | None = Field(description="Key of that server, hexadecimal.")
    heads: list[str] = Field(description="The hash of each line of the record, if that is valid.")


def install(app: FastAPI) -> None:
    """Add the route."""
    app.state.checking = Places(FairQueue(_BUSY))
    app.include_router(router)


@dataclass
class Places:
    """Slots for zips on this server's disk: few per client, so that slow uploads do not block the checks for others."""

    queue: FairQueue
    of: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """Hold one slot.

        Raises:
            Busy: there is none left, in all or for this client.
        """
        if self.of.total() >= _MOST_FILES or (not is_loopback(client) and self.of[client] >= _MOST_OF_CLIENT):
            raise Busy(_BUSY)
        self.of[client] += 1
        try:
            yield
        finally:
            self.of[client] -= 1
            if not self.of[client]:
                del self.of[client]


def _places(request: Request) -> Places:
    places: Places = request.app.state.checking
    return places


_ZIP: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The zip, as from `get_evidence` or `muggins evidence`.",
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A line of JSON for each finding (FoundLine), as it is found, then one of the verdict (VerdictLine).",
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.post(
    "",
    operation_id="verify_evidence",
    response_class=StreamingResponse,
    responses=_LINES | documented(400, 413, 415, 422, 503),
    openapi_extra=_ZIP,
)
async def verify_evidence(
    request: Request,
    places: Annotated[Places, Depends(_places)],
    head: Annotated[
        list[_Hash] | None,
        Query(description="A head that you noted, short or full; repeatable.", max_length=_MOST_HEADS),
    ] = None,
    key: Annotated[_Hash | None, Query(description="The server's key as you know it, short or full.")] = None,
) -> StreamingResponse:
    """Check the evidence of a game: chain, every score, signature, and a new reading of every photo. Nothing of it is kept."""
    for code in (*(head or ()), *((key,) if key is not None else ())):
        if slip := mistyped(code):
            raise HTTPException(422, slip)
    async with AsyncExitStack() as stack:
        stack.enter_context(places.place(client_of(request)))
        file = stack.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
        await _received(request, file)
        # Only now: a slow sender blocks nobody. Time limits for the upload are set by the connection.
        await stack.enter_async_context(places.queue.turn(client_of(request), player=False))
        process = await _started(file, head or [], key)
        stack.push_async_callback(_ended, process)
        return _Findings(process, stack.pop_all())


async def _received(request: Request, file: BinaryIO) -> None:
    try:
        async for part in request.stream():
            file.write(part)
    except ClientDisconnect as error:
        raise SenderLeft from error
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise HTTPException(415, "Send the zip itself as the body of the request, not as a file in a form.")
    if not file.tell():
        raise HTTPException(400, "No file came. Send the zip of the evidence as the body of the request.")
    if other := not_a_zip(file):
        raise HTTPException(415, other)


async def _started(file: BinaryIO, heads: Sequence[str], key: str | None) -> asyncio.subprocess.Process:
    asked = json.dumps({"heads": list(heads), "key": key})
    program = command("api.http.worker.checks", str(_MEGABYTES), str(_SECONDS), asked)
    told = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *program, stdin=file, stdout=told, env=environment(), limit=_LONGEST_LINE
    )


_LONGEST_LINE = 4 * 1024**2
"""In bytes; the verdict on a record of twenty thousand lines has a third of it."""


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


class _Findings(StreamingResponse):
    """The findings of a process, line by line; the process ends with the response, however that ends."""

    def __init__(self, process: asyncio.subprocess.Process, stack: AsyncExitStack) -> None:
        super().__init__(_lines(process), media_type="application/x-ndjson", headers={"x-accel-buffering": "no"})
        self._stack = stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._stack:
            await super().__call__(scope, receive, send)


async def _lines(process: asyncio.subprocess.Process) -> AsyncIterator[bytes]:
    assert process.stdout is not None
    async for line in process.stdout:
        yield line
    if await process.wait() != 0:
        yield _said(Finding("warning", "over-budget", _NOT_DONE).to_json())
        yield _said({"verdict": "warning", "game": None, "key": None, "heads": []})


def _said(what: dict[str, Any]) -> bytes:
    return f"{json.dumps(what)}\n".encode()
