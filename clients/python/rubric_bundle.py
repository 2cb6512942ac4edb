"""Read a bundle of scoring rubrics, and compute the same verdicts as the library.

One file for Python 3.9 or later that needs only the standard library. It guarantees:

- ``open`` checks the directory, the manifest, and the retired IDs, ``get`` the document that
  it returns and its line of the index, and ``list`` the index. ``Bundle.verify`` checks the whole bundle; ``get`` never returns a
  document that it rejects. Only the command ``rubric verify`` also checks patterns, hidden
  characters, and the changelog: ``hits`` raises an exception for a pattern that it can't use.
- ``verdict``, ``hits``, and ``rule_score`` return the same results as the library's Go
  packages. Vectors in the bundle (``conformance/*.json``) prove it.
- An input that can't be judged raises a typed exception and never passes.
- Returned objects are immutable and safe to share between threads, except for the dicts of
  ``judge_view`` and ``answer_schema``, which are the caller's own.
- Where the API of OpenTelemetry is installed, retrievals are measured with the same metrics
  as in Go.

    bundle = rubric_bundle.open("rubrics.zip", digest="sha256:...")
    rubric = bundle.get("user_story_quality_v1", "~1.2")
    found = rubric_bundle.hits(rubric, text)
    result = rubric_bundle.verdict(rubric, scores, found)
    store(result.passed, rubric.reference)

The whole file is read into memory. Texts are compared in Unicode NFC as this Python
version defines it, so results can differ for characters from newer Unicode versions.
"""

from __future__ import annotations

import base64
import builtins
import contextlib
import functools
import hashlib
import inspect
import json
import logging
import math
import operator
import os
import random
import re
import stat
import struct
import sys
import threading
import time
import unicodedata
import weakref
import zlib
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import (
    Any, Awaitable, Callable, Dict, Iterable, List, Mapping, NamedTuple, NoReturn, Optional, Sequence, Set, Tuple, Type, TypeVar,
    Union, overload,
)

__all__ = [
    "AsyncBundle", "AsyncLive", "AuditError", "AuditRecord", "BadReferenceError", "Bundle", "BundleError", "ConstraintError", "ContinuityError", "CriterionResult",
    "DigestError", "Document", "Entry", "FormatError", "Hit", "InputError", "IntegrityError", "Live", "Match", "NegativeResult", "NotFoundError",
    "Reason", "RetiredError", "Retirement", "RuleOutcome", "RuleReason", "RuleScore", "TextError", "Verdict", "Version", "answer_schema", "follow", "hits", "judge_view",
    "normalize", "open", "rule_score", "satisfies", "verdict",
]

FORMAT_VERSION = 2
"""The newest format of bundles that this module reads. It reads the earlier ones, too."""
TOLERANCE = 1e-9
"""A score reaches a minimum if score >= minimum - TOLERANCE."""


# Errors.


class BundleError(Exception):
    """The base class of all exceptions of this module."""


class FormatError(BundleError):
    """The file is not a bundle, or has a format that this module can't read.

    ``version`` is the unsupported format, or 0 for another reason.
    """

    def __init__(self, message: str, version: int = 0) -> None:
        super().__init__(message)
        self.version = version


class IntegrityError(BundleError):
    """The bundle was changed or damaged. Do not use it; fetch it again."""


class ContinuityError(BundleError):
    """The bundle lacks something that a consumer of an earlier bundle relies on. Keep the earlier one."""


class NotFoundError(BundleError):
    """The document or entry does not exist. ``near`` lists similar IDs.

    They are searched for when ``near`` or the message is first read, because a request can
    carry an unknown ID.
    """

    def __init__(self, message: str, word: str = "", known: Iterable[str] = ()) -> None:
        super().__init__(message)
        self._word, self._known = word, known

    @functools.cached_property
    def near(self) -> Tuple[str, ...]:
        return _near(self._word, self._known)

    def __str__(self) -> str:
        hint = f". Did you mean {' or '.join(self.near)}?" if self.near else ""
        return f"{self.args[0]}{hint}"

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.args[0], self._word, self.near)


class RetiredError(BundleError):
    """The document ``id`` is retired. You can still get it by its version.

    ``last_version`` is its last version, or "" if that was withdrawn. ``reason`` says why it
    is retired, or is "" if the library does not say, and ``replaced_by`` is the ID of the
    document to use instead, or "".
    """

    def __init__(self, id: str, last_version: str = "", reason: str = "", replaced_by: str = "") -> None:
        super().__init__(id, last_version, reason, replaced_by)
        self.id, self.last_version, self.reason, self.replaced_by = id, last_version, reason, replaced_by

    def __str__(self) -> str:
        text = f'"{self.id}" is retired' + (f": {self.reason[:-1] if self.reason.endswith('.') else self.reason}" if self.reason else "")
        text += f'. Use "{self.replaced_by}" instead' if self.replaced_by else ". There is no replacement"
        return text + (f". To explain an old score, get its version, such as {self.last_version}" if self.last_version else "")


class ConstraintError(BundleError):
    """The constraint is invalid, or none of the existing ``versions`` satisfies it."""

    def __init__(self, message: str, versions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.versions = tuple(versions)


class BadReferenceError(BundleError):
    """The reference is invalid."""


class DigestError(BundleError):
    """The content that the reference names differs from that in the bundle, so one of the two was changed."""


class AuditError(BundleError):
    """The audit callback failed; its exception is the cause. No document was returned."""


class TextError(BundleError):
    """The text is not valid Unicode (it contains half of a surrogate pair), so it was not searched."""


class InputError(BundleError, ValueError):
    """The document can't be applied to this input, so there is no verdict, or an argument is wrong. Lists every problem.

    ``arguments`` lists the arguments that are not of the right type, such as None for the hits, and
    ``definition`` the problems of the document itself. ``missing``, ``unknown``,
    ``invalid``, ``inactive``, and ``unknown_hits`` are sorted names.
    """

    def __init__(
        self, document_id: str, *, definition: Sequence[str] = (), missing: Iterable[str] = (),
        unknown: Iterable[str] = (), invalid: Iterable[str] = (), unknown_hits: Iterable[str] = (),
        inactive: Iterable[str] = (), unknown_phase: bool = False, arguments: Sequence[str] = (),
    ) -> None:
        self.arguments = tuple(arguments)
        self.definition = tuple(definition)
        self.missing = tuple(sorted(missing))
        self.unknown = tuple(sorted(unknown))
        self.invalid = tuple(sorted(invalid))
        self.unknown_hits = tuple(sorted(unknown_hits))
        self.inactive = tuple(sorted(inactive))
        self.unknown_phase = unknown_phase
        parts = list(self.arguments + self.definition)
        if unknown_phase:
            parts.append("unknown phase, expected A or B")
        for names, what in (
            (self.missing, "missing:"), (self.unknown, "unknown:"),
            (self.invalid, "invalid value for"), (self.unknown_hits, "unknown negative criterion:"),
            (self.inactive, "not active in this phase:"),
        ):
            if names:
                parts.append(what + " " + ", ".join(map(repr, names)))
        super().__init__((f"{document_id!r} can't be applied: " if document_id else "") + "; ".join(parts))
        self._any = bool(parts)


def _text_of(error: Exception) -> str:
    """The text of an exception of any program, which can have none, or raise another one."""
    try:
        return str(error) or repr(error)
    except Exception:
        return type(error).__name__


def _need_arguments(*problems: str) -> None:
    """Raises InputError if there is a problem that is not ""."""
    found = [problem for problem in problems if problem]
    if found:
        raise InputError("", arguments=found)


def _no_text(name: str, value: object) -> str:
    """The problem of an argument that must be a text, or ""."""
    return "" if isinstance(value, str) else f"{name} must be a text, got {value!r:.100}"


def _no_bool(name: str, value: object) -> str:
    return "" if isinstance(value, bool) else f"{name} must be True or False, got {value!r:.100}"


def _is_path(value: object) -> bool:
    """Reports whether a value can be the path of a file."""
    try:
        path = os.fsencode(value) if isinstance(value, (str, os.PathLike)) else b""
    except (ValueError, TypeError):
        return False
    return path != b"" and b"\0" not in path


def _no_digest(value: object) -> str:
    return "" if _matches(_IS_DIGEST, value) else f"the digest must be sha256: and 64 lowercase hexadecimal digits, got {value!r:.100}"


def _no_audit(value: object) -> str:
    return "" if value is None or callable(value) else f"the audit must be a function, got {value!r:.100}"


# The container. docs/bundle.md describes its format.

_MAX_SIZE = 2**32 - 1
_MAX_ENTRIES = 1_000_000
_MAX_NAME = 300
_MAX_SMALL = 1 << 20  # a document, the manifest, a line of the index or of the calibrations
_MAX_ENTRY = 256 << 20
_MANIFEST, _SUMS, _INDEX, _CALIBRATIONS = "manifest.json", "SHA256SUMS", "index.jsonl", "calibration.jsonl"
_LEDGER_NAME = "retired.json"
_FIRST = [_MANIFEST, _SUMS, _INDEX, _CALIBRATIONS]

_ID = r"(?=.{1,128}\Z)[a-z][a-z0-9]*(?:_[a-z0-9]+)*"
_VERSION = r"(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}"
_DIGEST = r"sha256:[0-9a-f]{64}"
_IS_ID = re.compile(_ID)
_IS_VERSION = re.compile(_VERSION)
_IS_DIGEST = re.compile(_DIGEST)
_IS_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_IS_TIME = re.compile(r"(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-([0-9]{2})T([01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z")
_IS_JUDGE = re.compile(r"(?=.{1,128}\Z)[a-z0-9]+(?:[_-][a-z0-9]+)*")
_IS_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_LABELERS = ("people", "authors", "model")
_ANSWERS = ("yes", "library_limits", "not_yet", "cannot_tell", "no")
_IS_FILE = re.compile(r"(?:schema|conformance)/([a-z0-9]+(?:[._-][a-z0-9]+)*)\.json")
_IS_CALIBRATION = re.compile(
    r"calibration/([a-z0-9]+(?:[_-][a-z0-9]+)*)(?:/([a-z0-9]+(?:[_-][a-z0-9]+)*))?(?:/([a-z0-9]+(?:[_-][a-z0-9]+)*))?"
    r"/([a-z0-9]+(?:[_-][a-z0-9]+)*)\.(?:json|jsonl|yaml)"
)
_KINDS = {"rubric": "rubrics", "rule_set": "rulesets"}

_LOCAL = b"PK\x03\x04"
_ENTRY_FIELDS = b"\x0a\x00\x00\x00\x00\x00\x00\x00\x21\x00"


def _is_name(name: str) -> bool:
    """Reports whether a name is valid for an entry of a bundle."""
    if len(name) > _MAX_NAME:
        return False
    if name in (*_FIRST, "changelog.json", _LEDGER_NAME):
        return True
    folder, _, rest = name.partition("/")
    if folder in _KINDS.values():
        id_, _, file = rest.partition("/")
        return bool(_IS_ID.fullmatch(id_)) and file.endswith(".json") and bool(_IS_VERSION.fullmatch(file[:-5]))
    words = _IS_FILE.fullmatch(name) or _IS_CALIBRATION.fullmatch(name)
    return words is not None and all(len(word or "") <= 128 for word in words.groups())


def _facts(name: bytes, crc: int, size: int) -> bytes:
    return _ENTRY_FIELDS + struct.pack("<IIIH", crc, size, size, len(name))


def _end(count: int, size: int, offset: int) -> bytes:
    """The records after the zip's central directory."""
    out = b""
    if count >= 0xFFFF:
        out = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 0x032D, 45, 0, 0, count, count, size, offset)
        out += struct.pack("<4sIQI", b"PK\x06\x07", 0, offset + size, 1)
    shown = min(count, 0xFFFF)
    return out + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, shown, shown, size, offset, 0)


class _Place(NamedTuple):
    crc: int
    size: int
    offset: int


def _read_directory(data: bytes) -> Dict[str, _Place]:
    """The place of each entry. It rebuilds the zip's directory and its end, and compares every byte."""
    last = len(data) - 22
    if data[-22:-18] != b"PK\x05\x06":
        raise IntegrityError("the end of the zip is missing, or something follows it")
    count, size, offset = struct.unpack_from("<HII", data, last + 10)
    if count == 0xFFFF and data[last - 76:last - 72] == b"PK\x06\x06":
        count = struct.unpack_from("<Q", data, last - 52)[0]
        if count > _MAX_ENTRIES:
            raise FormatError(f"not a bundle: it has more than {_MAX_ENTRIES} entries")
    if data[offset + size:] != _end(count, size, offset):
        raise IntegrityError("the end of the zip does not match its directory")
    entries: Dict[str, _Place] = {}
    at, place = offset, 0
    while at < offset + size:
        record = data[at:at + 46]
        if len(record) < 46:
            raise IntegrityError("the file ends within the directory")
        crc, length, _, named = struct.unpack_from("<IIIH", record, 16)
        raw = data[at + 46:at + 46 + named]
        name = raw.decode("ascii", "backslashreplace")
        if not _is_name(name) or name in entries:
            raise IntegrityError(f"{name!r:.320} is not a valid entry name, or appears twice")
        facts = _facts(raw, crc, length)
        if record != b"PK\x01\x02\x14\x03" + facts + bytes(8) + b"\0\0\xa4\x81" + struct.pack("<I", place):
            raise IntegrityError(f"{name}: its record in the directory is not that of a bundle entry (compressed or changed)")
        document = name == _MANIFEST or name.partition("/")[0] in _KINDS.values()
        entries[name] = _Place(crc, length, place)
        at, place = at + 46 + named, place + 30 + named + length
        if length > (_MAX_SMALL if document else _MAX_ENTRY) or place > offset:
            raise IntegrityError(f"{name}: its size of {length} bytes is too large")
    if at != offset + size or place != offset or len(entries) != count:
        raise IntegrityError("the directory of the zip does not match its entries")
    names = list(entries)
    if names[:4] != _FIRST or names[4:] != sorted(names[4:]):
        raise IntegrityError("the entries are not those of a bundle, or not in order")
    return entries


def _read_sums(text: str, names: Iterable[str]) -> Dict[str, str]:
    """The hexadecimal SHA-256 of each entry except SHA256SUMS. ``_load`` finds a sum that is not one."""
    lines = text.split("\n")
    expected = sorted(name for name in names if name != _SUMS)
    if lines.pop() != "" or [line[64:] for line in lines] != ["  " + name for name in expected]:
        raise IntegrityError("SHA256SUMS does not list exactly the entries: one was added or removed")
    return {name: line[:64] for name, line in zip(expected, lines)}


def _check_format(data: bytes) -> None:
    """Rejects other files and future formats before any other check."""
    if not 0 < len(data) <= _MAX_SIZE:
        raise FormatError(f"not a bundle: it has {len(data)} bytes")
    if data[:4] != _LOCAL:
        raise FormatError("not a bundle: it is not a zip file")
    begin = 30 + len(_MANIFEST)
    if len(data) < begin or data[26:28] != b"\x0d\0" or data[30:begin] != _MANIFEST.encode():
        raise FormatError(f"not a bundle: it is a zip that does not begin with {_MANIFEST}")
    if data[8:10] != b"\0\0":
        return
    crc, size = struct.unpack_from("<II", data, 14)
    content = data[begin:begin + size]
    if size > _MAX_SMALL or len(content) < size or zlib.crc32(content) != crc:
        return
    try:
        manifest = json.loads(content)
        version, reader = manifest["format_version"], manifest.get("reader_version")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    if type(version) is int and version != 0 and not 1 <= version <= FORMAT_VERSION:
        install = f"version {reader} or later" if _matches(_IS_VERSION, reader) else "the newest version"
        raise FormatError(f"the bundle has format {version}, but this module reads formats 1 to {FORMAT_VERSION}: install {install}", version)


# Canonical JSON (RFC 8785).


def _number(value: float) -> str:
    """Formats a number as ECMAScript does."""
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(float(value))).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        text = digits.ljust(point, "0")[:point] + ("." + digits[point:] if len(digits) > point else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{point - 1:+d}"
    return sign + text


def _canonical(value: Any) -> str:
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(_canonical(key) + ":" + _canonical(value[key]) for key in keys) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(text)


def _plain_int(text: str) -> int:
    if len(text) > 15 or text == "-0":
        _refuse_number(text)
    return int(text)


def _plain_float(text: str) -> float:
    value = float(text)
    if repr(value) != text or _number(value) != text:
        _refuse_number(text)
    return value


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_int=_plain_int, parse_float=_plain_float, parse_constant=_refuse_number)
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def _decode(path: str, data: Union[bytes, str]) -> Any:
    """Decodes canonical JSON and rejects every other form: repeated keys, spaces, other escapes."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        # The encoder in C gives the canonical form of nearly every document, 20 times as
        # fast. It differs in some numbers, and in the order of keys beyond U+FFFF.
        try:
            value = _DECODER.decode(text)
            if _ENCODER.encode(value) == text and (text.isascii() or _ASTRAL.search(text) is None):
                return value
        except ValueError:
            pass
        value = json.loads(text)
        if _canonical(value) == text:
            return value
    except (ValueError, OverflowError, RecursionError):
        pass
    raise IntegrityError(f"{path}: its JSON is not in canonical form")


class _Frozen(Dict[str, Any]):
    """A dict that can't be changed, with immutable values: json, pickle, and == treat it as a dict."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the content of a bundle can't be changed; change a copy, dict(...)")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __copy__(self) -> "_Frozen":
        return self

    def __deepcopy__(self, memo: Any) -> "_Frozen":
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return _Frozen, (dict(self),)


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return _Frozen({key: _freeze(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return tuple(map(_freeze, value))
    return value


# The manifest and the index.


def _need(condition: object, path: str, what: str) -> None:
    if not condition:
        raise IntegrityError(f"{path}: {what}")


def _matches(pattern: "re.Pattern[str]", value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _has_keys(value: Any, required: str, optional: str = "") -> bool:
    if not isinstance(value, dict):
        return False
    keys, wanted = set(value), set(required.split())
    return wanted <= keys <= wanted | set(optional.split())


def _is_time(value: Any) -> bool:
    match = _IS_TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return False
    year, month, day = map(int, match.group(1, 2, 3))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _check_manifest(manifest: Any) -> None:
    def need(condition: object, what: str) -> None:
        _need(condition, _MANIFEST, f"{what} is not valid")

    keys = "commit counts format_version library_version previous refused retired tombstones"
    first = isinstance(manifest, dict) and manifest.get("format_version") == 1
    need(_has_keys(manifest, keys if first else keys + " reader_version yanked"), "the list of keys")
    need(type(manifest["format_version"]) is int and 1 <= manifest["format_version"] <= FORMAT_VERSION, "format_version")
    need(first or _matches(_IS_VERSION, manifest["reader_version"]), "reader_version")
    need(_matches(_IS_VERSION, manifest["library_version"]), "library_version")
    need(_matches(_IS_COMMIT, manifest["commit"]), "commit")
    need(manifest["previous"] == "" or _matches(_IS_DIGEST, manifest["previous"]), "previous")
    counts = manifest["counts"]
    need(_has_keys(counts, "documents rubrics rule_sets versions") and all(type(n) is int for n in counts.values()), "counts")
    retired = manifest["retired"]
    need(isinstance(retired, list) and all(_matches(_IS_ID, id_) for id_ in retired) and sorted(set(retired)) == retired, "retired")
    for key in ("refused", "tombstones") if first else ("refused", "tombstones", "yanked"):
        need(isinstance(manifest[key], list), key)
        before: Tuple[str, ...] = ()
        for entry in manifest[key]:
            need(_has_keys(entry, "commit id reason version") and all(isinstance(text, str) for text in entry.values()), key)
            need(_IS_ID.fullmatch(entry["id"]) and entry["reason"], key)
            need(not entry["version"] and key == "refused" or _IS_VERSION.fullmatch(entry["version"]), key)
            need(not entry["commit"] or _IS_COMMIT.fullmatch(entry["commit"]), key)
            now = (entry["id"], entry["version"], entry["commit"])
            need(before < now, key)
            before = now


def _check_line(line: Any, path: str, format_version: int) -> None:
    def need(condition: object, what: str) -> None:
        _need(condition, path, f"{what} is not valid")

    need(_has_keys(line, "artifact_type id kind latest name versions",
                   "deprecated description language parts retired" + ("" if format_version == 1 else " keywords owner")), "the list of keys")
    need(_matches(_IS_ID, line["id"]), "id")
    need(line["kind"] in ("rubric", "rule_set"), "kind")
    need(_matches(_IS_ID, line["artifact_type"]), "artifact_type")
    need(line.get("retired", True) is True, "retired")
    texts = [line["name"], line.get("description", "-"), line.get("language", "-"), line.get("keywords", "-"), line.get("owner", "-")]
    if "deprecated" in line:
        need(_has_keys(line["deprecated"], "reason", "replaced_by"), "deprecated")
        texts.append(line["deprecated"]["reason"])
        need(_matches(_IS_ID, line["deprecated"].get("replaced_by", "a")), "deprecated")
    parts = line.get("parts", [None])
    need(isinstance(parts, list) and parts, "parts")
    for part in line.get("parts", []):
        need(_has_keys(part, "list name", "text") and part["list"] in _PART_LISTS, "parts")
        texts += [part["name"], part.get("text", "-")]
    need(all(isinstance(text, str) and text for text in texts), "a text")
    need(isinstance(line["versions"], list) and line["versions"], "versions")
    before: Tuple[int, ...] = ()
    for version in line["versions"]:
        need(_has_keys(version, "digest version", "" if format_version == 1 else "commit release time"), "versions")
        need(_matches(_IS_VERSION, version["version"]) and _matches(_IS_VERSION, version.get("release", "1.0.0")), "versions")
        need(("commit" in version) == ("time" in version), "versions")
        need("commit" not in version or _matches(_IS_COMMIT, version["commit"]) and _is_time(version["time"]), "versions")
        need(_matches(_IS_DIGEST, version["digest"]) and before < _parts(version["version"]), "versions")
        before = _parts(version["version"])
    need(any(version["version"] == line["latest"] for version in line["versions"]), "latest")


def _check_calibrations(texts: Sequence[str], format_version: int) -> Dict[str, Dict[str, Any]]:
    """The calibrations by ID. It checks all of them and their order."""
    found: Dict[str, Dict[str, Any]] = {}
    before = ""
    for number, text in enumerate(texts, 1):
        path = f"{_CALIBRATIONS}: line {number}"
        line = _read_calibration(text, path, format_version)
        _need(before < line["id"], path, "it is not sorted by ID")
        before = line.pop("id")
        found[before] = line
    return found


def _read_calibration(text: str, path: str, format_version: int) -> Dict[str, Any]:
    """A checked line of the calibrations, in which "judges" is never missing."""
    def need(condition: object, what: str = "the calibration is not valid") -> None:
        _need(condition, path, what)

    need(len(text.encode("utf-8")) <= _MAX_SMALL, "it is too long")
    line = _decode(path, text)
    first = format_version == 1
    need(_has_keys(line, "id", "path correlation reason" if first else "path reason judges labeled_by") and _matches(_IS_ID, line["id"]))
    entry, reason = line.get("path", "calibration/a/a.json"), line.get("reason", "-")
    need(isinstance(entry, str) and entry.startswith("calibration/") and _is_name(entry))
    need(isinstance(reason, str) and reason)
    if first:
        need(("correlation" in line) != ("reason" in line) and ("path" in line or "reason" in line))
        need(_is_correlation(line.pop("correlation", 0)))
        return {**line, "judges": [], "reason": line.get("reason", "A bundle of format 1 does not name its judges.")}
    need(("labeled_by" in line) == ("path" in line) and line.get("labeled_by", "people") in _LABELERS)
    need(("judges" in line) != ("reason" in line) and ("judges" not in line or "path" in line))
    need(isinstance(line.get("judges", [0]), list) and line.get("judges", [0]))
    before = ""
    for judge in line.get("judges", ()):
        need(_is_judge(judge, line["labeled_by"]))
        need(before < judge["judge"], "its judges are not sorted by name")
        before = judge["judge"]
    return {"judges": [], **line}


def _is_judge(judge: Any, labeled_by: str) -> bool:
    """Reports whether a judge is valid for labels of people or of others."""
    if not _has_keys(judge, "date gate judge model prompt_digest rank repeats run", "correlation reason"):
        return False
    rank, gate, reason = judge["rank"], judge["gate"], judge.get("reason", "-")
    return bool(
        _matches(_IS_JUDGE, judge["judge"]) and isinstance(judge["model"], str) and judge["model"]
        and (judge["prompt_digest"] == "" or _matches(_IS_DIGEST, judge["prompt_digest"]))
        and type(judge["repeats"]) is int and 1 <= judge["repeats"] <= 1000
        and _matches(_IS_RUN, judge["run"]) and isinstance(judge["date"], str) and _is_time(judge["date"] + "T00:00:00Z")
        and rank in _ANSWERS and gate in _ANSWERS
        and isinstance(reason, str) and reason and ("reason" in judge) == (gate != "yes")
        and (_has_correlation(judge["correlation"]) and labeled_by == "people" if "correlation" in judge
             else rank in _ANSWERS[2:] and gate in _ANSWERS[2:]))


def _has_correlation(of: Any) -> bool:
    """Reports whether the correlation of a judge is valid."""
    if not _has_keys(of, "criterion", "value low high undefined") or not _matches(_IS_ID, of["criterion"]):
        return False
    why, low, high = of.get("undefined", "-"), of.get("low", -1), of.get("high", 1)
    return bool(
        ("value" in of) != ("undefined" in of) and ("low" in of) == ("high" in of) and ("low" not in of or "value" in of)
        and isinstance(why, str) and why and all(map(_is_correlation, (of.get("value", 0), low, high))) and low <= high)


def _is_correlation(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= 1


_PART_LISTS = ("criteria", "negative_criteria", "rules")


def _parts_of(document: Mapping[str, Any]) -> List[Dict[str, str]]:
    """The parts that the index has for a document."""
    parts = []
    for key in _PART_LISTS:
        for item in document.get(key, ()):
            part = {"list": key, "name": item["id" if key == "rules" else "name"]}
            if item.get("description"):
                part["text"] = item["description"]
            parts.append(part)
    return parts


def _parts(version: str) -> Tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _path(kind: str, id_: str, version: str) -> str:
    return f"{_KINDS[kind]}/{id_}/{version}.json"


_LINE_ID = re.compile(r',"id":"([^"]*)')


def _check_index(texts: Sequence[str], calibrations: Mapping[str, Any], format_version: int) -> Dict[str, Dict[str, Any]]:
    """The lines of the index by ID, with their calibrations. It checks all of them and their order."""
    lines: Dict[str, Dict[str, Any]] = {}
    before = ""
    for number, text in enumerate(texts, 1):
        line = _read_line(text, f"{_INDEX}: line {number}", format_version)
        _need(before < line["id"], f"{_INDEX}: line {number}", "it is not sorted by ID")
        before = line["id"]
        lines[before] = line
        if before in calibrations:
            line["calibration"] = calibrations[before]
    _need(calibrations.keys() <= lines.keys(), _CALIBRATIONS, "it has a line for a document that is not in the index")
    return lines


def _read_line(text: str, path: str, format_version: int) -> Dict[str, Any]:
    _need(len(text.encode("utf-8")) <= _MAX_SMALL, path, "it is too long")
    line: Dict[str, Any] = _decode(path, text)
    _check_line(line, path, format_version)
    return line


class _Documents(NamedTuple):
    """The documents that the entries of a bundle are."""

    kinds: Dict[str, str]
    """The kind of each, in the order of the IDs."""
    versions: Dict[str, Set[str]]

    @classmethod
    def of(cls, names: Iterable[str]) -> "_Documents":
        kinds: Dict[str, str] = {}
        versions: Dict[str, Set[str]] = {}
        folders = {folder: kind for kind, folder in _KINDS.items()}
        for name in names:
            folder, _, rest = name.partition("/")
            if folder in folders:
                id_, _, file = rest.partition("/")
                _need(kinds.setdefault(id_, folders[folder]) == folders[folder], name, "there is a document of the other kind with the same ID")
                versions.setdefault(id_, set()).add(file[:-5])
        return cls({id_: kinds[id_] for id_ in sorted(kinds)}, versions)

    def check_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Compares what the manifest says about documents and versions with the entries."""
        kinds = list(self.kinds.values())
        counts = {"documents": len(kinds), "rubrics": kinds.count("rubric"), "rule_sets": kinds.count("rule_set"), "versions": sum(map(len, self.versions.values()))}
        _need(manifest["counts"] == counts, _MANIFEST, "the counts do not match the entries")
        _need(self.kinds.keys() >= set(manifest["retired"]), _MANIFEST, "it lists an ID as retired of which the bundle has no version")
        for gone in manifest["tombstones"]:
            _need(gone["version"] not in self.versions.get(gone["id"], ()), _MANIFEST, f"{gone['id']} {gone['version']} is present although it was withdrawn")
        for entry in manifest.get("yanked", ()):
            _need(entry["version"] in self.versions.get(entry["id"], ()), _MANIFEST, "it yanks a version that is not in the bundle")

    def check_ledger(self, ledger: Iterable[Mapping[str, str]], manifest: Mapping[str, Any]) -> None:
        for gone in ledger:
            # The owners of the library can accept that a document comes back.
            last = max(map(_parts, self.versions.get(gone["id"], ())), default=None)
            _need(gone["id"] in manifest["retired"] or last is None or last > _parts(gone["last_version"]),
                  _LEDGER_NAME, f"it lists {gone['id']}, which is not retired")

    def split(self, texts: Sequence[str]) -> Dict[str, str]:
        """The lines of the index by ID, of which there must be one for each document. The lines are not checked yet."""
        for number, (id_, text) in enumerate(zip(self.kinds, texts), 1):
            match = _LINE_ID.search(text)
            _need(match is not None and match.group(1) == id_, _INDEX, f"line {number} is not that of {id_}: expected a line for each document, sorted by ID")
        _need(len(texts) == len(self.kinds), _INDEX, f"it has {len(texts)} lines, but the bundle has {len(self.kinds)} documents")
        return dict(zip(self.kinds, texts))

    def check_line(self, line: Mapping[str, Any], manifest: Mapping[str, Any], sums: Mapping[str, str]) -> None:
        """Compares a line of the index with the manifest and the entries."""
        id_, versions = line["id"], [version["version"] for version in line["versions"]]
        for version in line["versions"]:
            path = _path(line["kind"], id_, version["version"])
            _need("sha256:" + sums.get(path, "") == version["digest"], path, "it is missing or differs from the index")
        _need(set(versions) == self.versions.get(id_), _INDEX, f"it does not list every version of {id_}")
        _need((id_ in manifest["retired"]) == line.get("retired", False), _MANIFEST, f"the index differs in whether {id_} is retired")
        yanked = {entry["version"] for entry in manifest.get("yanked", ()) if entry["id"] == id_}
        left = [version for version in versions if version not in yanked]
        _need(left or line.get("retired"), _MANIFEST, f"it yanks every version of {id_}, which is not retired")
        _need(line["latest"] == (left or versions)[-1], _INDEX, f"its latest version of {id_} is not the highest that is not yanked")
        statistics = line.get("calibration", {}).get("path", _MANIFEST)
        _need(statistics in sums, statistics, "it is missing")


# The types of documents and of the ledger, in the notation of the library's package
# internal/document/schema.

# Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update
_PATTERNS = [
    "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
    "[^\\t\\n\\v\\f\\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]",
    "^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$",
    "[^x]|x",
    "^(calibration/[^ \\\\]+|[A-Za-z][A-Za-z0-9+.-]+:[^ \\\\]+)$",
    "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
    "^[a-z][a-z0-9]*([_.-][a-z0-9]+){0,15}$",
    "^[ab](\\.[a-z][a-z0-9]*([_-][a-z0-9]+)*){2}$",
    "^(?:[^/\\\\.][^/\\\\]*|\\.[^/\\\\.][^/\\\\]*|\\.\\.[^/\\\\]+)(?:/(?:[^/\\\\.][^/\\\\]*|\\.[^/\\\\.][^/\\\\]*|\\.\\.[^/\\\\]+))*$",
]
_LEDGER = {
    "may": {},
    "must": {
        "retired": {
            "list": {
                "may": {"replaced_by": {"most": 128, "text": 0}},
                "must": {
                    "id": {"most": 128, "text": 0},
                    "kind": {"words": ["rubric", "rule_set"]},
                    "last_version": {"text": 2},
                    "reason": {"text": 1},
                },
            },
        },
    },
}
_RUBRIC = {
    "may": {
        "calibration_dataset": {"text": 4},
        "deprecated": {"may": {"replaced_by": {"most": 128, "text": 0}}, "must": {"reason": {"text": 1}}},
        "description": {"text": 1},
        "language": {"default": "\"en\"", "most": 64, "text": 5},
        "metadata": {"keys": 6, "map": {"most": 256, "text": 1}, "most": 32},
        "negative_criteria": {
            "list": {
                "may": {
                    "description": {"text": 1},
                    "effect": {"default": "\"fail\"", "words": ["fail", "report"]},
                    "fail_examples": {"list": {"text": 3}},
                    "ignore_case": {"default": "false", "flag": 1},
                    "pass_examples": {"list": {"text": 3}},
                },
                "must": {"fail_patterns": {"least": 1, "list": {"text": 3}}, "name": {"most": 128, "text": 0}},
            },
        },
        "scoring": {"may": {"essential_minimum": {"number": [1, 5]}, "pass_threshold": {"number": [1, 5]}}, "must": {}},
    },
    "must": {
        "artifact_type": {"most": 128, "text": 0},
        "criteria": {
            "least": 1,
            "list": {
                "may": {"relative_weight": {"default": "1", "number": [2.2250738585072014e-308, 1000]}},
                "must": {
                    "anchors": {
                        "may": {},
                        "must": {"1": {"text": 1}, "2": {"text": 1}, "3": {"text": 1}, "4": {"text": 1}, "5": {"text": 1}},
                    },
                    "description": {"text": 1},
                    "examples": {"may": {"score_3": {"text": 1}}, "must": {"score_1": {"text": 1}, "score_5": {"text": 1}}},
                    "name": {"most": 128, "text": 0},
                    "threshold": {"number": [1, 5]},
                    "weight": {"words": ["essential", "important"]},
                },
            },
        },
        "name": {"text": 1},
        "rubric_id": {"most": 128, "text": 0},
        "version": {"text": 2},
    },
}
_RULE_SET = {
    "may": {
        "deprecated": {"may": {"replaced_by": {"most": 128, "text": 0}}, "must": {"reason": {"text": 1}}},
        "description": {"text": 1},
        "language": {"default": "\"en\"", "most": 64, "text": 5},
        "metadata": {"keys": 6, "map": {"most": 256, "text": 1}, "most": 32},
    },
    "must": {
        "artifact_type": {"most": 128, "text": 0},
        "name": {"text": 1},
        "rules": {
            "least": 1,
            "list": {
                "may": {
                    "checks": {
                        "list": {
                            "by": "type",
                            "of": {
                                "content": {
                                    "may": {
                                        "expect": {"default": "\"present\"", "words": ["present", "absent"]},
                                        "files": {"least": 1, "list": {"most": 256, "text": 8}, "most": 100},
                                        "ignore_case": {"default": "false", "flag": 1},
                                        "literal": {"text": 3},
                                        "max_count": {"whole": [0, 1000000]},
                                        "min_count": {"whole": [0, 1000000]},
                                        "multiline": {"default": "false", "flag": 1},
                                        "pattern": {"text": 3},
                                    },
                                    "must": {"type": {"words": ["content", "executable"]}},
                                    "one": ["pattern", "literal"],
                                },
                                "executable": {
                                    "may": {},
                                    "must": {
                                        "command": {"least": 1, "list": {"text": 3}},
                                        "type": {"words": ["content", "executable"]},
                                    },
                                },
                            },
                        },
                    },
                },
                "must": {
                    "check": {"text": 1},
                    "description": {"text": 1},
                    "id": {"most": 128, "text": 7},
                    "phase": {"words": ["A", "B"]},
                    "severity": {"words": ["fail", "warn", "info"]},
                    "weight": {"number": [0, 1000000]},
                },
            },
        },
        "ruleset_id": {"most": 128, "text": 0},
        "scoring": {"may": {}, "must": {"pass_threshold": {"number": [0, 1]}}},
        "version": {"text": 2},
    },
}
# End of the generated block.

_COMPILED = [re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern) for pattern in _PATTERNS]
_DOCUMENTS = {"rubric": _RUBRIC, "rule_set": _RULE_SET}


def _fits(kind: Any, value: Any) -> bool:
    """Reports whether a value in canonical form has a type. Values that equal the default must be omitted."""
    if "text" in kind:
        return isinstance(value, str) and len(value) <= kind.get("most", len(value)) and _COMPILED[kind["text"]].search(value) is not None
    if "words" in kind:
        return isinstance(value, str) and value in kind["words"]
    if "flag" in kind:
        return isinstance(value, bool)
    if "number" in kind or "whole" in kind:
        low, high = kind.get("number") or kind["whole"]
        return _is_number(value) and low <= value <= high and ("number" in kind or value == int(value))
    if "list" in kind:
        return isinstance(value, list) and len(value) >= kind.get("least", 0) and all(_fits(kind["list"], item) for item in value)
    if not isinstance(value, dict):
        return False
    if "map" in kind:
        keys = _COMPILED[kind["keys"]]
        return len(value) <= kind["most"] and all(keys.search(key) and _fits(kind["map"], item) for key, item in value.items())
    if "by" in kind:
        word = value.get(kind["by"])
        return isinstance(word, str) and word in kind["of"] and _fits(kind["of"][word], value)
    if "one" in kind and sum(key in value for key in kind["one"]) != 1:
        return False
    must, may = kind["must"], kind["may"]
    if not must.keys() <= value.keys():
        return False
    for key, item in value.items():
        inner = must.get(key) or may.get(key)
        if inner is None or not _fits(inner, item):
            return False
        if key in may and (item in ([], {}) or _canonical(item) == inner.get("default")):
            return False
    return True


def _read_document(kind: str, id_: str, version: str, content: bytes) -> Dict[str, Any]:
    """The data of a document, which must be what a release writes under this name."""
    path = _path(kind, id_, version)
    data: Dict[str, Any] = _decode(path, content)
    _need(_fits(_DOCUMENTS[kind], data), path, f"it does not match the schema of a {kind}, or contains a default value")
    id_key = "rubric_id" if kind == "rubric" else "ruleset_id"
    _need(data[id_key] == id_ and data["version"] == version, path, "its ID or version differs from its path")
    problems = _criteria_problems(data) + _negative_problems(data) if kind == "rubric" else _ruleset_problems(data)
    _need(not problems, path, "; ".join(problems))
    return data


def _read_object(path: str, content: Union[bytes, str]) -> Dict[str, Any]:
    """Parses a JSON object that is not nested too deeply."""
    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        value = json.loads(text, parse_int=float, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise IntegrityError(f"{path}: it is not JSON") from None
    _need(isinstance(value, dict) and _nesting(value, 100), path, "it is not a JSON object, or is nested too deeply")
    return dict(value)


def _nesting(value: Any, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (most > 0 or not isinstance(value, (dict, list))) and all(_nesting(item, most - 1) for item in inner)


def _check_text(path: str, content: bytes) -> None:
    """Checks an entry for people and other programs."""
    try:
        text = content.decode("utf-8")
    except ValueError:
        raise IntegrityError(f"{path}: it is not UTF-8") from None
    if path.endswith(".json"):
        value = _read_object(path, text)
        if path.startswith("conformance/"):
            vectors = value.get("vectors")
            _need(isinstance(vectors, list) and all(isinstance(v, dict) and isinstance(v.get("name"), str) and v["name"] for v in vectors),
                  path, "it is not a list of vectors, each with a name")
    elif path.endswith(".jsonl"):
        for line in text.split("\n"):
            if line.strip(" \t\r"):
                _read_object(path, line)


# Versions.

_PART = r"(?:0|[1-9][0-9]{0,14}|[xX*])"
_BLANK = r"[\t\n\f\r ]"
_CONSTRAINT = rf"(!=|>=|=>|<=|=<|~>|[=<>~^])?{_BLANK}*v?({_PART})(?:\.({_PART}))?(?:\.({_PART}))?"
_IS_ALL = re.compile(rf"{_BLANK}*{_CONSTRAINT}(?:(?:{_BLANK}+|{_BLANK}*,{_BLANK}*){_CONSTRAINT})*{_BLANK}*")
_EACH = re.compile(_CONSTRAINT)
_RANGE = re.compile(rf"(?<![^\t\n\f\r ,|])(v?{_PART}(?:\.{_PART}){{0,2}}){_BLANK}+-{_BLANK}+(v?{_PART}(?:\.{_PART}){{0,2}})(?![^\t\n\f\r ,|])")


def satisfies(version: str, constraint: str) -> bool:
    """Reports whether a version such as "1.2.0" satisfies a constraint.

    A constraint is an exact version (1.2.0), ~1.2 (1.2.x), ^1 (1.x.x), a
    comparison (= != > >= < <=), a part (1.2, 1.x, ``*``), or a range (1.0 - 1.4).
    A space or a comma joins constraints that must all hold, and ``||`` joins
    alternatives. This is the syntax of Masterminds/semver, which the Go packages use,
    without prereleases (-beta), build metadata (+1), and leading zeros, because no document
    has them.
    """
    _need_arguments(_no_text("version", version), _no_text("constraint", constraint))
    if not _IS_VERSION.fullmatch(version):
        raise ConstraintError(f"{version!r} is not a version: expected three numbers such as 1.2.0")
    given = _parts(version)
    return any([all(_holds(given, part) for part in group) for group in _parse_constraint(constraint)])


def _parse_constraint(text: str) -> List[List[Tuple[str, List[int]]]]:
    """The alternatives, each a list of operators with the numbers of their version."""
    groups = []
    alternatives = _RANGE.sub(r" >=\1 <=\2 ", text).split("||")
    if len(text.encode("utf-8", "replace")) > 512 or len(alternatives) > 32:
        raise ConstraintError("the constraint is too long")
    for alternative in alternatives:
        if not _IS_ALL.fullmatch(alternative):
            raise ConstraintError(f"{text!r} is not a constraint: expected a form such as 1.2.0, ~1.2, ^1, or \">=1.2, <2\"")
        group = []
        for operator, *parts in _EACH.findall(alternative):
            numbers: List[int] = []
            for part in parts:
                if not part or part in "xX*":
                    break
                numbers.append(int(part))
            if not numbers and operator not in ("", "=", ">=", "=>", "~", "~>"):
                raise ConstraintError(f"{text!r} has an operator without a version")
            group.append((operator, numbers))
        groups.append(group)
    return groups


def _holds(given: Tuple[int, ...], constraint: Tuple[str, List[int]]) -> bool:
    operator, numbers = constraint
    least = tuple(numbers) + (0,) * (3 - len(numbers))
    same = list(given[:len(numbers)]) == numbers  # in the numbers that were given
    if operator == "!=":
        return not same
    if operator == ">":
        return given > least and not same
    if operator == "<":
        return given < least
    if operator in (">=", "=>"):
        return given >= least
    if operator in ("<=", "=<"):
        return same or given < least
    if operator == "^":
        fixed = next((i + 1 for i, n in enumerate(numbers) if n), len(numbers))
        return given >= least and given[:fixed] == least[:fixed]
    if operator in ("~", "~>"):
        if numbers == [0, 0, 0]:
            return True  # as the Go packages do
        return given >= least and list(given[:2])[:len(numbers)] == numbers[:2]
    return same


# The bundle.


@dataclass(frozen=True)
class Document:
    """One version of a rubric or a rule set. ``data`` is its immutable content, dicts and tuples."""

    id: str
    version: str
    kind: str
    """rubric or rule_set."""
    digest: str
    bundle_version: str
    data: Mapping[str, Any] = field(hash=False)
    json: bytes
    """The content as canonical JSON, whose SHA-256 is the digest."""
    yanked: str = ""
    """Why constraints no longer select this version, or ""."""

    @property
    def reference(self) -> str:
        """The reference to store with a score: id@version#digest. Bundle.resolve accepts it."""
        return f"{self.id}@{self.version}#{self.digest}"


@dataclass(frozen=True)
class Version:
    """A version of a document. Of a withdrawn one, nothing else is known."""

    version: str
    digest: str = ""
    commit: str = ""
    """The commit that first had the version, or "" if it is unknown."""
    time: str = ""
    """The time of the commit in UTC, such as 2026-11-21T08:30:00Z, or ""."""
    release: str = ""
    """The version of the library that first contained it, or "" if it is unknown."""
    yanked: str = ""
    """Why constraints no longer select the version, or ""."""
    withdrawn: str = ""
    """Why the content of the version is no longer published, or ""."""


@dataclass(frozen=True)
class Retirement:
    """Why a document is retired."""

    reason: str = ""
    """ "" if the library does not say."""
    replaced_by: str = ""
    """The ID of the document to use instead, or ""."""


@dataclass(frozen=True)
class Entry:
    """The index entry of a document, for lists and searches."""

    id: str
    kind: str
    name: str
    artifact_type: str
    description: str
    language: str
    latest: str
    """The highest version that is not yanked."""
    versions: Tuple[Version, ...]
    """All versions, from lowest to highest, also those that are yanked or withdrawn."""
    deprecated: Optional[Mapping[str, str]]
    retired: Optional[Retirement]
    """None unless the document is retired."""
    calibration: Optional[Mapping[str, Any]]
    """How well judges agree with people on the latest version: its "judges", sorted by name,
    as ``Bundle.calibration`` returns them, or the "reason" why there are none; who gave the
    labels, "labeled_by" ("people", "authors", or "model"); and "path", the entry with the
    statistics. Keys without a value are missing, except for "judges". None if the document
    names no labeled items."""


@dataclass(frozen=True)
class Match(Entry):
    """A document that a search found."""

    score: int
    """Ranks the results of one search. It is 0 if the query has no words."""
    matched: Tuple[str, ...]
    """The places with the words of the query, such as "name" or "criteria[clarity]"."""
    partial: bool
    """Whether no document has all the words of the query."""


@dataclass(frozen=True)
class AuditRecord:
    """A record of a returned document, with the fields of all clients. It never contains the judged text."""

    kind: str
    id: str
    version: str
    digest: str
    bundle_version: str
    bundle_digest: str
    request_id: str
    actor: str
    yanked: str
    """Why constraints no longer select the version, or ""."""


class _Metrics:
    """The library's metrics in OpenTelemetry, named as in the Go package libraryotel."""

    _OUTCOMES = {
        NotFoundError: "not_found", RetiredError: "retired", ConstraintError: "constraint",
        DigestError: "digest", IntegrityError: "integrity", AuditError: "audit", ContinuityError: "continuity", FormatError: "format",
    }

    def __init__(self, meter: Any, observation: Any) -> None:
        self.current: Callable[[], Optional["AsyncBundle"]] = lambda: None
        """The bundle that was opened last, while it is in use."""
        self.live: Callable[[], Optional["AsyncLive"]] = lambda: None
        """What was followed last, until it is closed."""
        self._observation = observation
        self._time = meter.create_histogram("rubric.retrieval_time_ms", unit="ms", description="Time to get a rubric or a rule set from the library.")
        self._usage = meter.create_counter("rubric.usage_count", unit="{retrieval}", description="Number of times a version of a rubric or rule set was returned.")
        meter.create_observable_gauge("rubric.total_count", [self._total], unit="{rubric}", description="Number of rubrics in the library that are not retired.")
        meter.create_observable_gauge(
            "rubric.calibration_correlation", [self._correlation], unit="1",
            description="Correlation of a judge's scores with people's labels, the lowest of the criteria.")
        meter.create_observable_gauge("bundle.age", [self._age], unit="s", description="Time since the source last confirmed the bundle in use.")
        self._checks = meter.create_counter("bundle.checks", unit="{check}", description="Number of checks of the source for a new bundle.")

    def retrieved(self, started: float, kind: str, result: Union["Document", BaseException, None]) -> None:
        outcome = "ok" if isinstance(result, Document) else self._OUTCOMES.get(type(result), "error")  # type: ignore[arg-type]
        self._time.record((time.perf_counter() - started) * 1000, {"kind": kind, "outcome": outcome})
        if isinstance(result, Document):
            self._usage.add(1, {"id": result.id, "version": result.version})

    def _rubrics(self) -> List["Entry"]:
        bundle = self.current()
        return [] if bundle is None else [entry for entry in bundle.list() if entry.kind == "rubric" and not entry.retired]

    def checked(self, error: Optional[Exception]) -> None:
        self._checks.add(1, {"outcome": "ok" if error is None else self._OUTCOMES.get(type(error), "error")})  # type: ignore[arg-type]

    def _age(self, _: Any) -> Iterable[Any]:
        live = self.live()
        return [] if live is None else [self._observation(live.age, {"version": live.current.version})]

    def _total(self, _: Any) -> Iterable[Any]:
        return [self._observation(len(self._rubrics()))] if self.current() is not None else []

    def _correlation(self, _: Any) -> Iterable[Any]:
        for entry in self._rubrics():
            for judge in (entry.calibration or {"judges": ()})["judges"]:
                if "correlation" in judge:
                    value = judge["correlation"].get("value", math.nan)
                    yield self._observation(value, {"id": entry.id, **{key: judge[key] for key in ("judge", "model", "rank", "gate")}})


@functools.lru_cache(maxsize=None)
def _metrics() -> Optional[_Metrics]:
    """The metrics, or None where the API of OpenTelemetry is not installed."""
    try:
        from opentelemetry import metrics
    except ImportError:
        return None
    return _Metrics(metrics.get_meter("rubric_bundle"), metrics.Observation)


_MOST_CACHED, _MOST_COMPARED, _MOST_PROBLEMS = 512, 200, 10


class _Retrieval:
    """One retrieval of a bundle, from its start to its end, which are measured."""

    def __init__(self, bundle: "AsyncBundle", id_: str) -> None:
        self._bundle, self._id, self._kind = bundle, id_, "any"
        self._result: Union[Document, BaseException, None] = None

    def __enter__(self) -> "_Retrieval":
        self._started = time.perf_counter()
        return self

    def __exit__(self, _: Optional[Type[BaseException]], error: Optional[BaseException], __: Optional[TracebackType]) -> None:
        if self._bundle._metrics is not None:
            self._bundle._metrics.retrieved(self._started, self._kind, error or self._result)

    def find(self, constraint: str, digest: Optional[str]) -> Document:
        """The document, which may be returned when its audit is complete."""
        bundle, id_ = self._bundle, self._id
        line = bundle._line(id_)
        self._kind = line["kind"]
        yanked = {entry["version"]: entry["reason"] for entry in bundle.manifest.get("yanked", ()) if entry["id"] == id_}
        withdrawn = {entry["version"]: entry["reason"] for entry in bundle.manifest["tombstones"] if entry["id"] == id_}
        version = _choose(line, constraint, yanked, withdrawn, bundle._gone.get(id_, {}))
        if digest is not None and version["digest"] != digest:
            raise DigestError(f"{id_}@{version['version']}#{digest} names different content: this bundle has {version['digest']}")
        reason = yanked.get(version["version"], "")
        document: Document = bundle._cached(_path(self._kind, id_, version["version"]), lambda: bundle._document(line, version, reason))
        self._result = document
        return document

    def audit(self, document: Document, request_id: str, actor: str) -> object:
        """What the audit callback returns: something to wait for if it is asynchronous."""
        bundle = self._bundle
        if bundle._audit is None:
            return None
        record = AuditRecord(
            self._kind, self._id, document.version, document.digest, bundle.version, bundle.digest, request_id, actor, document.yanked)
        try:
            return bundle._audit(record)
        except Exception as error:
            raise self.failed(document, error) from error

    def failed(self, document: Document, error: Exception) -> AuditError:
        return AuditError(f"the audit of {self._id} {document.version} failed: {_text_of(error)}")

    def refuse_pending(self, document: Document, answer: object, remedy: str) -> None:
        """Raises an exception if the callback is not finished when it returns."""
        if inspect.iscoroutine(answer):
            answer.close()
        elif not (
            inspect.isawaitable(answer) or inspect.isgenerator(answer) or inspect.isasyncgen(answer)
            or hasattr(type(answer), "add_done_callback")  # a future of a thread
        ):
            return
        raise AuditError(
            f"the audit of {self._id} {document.version} is not finished: the callback is asynchronous, and nothing waits for it. {remedy}")


class AsyncBundle:
    """An open bundle. To type checkers, a bundle that is opened with an asynchronous audit callback has no get and no resolve."""

    def __init__(self, data: bytes, digest: Optional[str], audit: Optional[Callable[[AuditRecord], object]]) -> None:
        _need_arguments("" if digest is None else _no_digest(digest), _no_audit(audit))
        _check_format(data)
        self._data = data
        self._entries = _read_directory(data)
        self._sums: Dict[str, str] = {}
        sums = self._load(_SUMS)
        self._sums = _read_sums(sums.decode("ascii", "replace"), self._entries)
        self.digest = "sha256:" + hashlib.sha256(sums).hexdigest()
        if digest is not None and digest != self.digest:
            raise IntegrityError(f"the digest of the bundle is {self.digest}, expected {digest}: it is another bundle, or it was replaced")
        text = self._load(_MANIFEST)
        _need(text.endswith(b"\n"), _MANIFEST, "it does not end with a line feed")
        manifest = _decode(_MANIFEST, text[:-1])
        _check_manifest(manifest)
        self._documents = _Documents.of(self._entries)
        self._documents.check_manifest(manifest)
        self._texts = self._documents.split(self._split(_INDEX))
        ledger = self._read_ledger()
        self._documents.check_ledger(ledger, manifest)
        self._gone = {entry["id"]: entry for entry in ledger}
        self.manifest: Mapping[str, Any] = _freeze(manifest)
        self.version: str = manifest["library_version"]
        self._audit = audit
        self._cache: Dict[str, Any] = {}
        self._places: Dict[str, List[Tuple[str, int, str]]] = {}
        self._metrics = _metrics()

    def _measure(self) -> None:
        """Makes the gauges those of this bundle."""
        if self._metrics is not None:
            self._metrics.current = weakref.ref(self)

    def _load(self, name: str) -> bytes:
        """The content of an entry, compared with the directory and SHA256SUMS."""
        raw = name.encode()
        crc, size, offset = self._entries[name]
        start = offset + 30 + len(raw)
        if self._data[offset:start] != _LOCAL + _facts(raw, crc, size) + b"\0\0" + raw:
            raise IntegrityError(f"{name}: its local header differs from the directory")
        content = self._data[start:start + size]
        if zlib.crc32(content) != crc:
            raise IntegrityError(f"{name}: its content was changed (CRC-32)")
        if name in self._sums and hashlib.sha256(content).hexdigest() != self._sums[name]:
            raise IntegrityError(f"{name}: its content was changed (SHA256SUMS)")
        return content

    def _split(self, name: str) -> List[str]:
        """The lines of an entry."""
        try:
            texts = self._load(name).decode("utf-8").split("\n")
        except ValueError:
            raise IntegrityError(f"{name}: it is not UTF-8") from None
        _need(texts.pop() == "", name, "it does not end with a line feed")
        return texts

    @functools.cached_property
    def _lines(self) -> Dict[str, Any]:
        """The checked lines of the index by ID."""
        return self._read_index()

    def _read_index(self) -> Dict[str, Dict[str, Any]]:
        format_version = self.manifest["format_version"]
        lines = _check_index(list(self._texts.values()), _check_calibrations(self._split(_CALIBRATIONS), format_version), format_version)
        for line in lines.values():
            self._documents.check_line(line, self.manifest, self._sums)
        return lines

    @functools.cached_property
    def _all(self) -> Tuple[Entry, ...]:
        return tuple(map(self._entry, self._lines.values()))

    def _entry(self, line: Mapping[str, Any]) -> Entry:
        id_, deprecated = line["id"], line.get("deprecated")
        yanked = {entry["version"]: entry["reason"] for entry in self.manifest.get("yanked", ()) if entry["id"] == id_}
        versions = [Version(**version, yanked=yanked.get(version["version"], "")) for version in line["versions"]]
        versions += [Version(gone["version"], withdrawn=gone["reason"]) for gone in self.manifest["tombstones"] if gone["id"] == id_]
        gone = self._gone.get(id_, {})
        return Entry(
            id_, line["kind"], line["name"], line["artifact_type"], line.get("description", ""),
            line.get("language", "en"), line["latest"], tuple(sorted(versions, key=lambda each: _parts(each.version))),
            None if deprecated is None else _Frozen(deprecated),
            Retirement(gone.get("reason", ""), gone.get("replaced_by", "")) if line.get("retired") else None,
            _freeze(line.get("calibration")),
        )

    def _cached(self, key: str, make: Callable[[], Any]) -> Any:
        value = self._cache.get(key)
        if value is None:
            value = make()
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            self._cache[key] = value
        return value

    def verify(self, after: Optional["AsyncBundle"] = None) -> None:
        """Checks that the whole bundle is what a release of the library writes, except for patterns, hidden characters, and the changelog.

        With ``after``, an earlier bundle, it also checks that everything a consumer of that
        bundle relies on still holds: every version has its content unless it was withdrawn
        since, and every withdrawal and every retired ID is still listed. It also checks that
        this bundle continues the line of releases, as far as both record it. It does not
        verify who built the bundle. Raises IntegrityError or ContinuityError.
        """
        _need_arguments("" if after is None or isinstance(after, AsyncBundle) else f"after must be an open bundle, got {after!r:.100}")
        for path in self._entries:  # the whole container first, which is the cheaper part
            self._load(path)
        lines = self._read_index()
        for path in self._entries:
            content = self._load(path)
            folder, _, rest = path.partition("/")
            if folder in _KINDS.values():
                id_, _, file = rest.partition("/")
                kind = "rubric" if folder == "rubrics" else "rule_set"
                data = _read_document(kind, id_, file[:-5], content)
                line = lines[id_]
                if line["latest"] == file[:-5]:
                    for key in ("name", "artifact_type", "description", "language", "deprecated"):
                        _need(line.get(key) == data.get(key), _INDEX, f"its {key} of {id_} differs from {path}")
                    metadata = data.get("metadata", {}) if self.manifest["format_version"] > 1 else {}
                    _need(line.get("keywords") == metadata.get("keywords"), _INDEX, f"its keywords of {id_} differ from {path}")
                    # The first bundles of format 2 have no owners.
                    _need(line.get("owner") in (None, metadata.get("owner")), _INDEX, f"its owner of {id_} differs from {path}")
                    _need(line.get("parts", []) == _parts_of(data), _INDEX, f"its parts of {id_} differ from {path}")
                    named = not line.get("retired") and "calibration_dataset" in data
                    _need(("calibration" in line) == named, _INDEX, f"its calibration of {id_} differs from {path}")
            elif path not in (*_FIRST, _LEDGER_NAME):
                _check_text(path, content)
        for path in ("changelog.json", "conformance/hits.json", "conformance/verdict.json", _LEDGER_NAME):
            _need(path in self._entries, path, "it is missing, and every bundle has it")
        if after is not None:
            self._check_after(after)

    def _read_ledger(self) -> List[Dict[str, str]]:
        content = self._load(_LEDGER_NAME) if _LEDGER_NAME in self._entries else b'{"retired":[]}\n'
        _need(content.endswith(b"\n"), _LEDGER_NAME, "it does not end with a line feed")
        ledger = _decode(_LEDGER_NAME, content[:-1])
        _need(_fits(_LEDGER, ledger), _LEDGER_NAME, "it does not match the schema of the ledger")
        return list(ledger["retired"])

    def _check_after(self, old: "AsyncBundle") -> None:
        """Checks that everything that a consumer of an earlier bundle relies on still holds."""
        problems = [*self._line_problems(old), *self._version_problems(old), *self._list_problems(old)]
        if problems:
            listed = problems[:_MOST_PROBLEMS] + ["and more"] * (len(problems) > _MOST_PROBLEMS)
            raise ContinuityError(
                f"the bundle does not continue the previous one: {'; '.join(listed)}. "
                "Keep the previous bundle, and ask the maintainers of the library")

    def _line_problems(self, old: "AsyncBundle") -> Iterable[str]:
        """Compares the positions in the line of releases."""
        now, before = _parts(self.version), _parts(old.version)
        previous = self.manifest["previous"]
        if self.digest == old.digest:
            return
        if now < before:
            yield f"it is library {self.version}, but the previous one is {old.version}: a version never goes down"
        elif now == before:
            yield f"both are library {self.version}, but with different content: {self.digest} and {old.digest}"
        elif previous == "":
            yield f"it claims to be the first release, but library {old.version} came before it"
        elif previous == old.manifest["previous"]:
            yield f"its previous bundle must be library {old.version}, got that library's own previous bundle, {previous}"
        elif now == (*before[:2], before[2] + 1) and previous != old.digest:
            yield f"it is library {self.version}, which follows {old.version}, so its previous bundle must be {old.digest}, got {previous}"

    def _version_problems(self, old: "AsyncBundle") -> Iterable[str]:
        """Compares the versions. Their entries identify them, so the indexes are not read."""
        withdrawn = set(self._names_of("tombstones"))
        for path in old._entries:
            folder, _, rest = path.partition("/")
            expected, got = old._sums.get(path), self._sums.get(path)
            if folder not in _KINDS.values() or expected == got:
                continue
            id_, _, file = rest.partition("/")
            if f"{id_} {file[:-5]}" not in withdrawn:
                yield (f"{path}: is missing, and the manifest does not list it as withdrawn" if got is None
                       else f"{path}: has different content: expected sha256:{expected}, got sha256:{got}")
            kind, now = old._documents.kinds[id_], self._documents.kinds.get(id_)
            if now not in (None, kind):
                yield f"{path}: {id_} must be a {kind}, got a {now}"

    def _list_problems(self, old: "AsyncBundle") -> Iterable[str]:
        """Compares the lists of withdrawn and yanked versions, and the ledgers."""
        withdrawn, yanked = set(self._names_of("tombstones")), set(self._names_of("yanked"))
        for name in old._names_of("tombstones"):
            if name not in withdrawn:
                yield f"{_MANIFEST}: no longer lists {name} as withdrawn"
        for name in old._names_of("yanked"):
            if name not in yanked and name not in withdrawn:
                yield f"{_MANIFEST}: no longer lists {name} as yanked"
        for id_ in sorted(old._gone):
            if id_ not in self._gone:
                yield f"{_LEDGER_NAME}: no longer lists {id_}: a retired ID must never be reused"

    def _names_of(self, list_: str) -> List[str]:
        """The IDs and versions of a list of the manifest."""
        return [f"{entry['id']} {entry['version']}" for entry in self.manifest.get(list_, ())]

    def read(self, path: str) -> bytes:
        """Returns an entry such as "conformance/verdict.json". Raises NotFoundError if it does not exist."""
        _need_arguments(_no_text("path", path))
        if path not in self._entries:
            raise NotFoundError(f"the bundle has no entry {path!r}")
        return self._load(path)

    def list(self) -> Tuple[Entry, ...]:
        """All documents, sorted by ID, including retired and deprecated ones."""
        return self._all

    def search(self, artifact_type: str = "", text: str = "", *, kind: str = "", deprecated: bool = False, retired: bool = False) -> Tuple[Match, ...]:
        """The documents for an artifact type that contain every word of the text, best first.

        The search covers the ID, the artifact type, the name, the description, the keywords, the
        owner, and the criteria, negative criteria, and rules. Case, word order, and characters between
        words are ignored. A word that no document contains can have one typo. Of a
        reference, only the ID counts. ``kind`` is "rubric" or "rule_set", or "" for both.
        Deprecated and retired documents are excluded by default.
        """
        _need_arguments(
            _no_text("artifact_type", artifact_type), _no_text("text", text), _no_bool("deprecated", deprecated), _no_bool("retired", retired),
            "" if kind in ("", *_KINDS) else f"kind must be \"rubric\" or \"rule_set\", or \"\" for both, got {kind!r:.100}")
        places = {}
        for id_, line in self._lines.items():
            if artifact_type not in ("", line["artifact_type"]) or kind not in ("", line["kind"]):
                continue
            if retired if line.get("retired") else deprecated or "deprecated" not in line:
                if id_ not in self._places:
                    self._places[id_] = _places(line)
                places[id_] = self._places[id_]
        found = _search(places, text)
        return tuple(Match(**vars(self._entry(self._lines[id_])), score=score, matched=matched, partial=partial) for id_, score, matched, partial in found)

    def similar_artifact_types(self, artifact_type: str) -> Tuple[str, ...]:
        """Up to three artifact types with a similar spelling, most similar first, or none if a document has the artifact type itself."""
        _need_arguments(_no_text("artifact_type", artifact_type))
        types = {line["artifact_type"] for line in self._lines.values()}
        return () if artifact_type in types else _near(artifact_type, types)

    def calibration(self, id: str, judge: str, model: str) -> Optional[Mapping[str, Any]]:
        """What the bundle says about your judge and the model that it asks, for the latest version of a document.

        A judge is a name, a model, a prompt, and a number of repeats. Of each name, the
        bundle has the newest; nothing here holds for another model, prompt, or number of
        repeats. The keys are "judge", "model", "prompt_digest" ("" if it is unknown: compare
        it with yours), "repeats" (how many answers to an item are averaged), "run" and
        "date" (of its newest run), and two answers: "rank", whether its order of works may
        stand for that of people, and "gate", whether its verdicts may. An answer is "yes",
        "library_limits" (yes, by limits of the library that are looser than the defaults),
        "not_yet" (too few items or runs), "cannot_tell" (the labels can't tell), or "no".
        "reason" says why it may not gate, or by which limits. "correlation" is missing
        unless people gave the labels, and labels and answers are for the current wording. It
        has the "criterion" with the lowest one, its "value" with the interval, "low" and
        "high", or "undefined", why it has none.

        Returns None if the bundle has no such judge, so that nothing is known about it: the
        name or the model is another one, or the document names no labeled items. Raises
        NotFoundError for an unknown ID.
        """
        _need_arguments(_no_text("id", id), _no_text("judge", judge), _no_text("model", model))
        self._line(id)
        for each in self._calibration(id).get("judges", ()):
            if each["judge"] == judge and each["model"] == model:
                found: Mapping[str, Any] = each
                return found
        return None

    def _calibration(self, id_: str) -> Mapping[str, Any]:
        """The checked calibration of a document, or one without keys."""
        def read() -> Any:
            key = f'"id":"{id_}"'  # in canonical JSON, a quotation mark in a text is escaped
            for text in self._split(_CALIBRATIONS):
                if key in text:
                    line = _read_calibration(text, f"{_CALIBRATIONS}: the line of {id_}", self.manifest["format_version"])
                    _need(line["id"] == id_, _CALIBRATIONS, f"the line of {id_} is that of another document")
                    return _freeze(line)
            return _Frozen()

        calibration: Mapping[str, Any] = self._cached(f"{_CALIBRATIONS} {id_}", read)
        return calibration

    async def aget(self, id: str, constraint: str = "", *, request_id: str = "", actor: str = "") -> Document:
        """Works like ``Bundle.get``, and waits for an asynchronous audit callback before the document is returned."""
        return await self._aretrieve(id, constraint, None, request_id, actor)

    async def aresolve(self, reference: str, *, request_id: str = "", actor: str = "") -> Document:
        """Works like ``Bundle.resolve``, and waits for an asynchronous audit callback before the document is returned."""
        id_, constraint, digest = _split_reference(reference)
        return await self._aretrieve(id_, constraint, digest, request_id, actor)

    async def _aretrieve(self, id_: str, constraint: str, digest: Optional[str], request_id: str, actor: str) -> Document:
        with _Retrieval(self, id_) as call:
            _need_arguments(_no_text("id", id_), _no_text("constraint", constraint), _no_text("request_id", request_id), _no_text("actor", actor))
            document = call.find(constraint, digest)
            answer = call.audit(document, request_id, actor)
            if inspect.isawaitable(answer):
                try:
                    answer = await answer
                except Exception as error:
                    raise call.failed(document, error) from error
            call.refuse_pending(document, answer, "Pass a function that can be awaited")
            return document

    def _line(self, id_: str) -> Mapping[str, Any]:
        """The checked line of the index of a document."""
        if id_ in self._texts:
            line: Mapping[str, Any] = self._cached(id_, lambda: self._read_line(id_))
            return line
        gone = self._gone.get(id_)
        if gone is None and not any(entry["id"] == id_ for entry in self.manifest["tombstones"]):
            raise NotFoundError(f"the bundle has no document {id_!r:.300}", id_, self._texts.keys())
        # No version is left.
        kind, latest = (gone["kind"], gone["last_version"]) if gone is not None else ("", "")
        return {"id": id_, "kind": kind, "latest": latest, "versions": (), "retired": gone is not None}

    def _read_line(self, id_: str) -> Mapping[str, Any]:
        path = f"{_INDEX}: the line of {id_}"
        line = _read_line(self._texts[id_], path, self.manifest["format_version"])
        _need(line["id"] == id_, path, "it has another ID")
        self._documents.check_line(line, self.manifest, self._sums)
        return line

    def _document(self, line: Mapping[str, Any], chosen: Mapping[str, str], yanked: str) -> Document:
        kind, id_, version, digest = line["kind"], line["id"], chosen["version"], chosen["digest"]
        path = _path(kind, id_, version)
        _need("sha256:" + self._sums.get(path, "") == digest, path, "it is missing or differs from the index")
        content = self._load(path)
        return Document(id_, version, kind, digest, self.version, _freeze(_read_document(kind, id_, version, content)), content, yanked)


class Bundle(AsyncBundle):
    """An open bundle, as returned by ``open``."""

    def get(self, id: str, constraint: str = "", *, request_id: str = "", actor: str = "") -> Document:
        """The highest version of a document that satisfies the constraint.

        Without a constraint, it returns the latest version, or raises RetiredError if
        the document is retired. For a gate, use an exact version or ~1.2, because a minor
        version can reword what a judge reads. NotFoundError lists similar IDs, and
        ConstraintError lists the existing versions. ``request_id`` and ``actor``, the person
        or service that the document is for, are passed to the audit. AuditError means that it
        failed, or that the callback is asynchronous, which only ``aget`` waits for.
        """
        return self._retrieve(id, constraint, None, request_id, actor)

    def resolve(self, reference: str, *, request_id: str = "", actor: str = "") -> Document:
        """The document of a stored reference, id@version#digest, or of id@constraint or an ID.

        Raises DigestError if the content in the bundle has another digest, and otherwise
        the same exceptions as ``get``.
        """
        id_, constraint, digest = _split_reference(reference)
        return self._retrieve(id_, constraint, digest, request_id, actor)

    def _retrieve(self, id_: str, constraint: str, digest: Optional[str], request_id: str, actor: str) -> Document:
        with _Retrieval(self, id_) as call:
            _need_arguments(_no_text("id", id_), _no_text("constraint", constraint), _no_text("request_id", request_id), _no_text("actor", actor))
            document = call.find(constraint, digest)
            call.refuse_pending(document, call.audit(document, request_id, actor), "Use aget or aresolve")
            return document


def _split_reference(reference: str) -> Tuple[str, str, Optional[str]]:
    """The ID, the constraint or "", and the digest of a reference."""
    _need_arguments(_no_text("reference", reference))
    match = re.fullmatch(rf"([^@# \t\r\n/]+)(?:@([^#]+)(?:#({_DIGEST}))?)?", reference)
    if match is None:
        raise BadReferenceError(f"{reference!r} is not a reference: expected a form such as id@1.2.0#sha256:...")
    id_, constraint, digest = match.groups()
    return id_, constraint or "", digest


def _choose(
    line: Mapping[str, Any], constraint: str, yanked: Mapping[str, str], withdrawn: Mapping[str, str], gone: Mapping[str, str],
) -> Mapping[str, str]:
    """The highest version of a document that satisfies the constraint, a yanked one only if it is named.

    ``gone`` is its entry in the ledger, if there is one.
    """
    if constraint == "" and line.get("retired"):
        last = "" if line["latest"] in withdrawn else line["latest"]
        raise RetiredError(line["id"], last, gone.get("reason", ""), gone.get("replaced_by", ""))
    version: Mapping[str, str]
    why = ""
    for version in reversed(line["versions"]):
        if constraint == "" or satisfies(version["version"], constraint):
            if version["version"] == constraint or version["version"] not in yanked:
                return version
            why = why or f": version {version['version']} was yanked: {yanked[version['version']].rstrip('.')}"
    for name in reversed(list(withdrawn)):
        if constraint == "" or satisfies(name, constraint):
            why = why or f": version {name} was withdrawn: {withdrawn[name].rstrip('.')}"
    versions = [version["version"] for version in line["versions"] if version["version"] not in yanked]
    raise ConstraintError(f"no version of {line['id']} satisfies {constraint!r}{why}; available versions: {', '.join(versions)}", versions)


_Source = Union[str, "os.PathLike[str]", bytes]


@overload
def open(source: _Source, digest: Optional[str] = None, *, audit: Callable[[AuditRecord], Awaitable[object]]) -> AsyncBundle: ...  # type: ignore[overload-overlap]
@overload
def open(source: _Source, digest: Optional[str] = None, *, audit: Optional[Callable[[AuditRecord], object]] = None) -> Bundle: ...
def open(source: _Source, digest: Optional[str] = None, *, audit: Optional[Callable[[AuditRecord], object]] = None) -> AsyncBundle:
    """Opens a bundle from a path or its bytes, and checks its directory, manifest, and retired IDs. ``Bundle.verify`` checks all of it.

    With ``digest`` ("sha256:..." from the release), only that bundle is accepted. Without
    it, a complete bundle from an attacker would pass. ``audit`` is called before a
    document is returned; if it is asynchronous, use ``aget`` and ``aresolve``, which wait
    for it. Raises FormatError, IntegrityError, or OSError.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    elif not _is_path(source):
        raise InputError("", arguments=[f"the source must be a path or the bytes of a bundle, got {source!r:.100}"])
    else:
        with builtins.open(source, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > _MAX_SIZE:
                raise FormatError(f"not a bundle: it has {size} bytes")
            data = _read_all(file.read, size, _MAX_SIZE)
    bundle = Bundle(data, digest, audit)
    bundle._measure()
    return bundle


def _read_all(read: Callable[[int], bytes], size: int, most: int) -> bytes:
    """All bytes that follow, and of more than ``most`` only the first ones. ``size`` is expected, and memory is reserved for it."""
    chunks = [b""]
    left = most + 1
    while left > 0:
        chunk = read(min(left, max(size, 1 << 20) + 1))
        if not chunk:
            break
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks) if len(chunks) > 2 else chunks[-1]


_FOLDED = {"\u00df": "ss", "\u1e9e": "ss", "\u03c2": "\u03c3", "\u0130": "i", "\u0131": "i"}


class _Folding(Dict[int, str]):
    """What each code point becomes: its lowercase, or a space between words."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        folded = " "
        if unicodedata.category(character)[0] in "LMN":
            folded = _FOLDED.get(character, character.lower())
        if point < 0x3000:  # a query must not fill the memory
            self[point] = folded
        return folded


_FOLDING = _Folding()
_MAX_WORDS = 16


_REFERENCE = re.compile(r"[ \t\r\n]*[^ \t\r\n@]+@[ \t\r\n]*(?:[vV]?[0-9]|[\^~<>=!*#]|\Z)")
"""An ID before a version, a constraint, a digest, or nothing, but not an owner such as search@acme.example."""

_GENERIC = ("rubric", "ruleset")
"""Words that no author has to write."""


def _singular(word: str) -> str:
    """The word without the plural ending of English."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


def _fold(text: str) -> str:
    """The words of a text in lowercase NFC and in the singular, each between spaces, or ""."""
    words = [_singular(word) for word in unicodedata.normalize("NFC", text).translate(_FOLDING).split()]
    return f" {' '.join(words)} " if words else ""


def _places(line: Mapping[str, Any]) -> List[Tuple[str, int, str]]:
    """The places of a document that a search covers, each with its weight and its words. The ID is the first."""
    places = [(key, weight, _fold(line.get(key, ""))) for key, weight in (("id", 6), ("artifact_type", 5), ("name", 4), ("description", 2), ("keywords", 5), ("owner", 3))]
    for part in line.get("parts", ()):
        name = f"{part['list']}[{part['name']}]"
        places += [(name, 3, _fold(part["name"])), (name, 1, _fold(part.get("text", "")))]
    return places


def _search(documents: Mapping[str, List[Tuple[str, int, str]]], query: str) -> List[Tuple[str, int, Tuple[str, ...], bool]]:
    """The ID, the score, the matched places, and whether it lacks words, of each document that a query finds.

    docs/bundle.md defines the search.
    """
    if _REFERENCE.match(query):
        query = query.partition("@")[0]
    text = _fold(query)
    known: Set[str] = set()
    words = [(word, _best(documents, word, known)) for word in text.split()[:_MAX_WORDS] if word not in _GENERIC]
    words = [(word, best) for word, best in words if len(best) < len(documents) or len(documents) < 2] or words
    found, most = [], 1
    for id_, places in documents.items():
        partial = any(id_ not in best for _, best in words)
        here = [(word, best[id_][0] * (len(documents) - len(best) if partial else 1), best[id_][1]) for word, best in words if id_ in best]
        rank = sum(not _is_shorter(word, 3) for word, _, _ in here) if partial else _MAX_WORDS + 1
        score = sum(score for _, score, _ in here) + (100 if text and places[0][2] == text else 0)
        found.append((rank, (id_, score, tuple(dict.fromkeys(name for _, _, name in here)), partial)))
        most = max(most, rank)
    return sorted((match for rank, match in found if rank == most), key=lambda match: (-match[1], match[0]))


def _is_shorter(word: str, length: int) -> bool:
    return len(word) < length and word.isascii()


def _best(documents: Mapping[str, List[Tuple[str, int, str]]], word: str, known: Set[str]) -> Dict[str, Tuple[int, str]]:
    """The best place of a word in each document that has it. ``known`` becomes the words of all documents when it is needed."""
    best = _best_places(documents, word, _contains)
    if best or len(word) < 4 or any(unicodedata.category(character)[0] == "N" for character in word):
        return best
    if not known:
        known.update(other for places in documents.values() for _, _, said in places for other in said.split())
    near = [f" {other} " for other in known if _distance(word, other, 1) == 1]
    near += [f" {word[:i]} {word[i:]} " for i in range(1, len(word)) if word[:i] in known and word[i:] in known]
    return _best_places(documents, word, lambda said, _: int(any(other in said for other in near)))


def _best_places(
    documents: Mapping[str, List[Tuple[str, int, str]]], word: str, grade: Callable[[str, str], int],
) -> Dict[str, Tuple[int, str]]:
    """The highest score of a word in each document that has it, and the first place with that score."""
    best: Dict[str, Tuple[int, str]] = {}
    for id_, places in documents.items():
        for name, weight, text in places:
            score = weight * grade(text, word)
            if score > best.get(id_, (0, ""))[0]:
                best[id_] = (score, name)
    return best


def _contains(text: str, word: str) -> int:
    if word not in text:
        return 0
    inside = 0 if _is_shorter(word, 4) else 2
    return 4 if f" {word} " in text else 3 if f" {word}" in text else inside


def _near(word: str, known: Iterable[str]) -> Tuple[str, ...]:
    """Up to three known words whose distance is at most a third of the word's length, nearest first.

    Known words are ASCII, and what a word has beyond it counts in bytes. The letters that two
    words do not share bound their distance from below, so that few words need the full
    comparison. Their number is limited, because the word can be an attacker's.
    """
    word = word.encode(errors="replace").decode("latin-1")
    limit = max(1, len(word) // 3)
    letters = Counter(word)
    close = sorted(
        (least, other) for other in (known if len(word) <= 160 else ()) if abs(len(word) - len(other)) <= limit
        for least in [max(sum((letters - Counter(other)).values()), sum((Counter(other) - letters).values()))] if least <= limit
    )[:_MOST_COMPARED]
    near: List[Tuple[int, str]] = []
    for least, other in close:
        if len(near) == 3 and least > near[2][0]:
            break
        far = _distance(word, other, limit)
        if far <= limit:
            near = sorted([*near, (far, other)])[:3]
    return tuple(other for _, other in near)


def _distance(a: str, b: str, limit: int) -> int:
    """The number of letters to add, remove, replace, or swap with a neighbor."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    above: List[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, above, row = above, row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], before[j - 2] + 1)
    return row[-1]


# Verdicts of rubrics.


@dataclass(frozen=True)
class CriterionResult:
    """The result of one criterion. A failed important criterion does not fail the rubric."""

    name: str
    weight: str
    score: float
    minimum: float
    passed: bool


@dataclass(frozen=True)
class NegativeResult:
    """A negative criterion with a hit. Its effect is fail or report."""

    name: str
    effect: str


@dataclass(frozen=True)
class Reason:
    """One reason why a rubric fails.

    ``kind`` is criterion_below_minimum, overall_below_threshold (without a name), or
    negative_criterion_hit (score and minimum are 0).
    """

    kind: str
    name: str = ""
    score: float = 0.0
    minimum: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """The verdict of a rubric on an artifact. ``reasons`` is empty if and only if it passed."""

    passed: bool
    overall: float
    pass_threshold: float
    """0 if the rubric has none."""
    criteria: Tuple[CriterionResult, ...]
    negative_criteria: Tuple[NegativeResult, ...]
    reasons: Tuple[Reason, ...]


AnyDocument = Union[Document, Mapping[str, Any]]


def _data(document: AnyDocument) -> Mapping[str, Any]:
    return document.data if isinstance(document, Document) else document


def _check_arguments(document: Any, key: str, wrong: Sequence[str]) -> Mapping[str, Any]:
    """The data of a document that functions can be applied to. ``wrong`` has the problems of other arguments."""
    data = _data(document)
    if not isinstance(data, Mapping):
        raise InputError("the document", arguments=[f"the document must be what get returns, or its data, got {data!r:.100}", *wrong])
    malformed = _malformed(data)
    if wrong or malformed:
        raise InputError(str(data.get(key)), arguments=wrong, definition=malformed)
    return data


def _malformed(data: Mapping[str, Any]) -> List[str]:
    """The problems of data that is not of the types of a document."""
    problems = []
    for key, name in (("criteria", "name"), ("negative_criteria", "name"), ("rules", "id")):
        items = data.get(key)
        if items is None:
            continue
        if not isinstance(items, (list, tuple)) or not all(isinstance(item, Mapping) for item in items):
            problems.append(f"{key} must be a list of mappings")
            continue
        for item in items:
            patterns = item.get("fail_patterns")
            if not isinstance(item.get(name, ""), str):
                problems.append(f"the {name} {item[name]!r:.100} in {key} is not a text")
            if patterns is not None and not (isinstance(patterns, (list, tuple)) and all(isinstance(pattern, str) for pattern in patterns)):
                problems.append("fail_patterns must be a list of texts")
            if not isinstance(item.get("ignore_case", False), bool):
                problems.append("ignore_case must be True or False")
    if not isinstance(data.get("scoring") or {}, Mapping):
        problems.append("scoring must be a mapping")
    return problems


def _names_of(hits: Any) -> Optional[Set[str]]:
    """The names of hits, or None if these are none. A text is not a list of its characters."""
    if isinstance(hits, (str, bytes, Mapping)) or not isinstance(hits, Iterable):
        return None
    names = [hit.name if isinstance(hit, Hit) else hit for hit in hits]
    return set(names) if all(isinstance(name, str) for name in names) else None


def _is_named(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _as_number(value: Any) -> Any:
    """An integer of another type, such as one of NumPy, as an int; any other value as it is."""
    try:
        return value if isinstance(value, (bool, float)) else operator.index(value)
    except TypeError:
        return value


def _on_scale(value: Any) -> bool:
    return _is_number(value) and 1 <= value <= 5


def _sum(values: Iterable[float]) -> float:
    """The sum in ascending order. The built-in sum rounds differently since Python 3.12."""
    total = 0.0
    for value in sorted(values):
        total += value
    return total


def _name_problems(kind: str, names: Sequence[str]) -> List[str]:
    problems = [f"a {kind} has no name" for name in names if not name]
    return problems + [f"the name of {kind} {name!r} is used more than once" for name in sorted(set(names)) if name and names.count(name) > 1]


def _criteria_problems(rubric: Mapping[str, Any]) -> List[str]:
    criteria = rubric.get("criteria") or ()
    problems = [] if criteria else ["the rubric has no criteria"]
    for criterion in criteria:
        if criterion.get("weight") not in ("essential", "important"):
            problems.append(f"criterion {criterion.get('name')!r} has no known weight")
        relative = criterion.get("relative_weight", 1)
        if not (_is_number(relative) and 0 < relative <= 1000):
            problems.append(f"criterion {criterion.get('name')!r} has relative_weight {relative!r}, expected above 0 and at most 1000")
        if not _on_scale(criterion.get("threshold")):
            problems.append(f"criterion {criterion.get('name')!r} has no threshold from 1 to 5")
    problems += _name_problems("criterion", [criterion.get("name", "") for criterion in criteria])
    scoring = rubric.get("scoring") or {}
    for key in ("pass_threshold", "essential_minimum"):
        if scoring.get(key, 0) != 0 and not _on_scale(scoring[key]):
            problems.append(f"{key} is {scoring[key]!r}, expected 1 to 5 or none")
    return problems


def _negative_problems(rubric: Mapping[str, Any]) -> List[str]:
    negatives = rubric.get("negative_criteria") or ()
    problems = [
        f"negative criterion {n.get('name')!r} has no known effect" for n in negatives if n.get("effect", "fail") not in ("fail", "report")
    ]
    return problems + _name_problems("negative criterion", [n.get("name", "") for n in negatives])


def verdict(rubric: AnyDocument, scores: Mapping[str, float], hits: Iterable[Union[str, "Hit"]]) -> Verdict:
    """Computes the verdict from the scores of all criteria, 1 to 5, and the hits or the names of the negative criteria hit.

    An empty list of hits says that the artifact was searched and has none.

    The artifact passes if every essential criterion reaches its minimum, the mean of the
    scores, weighted by relative_weight, reaches the pass threshold, and no negative
    criterion with effect fail is hit. InputError lists everything that is missing, unknown, or invalid.
    """
    names, wrong = _names_of(hits), []
    if not _is_named(scores):
        wrong.append(f"the scores must be a mapping from names of criteria to numbers, got {scores!r:.100}")
    if names is None:
        wrong.append(f"the hits must be a list of hits or of names, [] if there are none, got {hits!r:.100}")
    data = _check_arguments(rubric, "rubric_id", wrong)
    names = names or set()
    scores = {name: _as_number(score) for name, score in scores.items()}
    criteria, negatives = data.get("criteria") or (), data.get("negative_criteria") or ()
    known = {criterion.get("name", "") for criterion in criteria}
    problem = InputError(
        str(data.get("rubric_id")), definition=_criteria_problems(data) + _negative_problems(data),
        missing=known - set(scores), unknown=set(scores) - known,
        invalid=[name for name in known & set(scores) if not _on_scale(scores[name])],
        unknown_hits=names - {negative.get("name", "") for negative in negatives},
    )
    if problem._any:
        raise problem
    scoring = data.get("scoring") or {}
    results, reasons = [], []
    for criterion in criteria:
        name, weight, score, minimum = criterion["name"], criterion["weight"], float(scores[criterion["name"]]), float(criterion["threshold"])
        if weight == "essential":
            minimum = max(minimum, float(scoring.get("essential_minimum", 0)))
        passed = score >= minimum - TOLERANCE
        results.append(CriterionResult(name, weight, score, minimum, passed))
        if not passed and weight == "essential":
            reasons.append(Reason("criterion_below_minimum", name, score, minimum))
    weights = [float(criterion.get("relative_weight", 1)) for criterion in criteria]
    overall = _sum(weight * result.score for weight, result in zip(weights, results)) / _sum(weights)
    threshold = float(scoring.get("pass_threshold", 0))
    if not overall >= threshold - TOLERANCE:
        reasons.append(Reason("overall_below_threshold", "", overall, threshold))
    hit = [NegativeResult(n["name"], n.get("effect", "fail")) for n in negatives if n["name"] in names]
    reasons += [Reason("negative_criterion_hit", n.name) for n in hit if n.effect == "fail"]
    return Verdict(not reasons, overall, threshold, tuple(results), tuple(hit), tuple(reasons))


_ANSWER = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 1, "maximum": 5}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}


def judge_view(document: AnyDocument) -> Dict[str, Any]:
    """Exactly the parts of a document that a judge reads, as a new dict that ``json.dumps`` accepts.

    For a rubric: ID, version, judge digest, and the name, description, anchors, and examples
    of each criterion, but no weights or thresholds, which would influence the judge. For a
    rule set: the same with ID, description, and check of each rule. The judge digest covers
    the criteria or the rules, and is the same for documents with the same words.
    """
    data = _check_arguments(document, "rubric_id", ())
    key, id_key, parts = "criteria", "rubric_id", ("name", "description", "anchors", "examples")
    if "rules" in data:
        key, id_key, parts = "rules", "ruleset_id", ("id", "description", "check")
    try:
        text = _canonical([{part: item[part] for part in parts if part in item} for item in data.get(key) or ()])
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise InputError(str(data.get(id_key)), definition=[f"{key} must be plain data, as json.loads returns it"]) from None
    items: List[Dict[str, Any]] = json.loads(text)
    # Rules are judged one by one, so their order does not count.
    counted = items if key == "criteria" else sorted(items, key=lambda item: str(item.get("id", "")))
    digest = "sha256:" + hashlib.sha256(_canonical({key: counted}).encode()).hexdigest()
    return {"id": data.get(id_key), "version": data.get("version"), "digest": digest, key: items}


def answer_schema(rubric: AnyDocument) -> Dict[str, Any]:
    """The JSON Schema of a judge's answer to a rubric: for each criterion a reason, and then a score.

    It is a new dict: ``{"criteria": {NAME: {"reason": ..., "score": ...}}}`` with everything
    required and nothing else allowed. InputError means that the document is not a rubric.
    """
    data = _check_arguments(rubric, "rubric_id", ())
    problems = _criteria_problems(data)
    if problems:
        raise InputError(str(data.get("rubric_id")), definition=problems)
    names = [criterion["name"] for criterion in data["criteria"]]
    criteria = {"type": "object", "properties": {name: _ANSWER for name in names}, "required": names, "additionalProperties": False}
    schema: Dict[str, Any] = json.loads(json.dumps(
        {"type": "object", "properties": {"criteria": criteria}, "required": ["criteria"], "additionalProperties": False}))
    return schema


# Hits of negative criteria.


class Hit(NamedTuple):
    """A match of a pattern: a half-open range in code points of the normalized text."""

    name: str
    pattern: str
    start: int
    end: int


def normalize(text: str) -> str:
    """The normalized text that patterns are searched in: NFC, with LF instead of CRLF or CR."""
    _need_arguments(_no_text("text", text))
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def hits(rubric: AnyDocument, text: str) -> Tuple[Hit, ...]:
    """Finds the hits of the negative criteria in a text, ordered by negative criterion, pattern, and position.

    InputError lists patterns that can't be used. The search can take very long on a long
    text, so limit the length of untrusted input.
    """
    data = _check_arguments(rubric, "rubric_id", [problem for problem in [_no_text("text", text)] if problem])
    problems = _negative_problems(data)
    compiled = []
    for negative in data.get("negative_criteria") or ():
        ignore_case = negative.get("ignore_case", False)
        if not negative.get("fail_patterns"):
            problems.append(f"negative criterion {negative.get('name')!r} has no fail_patterns")
        for pattern in negative.get("fail_patterns") or ():
            try:
                compiled.append((negative.get("name"), pattern, ignore_case, _compile(pattern, ignore_case)))
            except (ValueError, re.error, OverflowError, RecursionError) as error:
                problems.append(f"pattern {pattern!r} of negative criterion {negative.get('name')!r} can't be used: {error}")
    if problems:
        raise InputError(str(data.get("rubric_id")), definition=problems)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TextError(f"the text contains half of a surrogate pair at code point {error.start}") from None
    text = normalize(text)
    # Python folds ASCII only; the replacement keeps all languages alike.
    without_long_s = text.replace("\u017f", "\u01bb")
    return tuple(
        Hit(name, pattern, start, end)
        for name, pattern, ignore_case, expression in compiled
        for start, end in _find_all(expression, without_long_s if ignore_case else text)
    )


def _find_all(expression: "re.Pattern[str]", text: str) -> List[Tuple[int, int]]:
    """All matches that do not overlap, as in Go: no empty match directly after another match."""
    found = []
    at, end_before = 0, -1
    while at <= len(text):
        match = expression.search(text, at)
        if match is None:
            break
        start, end = match.span()
        if end > at or start != end_before:
            found.append((start, end))
        at = end if end > at else at + 1
        end_before = end
    return found


_NAMES_ASCII = re.compile(r"(?:[\x00-\x5B\x5D-\x7F]|\\x[0-7][0-9A-Fa-f]|\\[^pPx1-7])*")


@functools.lru_cache(maxsize=_MOST_CACHED)
def _compile(pattern: str, ignore_case: bool) -> "re.Pattern[str]":
    if ignore_case and not _NAMES_ASCII.fullmatch(pattern):
        raise ValueError("with ignore_case, it may contain only ASCII characters")
    return re.compile(_Translator(pattern).expression(), re.ASCII | (re.IGNORECASE if ignore_case else 0))


class _Translator:
    """Translates a regular expression from Go's syntax to Python's, and rejects it if the meaning would differ.

    Every character becomes a numeric escape, and every group a non-capturing one. It
    rejects inline flags, named classes, properties, quoted text, octal numbers, and
    repetitions of expressions that can match nothing, because languages differ in them.
    """

    _SETS = {"d": r"0-9", "w": r"0-9A-Za-z_", "s": r"\t\n\f\r "}
    _IN_SET = {**_SETS, "D": r"\D", "W": r"\W", "S": r"\x00-\x08\x0b\x0e-\x1f!-\U0010ffff"}
    _CONTROLS = {"a": 7, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
    _QUANTIFIER = re.compile(r"(?:[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*|))?\})\??")
    _GROUP = re.compile(r"\((?:\?(?::|P?<[A-Za-z0-9_]+>)|(?!\?))")
    _HEX = re.compile(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def expression(self) -> str:
        out, _ = self._alternatives()
        if self.at < len(self.text):
            self._refuse("an unmatched )")
        return out

    def _refuse(self, what: str) -> NoReturn:
        raise ValueError(f"it has {what} at character {self.at}, which this module does not support")

    def _alternatives(self) -> Tuple[str, bool]:
        """The translation, and whether it can match nothing."""
        out, empty = self._sequence()
        while self.text[self.at:self.at + 1] == "|":
            self.at += 1
            more, more_empty = self._sequence()
            out, empty = out + "|" + more, empty or more_empty
        return out, empty

    def _sequence(self) -> Tuple[str, bool]:
        out, all_empty = "", True
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            atom, empty = self._atom()
            match = self._QUANTIFIER.match(self.text, self.at)
            if match:
                if empty:
                    self._refuse("a repetition of an expression that can match nothing")
                least = int(match.group(1) or 0) if match.group()[0] != "+" else 1
                most = int(match.group(3) or 1000) if match.group(2) else least
                if max(least, most) > 1000 or most < least and match.group(1):
                    self._refuse("a repetition above 1000, or a reversed one")
                self.at = match.end()
                if self._QUANTIFIER.match(self.text, self.at):
                    self._refuse("a repetition of a repetition")
                atom, empty = atom + match.group(), least == 0
            out, all_empty = out + atom, all_empty and empty
        return out, all_empty

    def _atom(self) -> Tuple[str, bool]:
        char = self.text[self.at]
        if char == "(":
            match = self._GROUP.match(self.text, self.at)
            if match is None:
                self._refuse("a flag or lookaround")
            self.at = match.end()
            out, empty = self._alternatives()
            if self.text[self.at:self.at + 1] != ")":
                self._refuse("an unclosed (")
            self.at += 1
            return f"(?:{out})", empty
        if char == "[":
            return self._set(), False
        if self._QUANTIFIER.match(self.text, self.at):
            self._refuse("a quantifier without an expression")
        self.at += 1
        if char == "\\":
            return self._escape()
        if char in "^$":
            return {"^": r"\A", "$": r"\Z"}[char], True
        return (r"[^\n]" if char == "." else self._literal(ord(char))), False

    def _escape(self) -> Tuple[str, bool]:
        char = self.text[self.at:self.at + 1]
        if char and char in "AzbB":
            self.at += 1
            # Before Python 3.14, \B does not match an empty text.
            return {"A": r"\A", "z": r"\Z", "B": r"(?!\b)"}.get(char, "\\" + char), True
        if char and char.lower() in self._SETS:
            self.at += 1
            return f"[{'^' if char.isupper() else ''}{self._SETS[char.lower()]}]", False
        return self._literal(self._character()), False

    def _character(self) -> int:
        """The character after a backslash."""
        char = self.text[self.at:self.at + 1]
        match = self._HEX.match(self.text, self.at)
        if match:
            self.at = match.end()
            return int(match.group(1) or match.group(2), 16)
        if char in self._CONTROLS:
            self.at += 1
            return self._CONTROLS[char]
        if not char or not char.isascii() or char.isalnum():
            self._refuse("an unsupported escape")
        self.at += 1
        return ord(char)

    def _literal(self, code: int) -> str:
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            self._refuse("a number that is not a character")
        return f"\\U{code:08x}"

    def _set(self) -> str:
        self.at += 1
        out = ""
        if self.text[self.at:self.at + 1] == "^":
            self.at += 1
            out = "^"
        first = True
        while first or self.text[self.at:self.at + 1] != "]":
            first = False
            if self.text[self.at:self.at + 2] == "[:":
                self._refuse("a named character class")
            follows = self.text[self.at + 1:self.at + 2]
            if self.text[self.at:self.at + 1] == "\\" and follows and follows in self._IN_SET:
                self.at += 2
                out += self._IN_SET[follows]
                continue
            low = high = self._member()
            if self.text[self.at:self.at + 1] == "-" and self.text[self.at + 1:self.at + 2] not in ("]", ""):
                self.at += 1
                high = self._member()
            if high < low:
                self._refuse("a reversed range")
            out += self._literal(low) + "-" + self._literal(high)
        self.at += 1
        return f"[{out}]"

    def _member(self) -> int:
        char = self.text[self.at:self.at + 1]
        if not char:
            self._refuse("an unclosed [")
        self.at += 1
        return self._character() if char == "\\" else ord(char)


# Scores of rule sets.


@dataclass(frozen=True)
class RuleOutcome:
    """The result of one active rule. ``weight`` is its effective weight, 0 for an info rule."""

    id: str
    severity: str
    weight: float
    verdict: str
    reason: str = ""


@dataclass(frozen=True)
class RuleReason:
    """One reason why an artifact does not pass.

    ``kind`` is rule_failed, rule_skipped (rule and explanation), or
    score_below_threshold (score and threshold).
    """

    kind: str
    rule: str = ""
    explanation: str = ""
    score: float = 0.0
    threshold: float = 0.0


@dataclass(frozen=True)
class RuleScore:
    """The result of a rule set for an artifact. ``reasons`` is empty if and only if it passed."""

    passed: bool
    phase: str
    score: float
    passed_weight: float
    active_weight: float
    threshold: float
    rules: Tuple[RuleOutcome, ...]
    blocking: Tuple[str, ...]
    reasons: Tuple[RuleReason, ...]


_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


def _counted(rule: Mapping[str, Any]) -> float:
    return 0.0 if rule.get("severity") == "info" else float(rule["weight"])


def _ruleset_problems(data: Mapping[str, Any]) -> List[str]:
    rules = data.get("rules") or ()
    problems = [] if rules else ["the rule set has no rules"]
    threshold = (data.get("scoring") or {}).get("pass_threshold", 0)
    if not (_is_number(threshold) and 0 <= threshold <= 1):
        problems.append(f"pass_threshold is {threshold!r}, expected 0 to 1")
    for rule in rules:
        name, weight = rule.get("id", ""), rule.get("weight", 0)
        if rule.get("severity") not in ("fail", "warn", "info"):
            problems.append(f"rule {name!r} has no known severity")
        if rule.get("phase") not in ("A", "B"):
            problems.append(f"rule {name!r} has no known phase")
        if not (_is_number(weight) and weight <= sys.float_info.max and (weight > 0 or weight == 0 and rule.get("severity") == "info")):
            problems.append(f"rule {name!r} has weight {weight!r}, expected a finite number above 0 (0 only for info)")
    problems += _name_problems("rule", [rule.get("id", "") for rule in rules])
    if not problems and math.isinf(_sum(map(_counted, rules))):
        problems.append("the weights add up to more than a number can hold")
    return problems


def _usable(result: Any) -> bool:
    if not isinstance(result, Mapping) or not isinstance(result.get("reason", ""), str):
        return False
    return result.get("verdict") in ("pass", "fail") or result.get("verdict") == "skipped" and bool(result.get("reason", "").strip(_SPACE))


def rule_score(ruleset: AnyDocument, phase: str, results: Mapping[str, Mapping[str, str]]) -> RuleScore:
    """Scores the results of the rules that are active in phase A or B.

    ``results`` maps the ID of each rule to {"verdict": "pass" | "fail" | "skipped",
    "reason": ...}. A skipped rule needs a reason and counts as not passed. The score is
    the weight of the passed rules divided by the weight of all active rules. The artifact
    passes if the score reaches the threshold and every rule with severity fail passes.
    InputError lists everything that is missing, unknown, inactive, or invalid.
    """
    wrong = [] if _is_named(results) else [f"the results must be a mapping from IDs of rules to results, got {results!r:.100}"]
    data = _check_arguments(ruleset, "ruleset_id", wrong)
    rules = data.get("rules") or ()
    known = {rule.get("id", "") for rule in rules}
    phases = {"A": ("A",), "B": ("A", "B")}.get(phase, ()) if isinstance(phase, str) else ()
    active = [rule for rule in rules if rule.get("phase") in phases]
    ids = {rule.get("id", "") for rule in active}
    problem = InputError(
        str(data.get("ruleset_id")), definition=_ruleset_problems(data), unknown_phase=not phases,
        missing=ids - set(results), unknown=set(results) - known,
        inactive=(known - ids) & set(results) if phases else (),
        invalid=[id_ for id_ in (ids if phases else known) & set(results) if not _usable(results[id_])],
    )
    if problem._any:
        raise problem
    outcomes, passed, reasons = [], [], []
    for rule in active:
        result = results[rule["id"]]
        outcome = RuleOutcome(rule["id"], rule["severity"], _counted(rule), result["verdict"], result.get("reason", ""))
        outcomes.append(outcome)
        if outcome.verdict == "pass":
            passed.append(outcome.weight)
        elif outcome.severity == "fail":
            reasons.append(RuleReason("rule_failed" if outcome.verdict == "fail" else "rule_skipped", outcome.id, outcome.reason))
    blocking = tuple(reason.rule for reason in reasons)
    passed_weight, active_weight = _sum(passed), _sum(outcome.weight for outcome in outcomes)
    score = passed_weight / active_weight if active_weight > 0 else 1.0
    threshold = float((data.get("scoring") or {}).get("pass_threshold", 0))
    if not score >= threshold - TOLERANCE:
        reasons.append(RuleReason("score_below_threshold", score=score, threshold=threshold))
    return RuleScore(not reasons, phase, score, passed_weight, active_weight, threshold, tuple(outcomes), blocking, tuple(reasons))


# Following releases.

_MAX_FETCHED = 1 << 30
_FETCH_SECONDS = 300.0
_ANSWER_SECONDS = 30.0
_MOST_PAUSE = 3600.0
_CLOSE_SECONDS = 2.0
_REDIRECTS = 10
_LOG = logging.getLogger("rubric_bundle")
_ADDRESS = "the address of the bundle must be a valid https address, or http for localhost"
_OWN_HEADERS = ("accept-encoding", "connection", "content-length", "host", "if-none-match", "range", "transfer-encoding")
_CA = Union[str, bytes, "os.PathLike[str]", None]


class _Fetched(NamedTuple):
    data: Optional[bytes]
    """None if the content still is the known one."""
    tag: str = ""


class _FileSource:
    """A file. To update it, rename a new file to its path."""

    pause = 0.0

    def __init__(self, path: "Union[str, os.PathLike[str]]") -> None:
        self._path = path

    def fetch(self, tag: str, known: bytes) -> _Fetched:
        def opener(path: str, flags: int) -> int:
            return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe must not block

        with builtins.open(self._path, "rb", opener=opener) as file:
            info = os.fstat(file.fileno())
            if not stat.S_ISREG(info.st_mode):
                raise OSError(f"{os.fspath(self._path)}: it is not a regular file")
            # Times and sizes can stay the same when the content changes.
            at = 0
            while at < len(known):
                chunk = file.read(1 << 20)
                if not chunk or chunk != known[at:at + len(chunk)]:
                    break
                at += len(chunk)
            if known and at == len(known) and not file.read(1):
                return _Fetched(None)
            file.seek(0)
            return _Fetched(_read_all(file.read, min(info.st_size, _MAX_FETCHED), _MAX_FETCHED))

    def stop(self) -> None:
        """Does nothing, because it can't be interrupted."""


class _FunctionSource:
    """A function that returns the bytes of a bundle."""

    pause = 0.0

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function

    def fetch(self, tag: str, known: bytes) -> _Fetched:
        try:
            data = self._function()
        except Exception as error:
            raise OSError(f"the function that returns the bundle failed: {type(error).__name__}: {_text_of(error)}") from error
        if inspect.iscoroutine(data):
            data.close()
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise OSError(f"the function must return the bytes of a bundle, got {type(data).__name__}")
        return _Fetched(bytes(data))

    def stop(self) -> None:
        """Does nothing, because it can't be interrupted."""


class _Address(NamedTuple):
    """The parts of an address that was checked."""

    scheme: str
    host: str
    port: int
    target: str
    login: str

    @classmethod
    def parse(cls, text: str) -> "Optional[_Address]":
        """The parts, or None if it is neither https nor http of this machine."""
        from urllib.parse import unquote, urlsplit
        try:
            if not re.fullmatch(r"[\x21-\x7e]+", text):
                return None
            at = urlsplit(text)
            host, port = at.hostname or "", at.port
        except ValueError:
            return None
        if not re.fullmatch(r"[a-z0-9_.:-]+", host) or not (at.scheme == "https" or at.scheme == "http" and _is_loopback(host)):
            return None
        login = f"{unquote(at.username or '')}:{unquote(at.password or '')}" if "@" in at.netloc else ""
        target = (at.path or "/") + (f"?{at.query}" if at.query else "")
        return cls(at.scheme, host, port or {"https": 443, "http": 80}[at.scheme], target, login)

    @property
    def origin(self) -> Tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == {"https": 443, "http": 80}[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        """The address without credentials and without the query, which can be a signature."""
        return f"{self.scheme}://{self.authority}{self.target.partition('?')[0]}"


def _is_loopback(host: str) -> bool:
    import ipaddress
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _credentials(login: str, headers: Mapping[str, str], token: Optional[str]) -> Dict[str, str]:
    """The headers that are sent to the server of the address only."""
    if not isinstance(headers, Mapping):
        raise InputError("", arguments=["the headers must be a mapping from names to values"])
    problems = []
    for name, value in headers.items():
        if not (isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name)) or name.lower() in _OWN_HEADERS:
            problems.append(f"the header {name!r:.100} can't be set")
        elif not isinstance(value, str) or not re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
            problems.append(f"the value of the header {name} is not a text of one line")  # it can be a secret
    if token is not None and not (isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token)):
        problems.append("the token must be a text without spaces")
    if (token is not None) + bool(login) + any(isinstance(name, str) and name.lower() == "authorization" for name in headers) > 1:
        problems.append("use only one of a token, a header Authorization, and a user in the address")
    if problems:
        raise InputError("", arguments=problems)
    sent = dict(headers)
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    if login:
        sent["Authorization"] = _basic(login)
    return sent


class _HTTPSource:
    """A server, which is asked with the ETag of the bundle in use. Each request has its own connection."""

    def __init__(self, address: str, headers: Optional[Mapping[str, str]], token: Optional[str], ca: "_CA") -> None:
        at = _Address.parse(address)
        if at is None:
            raise InputError("", arguments=[_ADDRESS])
        self._address = at
        self._credentials = _credentials(at.login, {} if headers is None else headers, token)
        self._ca = _certificates(ca)
        self._earliest = 0.0  # when the server accepts the next request
        self._stopped = ""  # why the request was interrupted
        self._ended = False
        self._socket: Any = None

    @property
    def pause(self) -> float:
        """How many seconds the server asked to wait."""
        return self._earliest - time.monotonic()

    def fetch(self, tag: str, known: bytes) -> _Fetched:
        from http.client import HTTPException
        self._earliest = 0.0
        self._stopped = "close was called" if self._ended else ""
        deadline = threading.Timer(_FETCH_SECONDS, self._interrupt, [f"the download takes more than {_FETCH_SECONDS:g} seconds"])
        deadline.daemon = True
        deadline.start()
        try:
            return self._get(tag)
        # What a socket raises that another thread has shut down differs by version.
        except (OSError, HTTPException, ValueError, AttributeError) as error:
            raise OSError(f"{self._address}: {self._stopped or _explain(error)}") from error
        finally:
            deadline.cancel()
            self._socket = None

    def stop(self) -> None:
        """Ends the request that is running, and the later ones, from another thread."""
        self._ended = True
        self._interrupt("close was called")

    def _interrupt(self, reason: str) -> None:
        import socket
        self._stopped = reason
        used = self._socket
        try:
            if used is not None:
                socket.socket.shutdown(used, socket.SHUT_RDWR)
        except OSError:
            pass

    def _get(self, tag: str) -> _Fetched:
        at = self._address
        for _ in range(_REDIRECTS + 1):
            connection = _connection_to(at)
            try:
                self._connect(connection, at)
                headers = {"Host": at.authority, "Connection": "close", "Accept-Encoding": "identity"}
                if tag:
                    headers["If-None-Match"] = tag
                if at.origin == self._address.origin:
                    headers.update(self._credentials)
                connection.request("GET", at.target, headers=headers)
                with connection.getresponse() as response:
                    if response.status not in (301, 302, 303, 307, 308):
                        return self._read(response, tag)
                    at = _redirected(at, response.getheader("Location") or "")
            finally:
                connection.close()
        raise OSError(f"it redirects more than {_REDIRECTS} times")

    def _connect(self, connection: Any, at: _Address) -> None:
        import ssl
        connection.connect()
        self._use(connection.sock)
        if at.scheme == "https":
            context = ssl.create_default_context()
            if self._ca:
                context.load_verify_locations(cadata=self._ca)
            secure = context.wrap_socket(connection.sock, server_hostname=at.host, do_handshake_on_connect=False)
            connection.sock = secure
            self._use(secure)
            secure.do_handshake()

    def _use(self, used: Any) -> None:
        self._socket = used
        if self._stopped:
            used.close()
            raise OSError(self._stopped)

    def _read(self, response: Any, tag: str) -> _Fetched:
        if response.status == 304 and tag:
            return _Fetched(None, tag)
        if response.status != 200:
            if response.status in (429, 503):
                self._earliest = time.monotonic() + _retry_after(response.getheader("Retry-After") or "", response.getheader("Date") or "")
            raise OSError(f"the server answers {response.status} {response.reason:.100}")
        declared = response.length
        if (declared or 0) > _MAX_FETCHED:
            raise OSError(f"the bundle has more than {_MAX_FETCHED} bytes")
        data = _read_all(lambda most: response.read1(min(most, 1 << 16)), 0, _MAX_FETCHED)  # type: ignore[no-any-return]
        if self._stopped:
            raise OSError(self._stopped)
        if len(data) < (declared or 0):
            raise OSError(f"the answer ends after {len(data)} of {declared} bytes")
        found = response.getheader("ETag") or ""
        return _Fetched(data, found if re.fullmatch(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"', found) else "")


def _connection_to(at: _Address) -> Any:
    """A connection that is not open yet, directly or through the proxy."""
    from http.client import HTTPConnection
    proxy = _proxy_of(at)
    if proxy is None:
        return HTTPConnection(at.host, at.port, timeout=_ANSWER_SECONDS)
    connection = HTTPConnection(proxy.host, proxy.port, timeout=_ANSWER_SECONDS)
    connection.set_tunnel(at.host, at.port, {"Proxy-Authorization": _basic(proxy.login)} if proxy.login else {})
    return connection


def _basic(login: str) -> str:
    return "Basic " + base64.b64encode(login.encode()).decode()


def _certificates(ca: "_CA") -> str:
    """The certificates in PEM of a text or a file, or ""."""
    if ca is None:
        return ""
    import ssl
    try:
        text = ca.decode("ascii") if isinstance(ca, bytes) else ca
        if isinstance(text, os.PathLike) or "-----BEGIN" not in text:
            text = _read_text(text)
        ssl.create_default_context().load_verify_locations(cadata=text)
        return text
    except (ValueError, TypeError, OSError) as error:
        raise InputError("", arguments=[f"ca must be certificates in PEM, or the path of a file with them: {error}"]) from error


def _read_text(path: "Union[str, os.PathLike[str]]") -> str:
    with builtins.open(path, encoding="ascii") as file:
        return file.read()


def _redirected(at: _Address, location: str) -> _Address:
    from urllib.parse import quote, urljoin, urlsplit
    text = urljoin(f"{at.scheme}://{at.authority}{at.target}", quote(location, safe="%/:=&?~#+!$,;'@()*[]"))
    scheme = urlsplit(text).scheme
    if scheme != at.scheme:
        raise OSError(f"it redirects from {at.scheme} to {scheme:.20}, which is not allowed")
    target = _Address.parse(text)
    if target is None:
        raise OSError("it redirects to an address that is not https, or http for localhost")
    return target


def _proxy_of(at: _Address) -> Optional[_Address]:
    """The proxy of the environment, or None. Loopback addresses have none."""
    from urllib.parse import unquote, urlsplit
    from urllib.request import getproxies, proxy_bypass
    text = getproxies().get(at.scheme, "")
    if not text or _is_loopback(at.host) or proxy_bypass(at.host):
        return None
    proxy = urlsplit(text if "://" in text else "http://" + text)
    if proxy.scheme != "http" or not proxy.hostname:
        raise OSError("the proxy of the environment must have an http address")
    login = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}" if proxy.username else ""
    return _Address("http", proxy.hostname, proxy.port or 80, "/", login)


def _retry_after(text: str, now: str) -> float:
    """How many seconds a server asks to wait, at most an hour. Its clock can differ from this one."""
    if re.fullmatch(r"[0-9]{1,18}", text):
        return min(float(text), _MOST_PAUSE)
    at, sent = _time_of(text), _time_of(now)
    return 0.0 if at is None else min(max(0.0, at - (time.time() if sent is None else sent)), _MOST_PAUSE)


def _time_of(date: str) -> Optional[float]:
    """The time of a date in a header, or None if it is not one."""
    from email.utils import parsedate_to_datetime
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _explain(error: Exception) -> str:
    if getattr(error, "reason", "") in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"):
        return "it answers in plain HTTP, and only HTTPS is used, except on a loopback address such as localhost"
    if isinstance(error, TimeoutError) or type(error).__name__ == "timeout":  # socket.timeout before Python 3.10
        return f"no answer within {_ANSWER_SECONDS:g} seconds"
    return str(error) or type(error).__name__


def _source_of(
    source: Any, headers: Optional[Mapping[str, str]], token: Optional[str], ca: "_CA",
) -> Union[_FileSource, _FunctionSource, _HTTPSource]:
    if isinstance(source, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", source):
        return _HTTPSource(source, headers, token, ca)
    if headers is not None or token is not None or ca is not None:
        raise InputError("", arguments=["headers, token, and ca are for an address; the source is not one"])
    if callable(source):
        return _FunctionSource(source)
    if not _is_path(source):
        raise InputError("", arguments=[f"the source must be a path, an https address, or a function that returns bytes, got {source!r:.100}"])
    return _FileSource(source)


_FIRST_GOOD, _LAST_GOOD = "first.zip", "last.zip"
_AnyLive = TypeVar("_AnyLive", bound="AsyncLive")


class AsyncLive:
    """What ``follow`` returns. To type checkers, one with an asynchronous audit callback has no get and no resolve."""

    def __init__(self, source: Any, digest: Optional[str], last_good: Optional[str], interval: float, audit: Any, downgrades: bool) -> None:
        self._source, self._digest, self._folder, self._interval = source, digest, last_good, interval
        self._audit, self._downgrades = audit, downgrades
        self._checking = threading.Lock()
        self._closed = threading.Event()
        self._current: Optional[Bundle] = None
        self._data, self._tag, self._saved = b"", "", False
        self._confirmed = time.monotonic()
        self.checks = 0
        """How often the source was checked."""
        self.refused = ""
        """Why the last check did not confirm the bundle in use, or did not save it, or ""."""
        stored = self._start_from_last_good()
        try:
            self.check()
        except Exception as error:
            if self._current is None:
                raise error from stored
        if stored is not None:
            _LOG.warning("an earlier bundle was not used: %s", stored)
        metrics = _metrics()
        if metrics is not None:
            metrics.live = weakref.ref(self)
        self._thread = threading.Thread(target=self._run, name="rubric_bundle.follow", daemon=True)
        self._thread.start()

    @property
    def current(self) -> AsyncBundle:
        """The bundle in use. It stays usable while it is held. Use one for calls that must agree."""
        return self._used()

    def _used(self) -> Bundle:
        assert self._current is not None  # follow raises an exception if there is none
        return self._current

    def _open_bundle(self) -> Bundle:
        self._need_open()
        return self._used()

    def _need_open(self) -> None:
        if self._closed.is_set():
            raise BundleError("close was called, so the source is no longer followed")

    @property
    def age(self) -> float:
        """Seconds since the source last confirmed the bundle in use, or since a bundle of ``last_good`` was saved."""
        return max(0.0, time.monotonic() - self._confirmed)

    async def aget(self, id: str, constraint: str = "", *, request_id: str = "", actor: str = "") -> Document:
        """Works like ``Bundle.aget`` of the bundle in use. After ``close``, it raises BundleError."""
        return await self._open_bundle().aget(id, constraint, request_id=request_id, actor=actor)

    async def aresolve(self, reference: str, *, request_id: str = "", actor: str = "") -> Document:
        """Works like ``Bundle.aresolve`` of the bundle in use. After ``close``, it raises BundleError."""
        return await self._open_bundle().aresolve(reference, request_id=request_id, actor=actor)

    def check(self) -> None:
        """Checks the source now, also if a server asked to wait, and waits for a check that is running.

        Raises FormatError, IntegrityError, or ContinuityError for a bundle that is refused,
        and OSError if the source has none or the bundle was not saved. The bundle in use
        stays in use.
        """
        with self._checking:
            self._need_open()
            self.checks += 1
            try:
                self._refresh()
                self._confirmed = time.monotonic()
                self._save()
                self.refused = ""
                self._count(None)
            except Exception as error:
                self.refused = _text_of(error)
                self._count(error)
                if self._current is not None and not self._closed.is_set():
                    _LOG.warning("the check of the source failed, keeping the last good bundle, library %s: %s", self._current.version, self.refused)
                raise

    def _count(self, error: Optional[Exception]) -> None:
        metrics = _metrics()
        if metrics is not None and not self._closed.is_set():
            metrics.checked(error)

    def close(self) -> None:
        """Stops following the source. A download that is running ends; the result of a function is no longer used."""
        self._closed.set()
        metrics = _metrics()
        if metrics is not None and metrics.live() is self:
            metrics.live = lambda: None
        self._source.stop()
        if self._thread is not threading.current_thread():
            self._thread.join(_CLOSE_SECONDS)

    def _run(self) -> None:
        # From 0.8 to 1.2 intervals, so that programs do not ask at the same time.
        while not self._closed.wait(min(max(self._interval * random.uniform(0.8, 1.2), self._source.pause), threading.TIMEOUT_MAX)):
            if self._source.pause > 0:
                continue  # a call of check has learned that the server asks to wait
            try:
                self.check()
            except Exception:
                pass  # check reports it

    def _refresh(self) -> None:
        """Replaces the bundle in use by the one of the source, or raises why it is not the same."""
        data, tag = self._source.fetch(self._tag, self._data)
        if data is not None and data != self._data or self._current is None:
            data = data or b""
            if len(data) > _MAX_FETCHED:
                raise OSError(f"the bundle has more than {_MAX_FETCHED} bytes")
            self._use(self._verified(data), data)
            self._saved = False
        # The tag of a bundle that was refused is not kept: the source might correct itself.
        self._tag = tag

    def _verified(self, data: bytes) -> Bundle:
        """The bundle, which may replace the one in use."""
        current = self._current
        bundle = Bundle(data, self._digest if current is None else None, self._audit)
        if current is not None and self._downgrades and _parts(bundle.version) < _parts(current.version):
            bundle.verify()
            current._check_after(bundle)
        else:
            bundle.verify(after=current)
        return bundle

    def _use(self, bundle: Bundle, data: bytes) -> None:
        self._need_open()
        self._current, self._data = bundle, data
        bundle._measure()

    def _start_from_last_good(self) -> Optional[Exception]:
        """Uses the bundle in the folder, if one may be used. Returns why another one may not."""
        refused: List[str] = []
        for name in (_FIRST_GOOD, _LAST_GOOD) if self._digest is not None else (_LAST_GOOD,):
            if self._folder is None:
                break
            path = os.path.join(self._folder, name)
            try:
                data = _FileSource(path).fetch("", b"").data or b""
                self._use(self._verified(data), data)
                self._saved = True
                self._confirmed = time.monotonic() - max(0.0, time.time() - os.stat(path).st_mtime)
            except FileNotFoundError:
                continue
            except (BundleError, OSError) as error:
                refused.append(f"{path}: {error}")
                continue
            if name == _LAST_GOOD and self._used().digest == self._digest:
                # Since the digest is that of the last one, what follows must continue this one.
                # If it can't be moved, _save reports why.
                try:
                    os.replace(path, os.path.join(self._folder, _FIRST_GOOD))
                except OSError:
                    self._saved = False
        return BundleError("; ".join(refused)) if refused else None

    def _save(self) -> None:
        """Keeps the bundle in use as the last good one."""
        if self._folder is None or self._saved:
            return
        name = _LAST_GOOD
        try:
            os.makedirs(self._folder, exist_ok=True)
            if self._digest is not None and self._used().digest == self._digest:
                # A last bundle from before must not follow a first one that was set since.
                name = _FIRST_GOOD
                with contextlib.suppress(FileNotFoundError):
                    os.remove(os.path.join(self._folder, _LAST_GOOD))
            _replace(os.path.join(self._folder, name), self._data)
        except OSError as error:
            raise OSError(f"the bundle in use was not saved as the last good one: {error}") from error
        self._saved = True

    def __enter__(self: _AnyLive) -> _AnyLive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _replace(path: str, data: bytes) -> None:
    """Replaces a file at once. After an error, the earlier one is still there."""
    path = os.path.realpath(path)
    temporary = f"{path}.{os.getpid()}-{random.getrandbits(64):016x}"
    try:
        with builtins.open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


class Live(AsyncLive):
    """A bundle that follows the releases of its source. It always has a bundle, the last one that was completely verified.

    Its methods can be called by any thread. ``with`` closes it.
    """

    @property
    def current(self) -> Bundle:
        """The bundle in use. It stays usable while it is held. Use one for calls that must agree."""
        return self._used()

    def get(self, id: str, constraint: str = "", *, request_id: str = "", actor: str = "") -> Document:
        """Works like ``Bundle.get`` of the bundle in use. After ``close``, it raises BundleError."""
        return self._open_bundle().get(id, constraint, request_id=request_id, actor=actor)

    def resolve(self, reference: str, *, request_id: str = "", actor: str = "") -> Document:
        """Works like ``Bundle.resolve`` of the bundle in use. After ``close``, it raises BundleError."""
        return self._open_bundle().resolve(reference, request_id=request_id, actor=actor)


_Followed = Union[str, "os.PathLike[str]", Callable[[], bytes]]


@overload
def follow(  # type: ignore[overload-overlap]
    source: _Followed, *, digest: Optional[str] = None, any_digest: bool = False, last_good: "Union[str, os.PathLike[str], None]" = None,
    interval: float = 60.0, headers: Optional[Mapping[str, str]] = None, token: Optional[str] = None, ca: _CA = None,
    audit: Callable[[AuditRecord], Awaitable[object]], downgrades: bool = False,
) -> AsyncLive: ...
@overload
def follow(
    source: _Followed, *, digest: Optional[str] = None, any_digest: bool = False, last_good: "Union[str, os.PathLike[str], None]" = None,
    interval: float = 60.0, headers: Optional[Mapping[str, str]] = None, token: Optional[str] = None, ca: _CA = None,
    audit: Optional[Callable[[AuditRecord], object]] = None, downgrades: bool = False,
) -> Live: ...
def follow(
    source: _Followed, *, digest: Optional[str] = None, any_digest: bool = False, last_good: "Union[str, os.PathLike[str], None]" = None,
    interval: float = 60.0, headers: Optional[Mapping[str, str]] = None, token: Optional[str] = None, ca: _CA = None,
    audit: Optional[Callable[[AuditRecord], object]] = None, downgrades: bool = False,
) -> AsyncLive:
    """Gets a bundle from a source, and checks the source for new ones in a thread until ``close``.

    The source is a path, an https address (or http for localhost), or a function that returns
    the bytes of a bundle. A new bundle of at most 1 GiB replaces the one in use only after it
    was completely verified and continues it as with ``verify(after=...)``. Until then, and
    after any error, the last good one stays in use. An earlier release is refused unless
    ``downgrades`` is true. Each failed check is a warning of the logger "rubric_bundle".

    - ``digest`` is that of the first bundle; ``any_digest=True`` accepts any first bundle.
    - ``last_good`` is a folder that keeps the last good bundle for the next start, when the
      source can be down. It must have the digest, or continue the bundle that has it; a new
      digest therefore starts anew, also with an earlier release.
    - ``interval`` is the time between two checks in seconds. A server that asks for a later
      one (Retry-After) gets it, at most an hour later.
    - ``headers`` and ``token`` (a bearer token), or a user and password in the address, are
      sent to the server of the address, and not to others that it redirects to. ``ca`` are
      certificates in PEM, or the path of a file with them, that are trusted in addition to
      those of the system. The proxy is that of the environment.
    - ``audit`` is that of ``open``.

    Raises what ``open`` and ``verify`` raise if there is no bundle to start with, and
    InputError for wrong arguments. It waits for the source: in an asynchronous program, call
    it in a thread. A process that forks loses the thread: call it after the fork.
    """
    problems = []
    if (digest is not None) == bool(any_digest):
        problems.append("follow needs the digest of the first bundle, or any: use either digest or any_digest")
    if not _is_number(interval) or not 0 < interval < math.inf:
        problems.append(f"the interval must be above 0, got {interval!r:.100}")
    if last_good is not None and not _is_path(last_good):
        problems.append("the folder of last_good must be a path, and not empty")
    _need_arguments(
        *problems, "" if digest is None else _no_digest(digest), _no_audit(audit), _no_bool("any_digest", any_digest), _no_bool("downgrades", downgrades))
    folder = None if last_good is None else os.fsdecode(last_good)
    return Live(_source_of(source, headers, token, ca), digest, folder, interval, audit, downgrades)
