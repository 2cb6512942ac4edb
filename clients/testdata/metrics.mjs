// Prints the values of each metric of OpenTelemetry by its attributes. It runs beside the
// client, in a folder with OpenTelemetry's packages.
import { metrics } from "@opentelemetry/api";
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BundleError, openFile } from "./rubric-bundle.mjs";

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })] });
metrics.setGlobalMeterProvider(provider);
const opened = await openFile(process.argv[2]);
for (const [id, constraint] of [["user_story_quality_v1", "1.2.0"], ["user_story_quality_v1", "7"], ["rest_api_design_v1", ""], ["none", ""]]) {
  try {
    opened.get(id, constraint);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
  }
}
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
await provider.shutdown();
