import type { Registry } from '@prometheus-io/client';
import { METRICS, type MetricSources, type ReadMetric, type Reading } from './metrics.ts';
import { type Observed, observedIn } from './observed.ts';

export type Client = typeof import('@prometheus-io/client');

export interface BoardMetrics {
  registry: Registry;
  observed: Observed;
}

/** Loads the library, which boards without metrics do not need, and registers all metrics. */
export async function createMetrics(sources: MetricSources): Promise<BoardMetrics> {
  const client = await import('@prometheus-io/client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  for (const metric of METRICS) addMetric(metric, sources, { client, registry });
  return { registry, observed: observedIn([registry], client) };
}

function addMetric(
  { name, help, type, label, read }: ReadMetric,
  sources: MetricSources,
  { client, registry }: { client: Client; registry: Registry },
): void {
  const kind = type === 'gauge' ? client.Gauge : client.Counter;
  const metric = new kind<string>({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: async () => {
      const values = valuesOf(await tryTo(() => read(sources)), label);
      metric.reset();
      if (values.length === 0) metric.remove({});
      for (const [labels, value] of values) metric.inc(labels, value);
    },
  });
}

/** A source that fails, such as a disk, must not hide the other metrics. */
async function tryTo(read: () => Promise<Reading> | Reading): Promise<Reading> {
  try {
    return await read();
  } catch {
    return null;
  }
}

function valuesOf(reading: Reading, label = ''): [labels: Record<string, string>, value: number][] {
  if (reading === null || reading === undefined) return [];
  if (typeof reading === 'number') return [[{}, reading]];
  return Object.entries(reading).map(([name, value]) => [{ [label]: name }, value]);
}
