// Prints the values of each metric of OpenTelemetry by its attributes: of retrievals from a bundle, or,
// of two bundles, of following a source that has the first and then the other one, which is refused.
// It runs beside the client, in a folder with OpenTelemetry's packages.
import { readFile } from "node:fs/promises";
import { metrics } from "@opentelemetry/api";
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BundleError, ContinuityError, follow, openFile } from "./rubric-bundle.mjs";

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })] });
metrics.setGlobalMeterProvider(provider);

async function retrieve(path) {
  const opened = await openFile(path);
  for (const [id, constraint] of [["user_story_quality_v1", "1.2.0"], ["user_story_quality_v1", "7"], ["rest_api_design_v1", ""], ["none", ""]]) {
    try {
      opened.get(id, constraint);
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
    }
  }
  return opened; // its gauges are read while it is in use
}

async function followBoth(paths) {
  const live = await follow(() => readFile(paths.shift()), { anyDigest: true, interval: 3600 });
  await live.check().catch((error) => {
    if (!(error instanceof ContinuityError)) throw error;
  });
  return live;
}

const paths = process.argv.slice(2);
const used = paths.length > 1 ? await followBoth(paths) : await retrieve(paths[0]);
await provider.forceFlush();
const out = {};
for (const { descriptor, dataPoints } of exporter.getMetrics()[0].scopeMetrics[0].metrics) {
  for (const { attributes, value } of dataPoints) {
    const said = Object.entries(attributes).map(([key, text]) => `${key}=${text}`).sort().join(",");
    const number = value.count ?? value;
    out[`${descriptor.name} ${said}`] = Number.isNaN(number) ? "nan" : number; // JSON has no NaN
  }
}
console.log(JSON.stringify(out));
used.close?.();
await provider.shutdown();
