"""What the Python client does with an asynchronous audit callback."""

import asyncio
import concurrent.futures
import functools
import unittest
import unittest.mock
import warnings

import sample
import rubric_bundle


class Later:
    def __await__(self):
        yield


class Callback:
    async def __call__(self, record):
        raise AssertionError("it must not run")


async def coroutine(record):
    raise AssertionError("it must not run")


async def asynchronous_generator(record):
    yield record


def generator(record):
    yield record


ASYNCHRONOUS = {
    "an async function": coroutine,
    "a function that returns a coroutine": lambda record: coroutine(record),
    "a partial function": functools.partial(coroutine),
    "an object with an async call": Callback(),
    "an object with __await__": lambda record: Later(),
}
NEVER_RUNS = {
    "an asynchronous generator": asynchronous_generator,
    "a generator": generator,
    "a future of a thread": lambda record: concurrent.futures.Future(),
}


class Audit(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error")  # such as "was never awaited"
        self.records = []

    async def store(self, record):
        await asyncio.sleep(0.01)
        self.records.append(record)

    def test_get_refuses_an_asynchronous_callback(self):
        for reason, audit in {**ASYNCHRONOUS, **NEVER_RUNS}.items():
            bundle = rubric_bundle.open(sample.path("1.4.0"), audit=audit)
            for call in (lambda: bundle.get(sample.ID), lambda: bundle.resolve(sample.ID)):
                with self.subTest(reason), self.assertRaisesRegex(rubric_bundle.AuditError, "is asynchronous"):
                    call()

    def test_aget_waits_for_the_record(self):
        bundle = rubric_bundle.open(sample.path("1.4.0"), audit=self.store)
        document = asyncio.run(bundle.aget(sample.ID, "1.4.0", request_id="r-17", actor="ann"))
        asyncio.run(bundle.aresolve(document.reference))
        self.assertEqual([(r.digest, r.request_id, r.actor) for r in self.records], [(document.digest, "r-17", "ann"), (document.digest, "", "")])

    def test_aget_takes_a_plain_callback_and_none(self):
        bundle = rubric_bundle.open(sample.path("1.4.0"), audit=self.records.append)
        self.assertEqual(asyncio.run(bundle.aget(sample.ID)), asyncio.run(rubric_bundle.open(sample.path("1.4.0")).aget(sample.ID)))
        self.assertEqual(len(self.records), 1)
        mock = unittest.mock.MagicMock()  # it returns an object with any attribute
        self.assertEqual(rubric_bundle.open(sample.path("1.4.0"), audit=mock).get(sample.ID).version, "1.4.0")
        self.assertEqual(mock.call_count, 1)

    def test_aget_returns_nothing_if_the_record_failed(self):
        async def broken(record):
            await asyncio.sleep(0)
            raise OSError("the disk is full")

        def broken_at_once(record):
            raise OSError("the disk is full")

        class Unreadable(Exception):
            def __str__(self):
                raise ValueError("it has no text")

        def raise_unreadable(record):
            raise Unreadable

        with self.assertRaisesRegex(rubric_bundle.AuditError, "failed: Unreadable"):
            rubric_bundle.open(sample.path("1.4.0"), audit=raise_unreadable).get(sample.ID)
        for audit in (broken, broken_at_once):
            with self.assertRaisesRegex(rubric_bundle.AuditError, "the disk is full") as caught:
                asyncio.run(rubric_bundle.open(sample.path("1.4.0"), audit=audit).aget(sample.ID))
            self.assertIsInstance(caught.exception.__cause__, OSError)

    def test_aget_refuses_what_never_runs(self):
        for reason, audit in NEVER_RUNS.items():
            bundle = rubric_bundle.open(sample.path("1.4.0"), audit=audit)
            with self.subTest(reason), self.assertRaisesRegex(rubric_bundle.AuditError, "is asynchronous"):
                asyncio.run(bundle.aget(sample.ID))

    def test_aget_can_be_canceled(self):
        async def main():
            never = asyncio.get_running_loop().create_future()
            await asyncio.wait_for(rubric_bundle.open(sample.path("1.4.0"), audit=lambda record: never).aget(sample.ID), 0.01)

        with self.assertRaises(asyncio.TimeoutError):
            asyncio.run(main())

    def test_the_errors_of_get_are_those_of_aget(self):
        bundle = rubric_bundle.open(sample.path("1.4.0"), audit=self.store)
        for call, error in (
            (bundle.aget("none"), rubric_bundle.NotFoundError), (bundle.aget(sample.ID, "7"), rubric_bundle.ConstraintError),
            (bundle.aresolve("a b"), rubric_bundle.BadReferenceError),
        ):
            with self.assertRaises(error):
                asyncio.run(call)
        self.assertEqual(self.records, [])


if __name__ == "__main__":
    unittest.main()
