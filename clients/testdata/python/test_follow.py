"""How the Python client follows files and functions."""

import asyncio
import gc
import logging
import os
import shutil
import tempfile
import threading
import time
import unittest

import sample
import rubric_bundle
from rubric_bundle import BundleError, ContinuityError, FormatError, InputError, IntegrityError

HOUR = 3600.0


def digest(version):
    return rubric_bundle.open(sample.path(version)).digest


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "rubrics.zip")
        self.good = os.path.join(self.folder, "new", "good")
        self.publish("1.4.0")
        logging.getLogger("rubric_bundle").setLevel(logging.CRITICAL)

    def publish(self, version):
        self.write(sample.data(version))

    def write(self, data):
        with open(self.path + ".next", "wb") as file:
            file.write(data)
        os.replace(self.path + ".next", self.path)

    def follow(self, source=None, **options):
        options = {"interval": HOUR, **({} if "digest" in options else {"any_digest": True}), **options}
        live = rubric_bundle.follow(self.path if source is None else source, **options)
        self.addCleanup(live.close)
        return live

    def uses(self, live, version):
        self.assertEqual((live.current.version, live.get(sample.ID).version, live.resolve(sample.ID).version), (version,) * 3)

    def refuses(self, live, error, text):
        with self.assertRaisesRegex(error, text):
            live.check()
        self.assertRegex(live.refused, text)


class Follow(Case):
    def test_a_new_release_is_used_without_a_call(self):
        live = self.follow(digest=digest("1.4.0"), interval=0.05)
        held = live.current
        self.publish("1.5.0")
        deadline = time.monotonic() + 30
        while live.current.version != "1.5.0" and time.monotonic() < deadline:
            time.sleep(0.01)
        self.uses(live, "1.5.0")
        self.assertEqual((held.version, held.get(sample.ID).version, live.refused), ("1.4.0", "1.4.0", ""))
        self.assertGreater(live.checks, 1)

    def test_checks_are_counted_and_age_is_that_of_the_last_confirmation(self):
        live = self.follow()
        self.assertEqual(live.checks, 1)
        time.sleep(1)
        before = live.age
        self.assertGreater(before, 0.9)
        live.check()
        confirmed = live.age
        self.assertLess(confirmed, before)
        os.remove(self.path)
        time.sleep(0.2)
        self.refuses(live, FileNotFoundError, "No such file")
        self.assertGreater(live.age, confirmed + 0.1)
        self.assertEqual(live.checks, 3)

    def test_what_is_not_the_next_release_is_refused(self):
        release = sample.data("1.6.0")
        for reason, data, error, text in (
            ("cut", release[:1000], IntegrityError, "end of the zip"),
            ("empty", b"", FormatError, "0 bytes"),
            ("an error page", b"<html>Bad gateway</html>", FormatError, "not a zip"),
            ("a changed byte", release.replace(b"Neither actor", b"neither actor", 1), IntegrityError, "was changed"),
            ("without what every build writes", sample.data("incomplete-1.6.0"), IntegrityError, "is missing"),
            ("an earlier release", sample.data("1.4.0"), ContinuityError, "does not continue"),
            ("another library", sample.data("other-1.6.0"), ContinuityError, "does not continue"),
            ("the same version with another content", sample.data("other-1.5.0"), ContinuityError, "different content"),
        ):
            with self.subTest(reason):
                self.assertTrue(data != release)
                self.publish("1.5.0")
                live = self.follow()
                self.write(data)
                self.refuses(live, error, text)
                self.uses(live, "1.5.0")
                self.publish("1.6.0")
                live.check()
                self.uses(live, "1.6.0")
                self.assertEqual(live.refused, "")

    def test_a_yank_that_is_undone_is_refused(self):
        live = self.follow()
        self.publish("yanked-1.5.0")
        live.check()
        self.publish("unyanked-1.6.0")
        self.refuses(live, ContinuityError, r"manifest\.json: no longer lists story_v1 1\.4\.0 as yanked")
        self.uses(live, "1.5.0")

    def test_it_goes_back_only_if_allowed(self):
        self.publish("1.5.0")
        live = self.follow(downgrades=True)
        self.publish("other-1.4.0")
        self.refuses(live, ContinuityError, "does not continue")
        for version in ("1.4.0", "1.5.0"):
            self.publish(version)
            live.check()
            self.uses(live, version)

    def test_a_file_that_is_not_regular_is_refused_at_once(self):
        live = self.follow()
        os.remove(self.path)
        os.mkfifo(self.path)
        self.refuses(live, OSError, "not a regular file")
        os.remove(self.path)
        os.mkdir(self.path)
        self.refuses(live, OSError, "not a regular file|directory")
        self.uses(live, "1.4.0")

    def test_a_start_needs_a_bundle_and_valid_arguments(self):
        other = "sha256:" + 64 * "0"
        valid = {"any_digest": True}
        for reason, source, options, error, text in (
            ("no digest", self.path, {}, InputError, "any_digest"),
            ("two digests", self.path, {"digest": other, "any_digest": True}, InputError, "either"),
            ("an empty digest", self.path, {"digest": ""}, InputError, "64"),
            ("another digest", self.path, {"digest": other}, IntegrityError, "expected " + other),
            ("no source", self.path + "2", valid, FileNotFoundError, "No such file"),
            ("no interval", self.path, {**valid, "interval": 0}, InputError, "above 0"),
            ("an interval without an end", self.path, {**valid, "interval": float("inf")}, InputError, "above 0"),
            ("an interval that is none", self.path, {**valid, "interval": None}, InputError, "above 0"),
            ("no folder", self.path, {**valid, "last_good": ""}, InputError, "last_good"),
            ("an audit that is none", self.path, {**valid, "audit": 1}, InputError, "audit"),
            ("nothing", None, valid, InputError, "source"),
            ("an empty path", "", valid, InputError, "source"),
            ("another scheme", "file:///etc/passwd", valid, InputError, "https"),
            ("a token for a file", self.path, {**valid, "token": "x"}, InputError, "not one"),
            ("a function that returns none", lambda: None, valid, OSError, "NoneType"),
            ("a function that fails", lambda: 1 // 0, valid, OSError, "ZeroDivisionError"),
        ):
            with self.subTest(reason), self.assertRaisesRegex(error, text):
                rubric_bundle.follow(source, **options).close()
        self.assertNotIn("rubric_bundle.follow", [thread.name for thread in threading.enumerate()])

    def test_a_function_can_be_the_source(self):
        versions = ["1.4.0"]
        live = self.follow(lambda: bytearray(sample.data(versions[-1])))
        versions.append("1.5.0")
        live.check()
        self.uses(live, "1.5.0")

        async def later():
            return b""

        with self.assertRaisesRegex(OSError, "got coroutine"):
            rubric_bundle.follow(later, any_digest=True)

    def test_close_is_prompt_and_what_is_held_stays_usable(self):
        never, entered = threading.Event(), threading.Event()
        self.addCleanup(never.set)

        def source():
            if not calls:
                calls.append(1)
                return sample.data("1.4.0")
            entered.set()
            never.wait()
            return sample.data("1.5.0")

        calls = []
        live = self.follow(source, interval=0.01)
        held = live.current
        self.assertTrue(entered.wait(30))
        start = time.monotonic()
        live.close()
        live.close()
        self.assertLess(time.monotonic() - start, 10)
        never.set()
        for call in (lambda: live.get(sample.ID), lambda: live.resolve(sample.ID), live.check, lambda: asyncio.run(live.aget(sample.ID))):
            with self.assertRaisesRegex(BundleError, "close was called"):
                call()
        self.assertEqual((held.get(sample.ID).version, live.current.version), ("1.4.0", "1.4.0"))

    def test_the_thread_ends_with_close(self):
        with self.follow(interval=0.01) as live:
            thread = live._thread
            self.assertTrue(thread.daemon)
        self.assertFalse(thread.is_alive())

    def test_it_is_safe_between_threads(self):
        live = self.follow(downgrades=True, interval=0.001)
        end, wrong = time.monotonic() + 1, []

        def read():
            while time.monotonic() < end and not wrong:
                held = live.current
                if held.get(sample.ID).version != held.version or live.get(sample.ID).version not in ("1.4.0", "1.5.0"):
                    wrong.append(held.version)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        while time.monotonic() < end:
            for version in ("1.5.0", "1.4.0"):
                self.publish(version)
                live.check()
        for thread in threads:
            thread.join()
        self.assertEqual((wrong, live.refused), ([], ""))

    def test_every_bundle_is_audited(self):
        records = []
        live = self.follow(audit=records.append)
        live.get(sample.ID, request_id="r-17", actor="ann")
        self.publish("1.5.0")
        live.check()
        asyncio.run(live.aget(sample.ID))
        self.assertEqual([(r.bundle_version, r.request_id, r.actor) for r in records], [("1.4.0", "r-17", "ann"), ("1.5.0", "", "")])

    def test_a_refused_bundle_is_not_that_of_the_metrics(self):
        class Metrics:
            live = staticmethod(lambda: None)

            def retrieved(self, *_):
                pass

            def checked(self, *_):
                pass

        metrics, real = Metrics(), rubric_bundle._metrics
        rubric_bundle._metrics = lambda: metrics
        try:
            live = self.follow()
            self.write(sample.data("other-1.6.0"))
            self.refuses(live, ContinuityError, "does not continue")
            gc.collect()
            self.assertIs(metrics.current(), live.current)
        finally:
            rubric_bundle._metrics = real


class LastGood(Case):
    """The folder keeps a bundle for a start without the source."""

    def follow(self, source=None, **options):
        return super().follow(source, **{"last_good": self.good, **options})

    def last(self, name="last.zip"):
        with open(os.path.join(self.good, name), "rb") as file:
            return file.read()

    def restart(self, version, **options):
        """Starts without the source."""
        def down():
            raise TimeoutError("it is down")

        if version is None:
            with self.assertRaisesRegex(OSError, "it is down"):
                self.follow(down, **options)
            return
        live = self.follow(down, **options)
        self.uses(live, version)
        self.assertIn("it is down", live.refused)
        self.assertLess(live.age, 60)
        live.close()

    def test_it_starts_from_the_last_good_bundle_of_the_digest(self):
        first, second, third = map(digest, ("1.4.0", "1.5.0", "1.6.0"))
        live = self.follow(digest=first)
        self.publish("1.5.0")
        live.check()
        self.assertEqual((self.last("first.zip"), self.last()), (sample.data("1.4.0"), sample.data("1.5.0")))
        self.restart("1.5.0", digest=first)
        self.restart("1.5.0")
        self.restart(None, digest=third)
        self.restart("1.5.0", digest=second)  # the last bundle was pinned
        self.publish("1.6.0")
        self.uses(self.follow(digest=second), "1.6.0")
        self.restart("1.6.0", digest=second)
        self.publish("1.4.0")  # the pin and the source go back
        self.uses(self.follow(digest=first), "1.4.0")
        self.publish("1.5.0")
        self.uses(self.follow(digest=first), "1.5.0")
        self.publish("1.4.0")  # the source goes back
        back = self.follow(digest=first)
        self.uses(back, "1.5.0")
        self.assertIn("does not continue", back.refused)
        for data in (sample.data("other-1.5.0"), sample.data("1.5.0")[:1000], b""):
            with open(os.path.join(self.good, "last.zip"), "wb") as file:
                file.write(data)
            self.restart("1.4.0", digest=first)
        self.publish("1.6.0")
        self.uses(self.follow(digest=third), "1.6.0")
        self.publish("1.5.0")
        self.uses(self.follow(digest=second), "1.5.0")
        self.restart("1.5.0", digest=second)

    def test_the_age_of_a_stored_bundle_is_that_of_its_file(self):
        self.follow(digest=digest("1.4.0")).close()
        hour_ago = time.time() - HOUR
        os.utime(os.path.join(self.good, "first.zip"), (hour_ago, hour_ago))
        live = self.follow(self.path + "2", digest=digest("1.4.0"))
        self.assertAlmostEqual(live.age, HOUR, delta=60)

    def test_a_folder_that_cannot_be_written_is_reported(self):
        os.makedirs(os.path.dirname(self.good))
        with open(self.good, "wb"):
            pass
        live = self.follow()
        self.assertIn("was not saved", live.refused)
        self.publish("1.5.0")
        for _ in range(2):
            self.refuses(live, OSError, "was not saved")
            self.uses(live, "1.5.0")
            self.assertLess(live.age, 10)
        os.remove(self.good)
        live.check()
        self.assertEqual((self.last(), live.refused), (sample.data("1.5.0"), ""))

    def test_a_full_disk_leaves_the_earlier_bundle(self):
        import resource
        live = self.follow()
        self.publish("1.5.0")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            self.refuses(live, OSError, "was not saved.*(?i:too large)")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.uses(live, "1.5.0")
        self.assertEqual((os.listdir(self.good), self.last()), (["last.zip"], sample.data("1.4.0")))
        live.check()
        self.assertEqual((os.listdir(self.good), self.last()), (["last.zip"], sample.data("1.5.0")))


if __name__ == "__main__":
    unittest.main()
