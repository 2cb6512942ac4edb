// A page that uses the client. Each bundler of TestBundlers builds it.
import { follow, hits, open, openFile, verdict } from "rubric-bundle";

const failure = (promise) => promise.then(() => "no error", (error) => `${error.name}: ${error.message.replace(location.origin, "")}`);

/** Follows the bundle of this server, and gets it again by a function. */
async function followed(digest) {
  const address = await follow("rubrics.zip", { digest, interval: 0.05 });
  const bytes = await follow(async () => (await fetch("rubrics.zip")).arrayBuffer(), { anyDigest: true });
  await address.check();
  const seen = [address, bytes].map((live) => live.get("user_story_quality_v1", "~1.10").version);
  for (const live of [address, bytes]) live.close();
  return [
    ...seen, address.refused, address.checks >= 2,
    await failure(follow("nothing.zip", { digest })),
    await failure(follow("moved.zip", { digest, token: "secret" })),
    await failure(follow("http://example.com/rubrics.zip", { digest })),
    await failure(follow("rubrics.zip", { digest, lastGood: "folder" })),
  ];
}

/** What the test compares, in JSON. */
globalThis.test = async (digest) => {
  const bundle = await open(await (await fetch("rubrics.zip")).arrayBuffer(), { digest });
  const rubric = bundle.get("user_story_quality_v1", "~1.10");
  const found = hits(rubric, "A list, etc.");
  const scores = Object.fromEntries(rubric.data.criteria.map(({ name }) => [name, 4]));
  return JSON.stringify({
    reference: rubric.reference.replace(/#.*/, ""), hits: found.length, passed: verdict(rubric, scores, found).passed,
    followed: await followed(digest), openFile: String(await openFile("rubrics.zip").catch((error) => error)),
  });
};
