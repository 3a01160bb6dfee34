"""What every request and every response goes through."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ._limits import BODY

__all__ = ["Guard"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


class Guard:
    """Refuses what other sites send and what is too long; nothing of others runs in our page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        length = 0

        async def received() -> Message:
            nonlocal length
            message = await receive()
            length += len(message.get("body", b""))
            if length > BODY:
                raise HTTPException(413, _too_long())
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        origin = headers.get("origin")
        if origin and urlsplit(origin).netloc != headers.get("host"):
            refusal = JSONResponse({"error": "other sites may not ask here"}, 403)
            await refusal(scope, receive, sent)
        elif int(headers.get("content-length") or 0) > BODY:
            await JSONResponse({"error": _too_long()}, 413)(scope, receive, sent)
        else:
            await self._app(scope, received, sent)


def _too_long() -> str:
    return f"the request is longer than {BODY} bytes"
