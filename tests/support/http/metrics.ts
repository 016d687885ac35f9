/** The metrics of a board without a process. */
import type { MetricSources } from '#server/metrics/metrics.ts';
import { EventCounts } from '#server/process/event-counts.ts';
import { testContext } from '../board/context.ts';

/** A board that serves, with nothing published. */
export function metricSources(over: Partial<MetricSources> = {}): MetricSources {
  const { config, store } = testContext();
  return {
    version: '1.2.3',
    config,
    running: { store },
    events: new EventCounts(),
    health: () => ({
      process: 'ok',
      database: 'ok',
      publication: { age_s: 7, stale: false, differed: false },
      backup: null,
      checkpoint: null,
      witnesses: null,
      object_store: null,
    }),
    ...over,
  };
}

/** Where a server with `METRICS_LISTEN: '0'` serves its metrics, as it logged. */
export function metricsUrl(log: string): string {
  const port = /"event":"metrics_started".*"port":(\d+)/.exec(log)?.[1];
  return `http://127.0.0.1:${port}/metrics`;
}

/** The samples in the text of metrics, by name and labels. */
export function samplesIn(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}
