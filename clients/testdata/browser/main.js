// A page that uses the client. Each bundler of TestBundlers builds it.
import { hits, open, openFile, verdict } from "rubric-bundle";

/** What the test compares, in JSON. */
globalThis.test = async (digest) => {
  const bundle = await open(await (await fetch("rubrics.zip")).arrayBuffer(), { digest });
  const rubric = bundle.get("user_story_quality_v1", "~1.10");
  const found = hits(rubric, "A list, etc.");
  const scores = Object.fromEntries(rubric.data.criteria.map(({ name }) => [name, 4]));
  return JSON.stringify({
    reference: rubric.reference.replace(/#.*/, ""), hits: found.length, passed: verdict(rubric, scores, found).passed,
    openFile: String(await openFile("rubrics.zip").catch((error) => error)),
  });
};
