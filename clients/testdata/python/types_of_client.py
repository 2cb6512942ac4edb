"""Uses the client as a strictly typed program does. A line marked "ignore" that has no error is an error, too."""
# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from typing import Awaitable

import rubric_bundle
from rubric_bundle import AuditRecord


def store(record: AuditRecord) -> int:
    return len(record.id)


async def store_later(record: AuditRecord) -> None:
    raise OSError(record.id)


def promise(record: AuditRecord) -> Awaitable[None]:
    return store_later(record)


def plain() -> str:
    bundle = rubric_bundle.open("b.zip", audit=store)
    bundle.verify(after=rubric_bundle.open(b"", audit=store_later))
    return bundle.get("a", "~1.1", request_id="r-17").reference + rubric_bundle.open(b"").resolve("a").reference


def followed() -> str:
    with rubric_bundle.follow("b.zip", digest="sha256:0", last_good="good", audit=store) as live:
        return live.get("a").reference + live.current.resolve("a").reference + live.refused


async def followed_later() -> str:
    live = rubric_bundle.follow("https://example.com/b.zip", any_digest=True, token="t", audit=store_later)
    await live.current.aget("a")
    return (await live.aget("a")).reference + str(live.age + live.checks)


async def awaited() -> str:
    bundle = rubric_bundle.open("b.zip", audit=store_later)
    document = await bundle.aget("a", actor="ann")
    await rubric_bundle.open("b.zip", audit=store).aget("a")
    rubric_bundle.verdict(document, {"a": 3}, [])
    return (await bundle.aresolve(document.reference)).version


def mistakes() -> None:
    later = rubric_bundle.open("b.zip", audit=store_later)
    later.get("a")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    later.resolve("a")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    rubric_bundle.open(b"", audit=promise).get("a")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    rubric_bundle.follow(lambda: b"", any_digest=True, audit=store_later).get("a")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    rubric_bundle.follow(lambda: None, any_digest=True)  # pyright: ignore[reportArgumentType]
    rubric_bundle.open("b.zip").get("a", requestId="r")  # pyright: ignore[reportCallIssue]
    rubric_bundle.verdict(rubric_bundle.open("b.zip").get("a"), {"a": 3})  # pyright: ignore[reportCallIssue]
    rubric_bundle.verdict(None, {"a": 3}, [])  # pyright: ignore[reportArgumentType]
