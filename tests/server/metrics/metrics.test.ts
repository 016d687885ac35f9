import { describe, expect, test } from 'vitest';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { METRICS } from '#server/metrics/metrics.ts';
import { createMetrics } from '#server/metrics/registry.ts';
import { audit } from '#server/process/admin-actions.ts';
import { EventCounts } from '#server/process/event-counts.ts';
import { createLogger } from '#server/process/logger.ts';
import { anOperator, publish, testContext } from '#tests/support/board/context.ts';
import { metricSources, samplesIn } from '#tests/support/http/metrics.ts';

async function samplesOf(sources = metricSources()) {
  const { registry, observed } = await createMetrics(sources);
  return { observed, read: async () => samplesIn(await registry.metrics()) };
}

const REQUEST = { id: 'x', method: 'GET', route: '/', status: 200, ms: 3, isAborted: false };

describe('the metrics of a board', () => {
  test('have names that follow the conventions', () => {
    for (const { name, type } of METRICS) {
      expect(name).toMatch(/^opbench_[a-z_]+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
    expect(new Set(METRICS.map(({ name }) => name)).size).toBe(METRICS.length);
  });

  test('describe its health, log and storage', async () => {
    const sources = metricSources();
    const { read } = await samplesOf(sources);

    const samples = await read();

    expect(samples).toMatchObject({
      'opbench_info{version="1.2.3"}': 1,
      opbench_ready: 1,
      opbench_publication_age_seconds: 7,
      opbench_publication_stale: 0,
      opbench_publication_failures_total: 0,
      opbench_log_head_index: sources.running.store?.log.head()?.index ?? 0,
    });
    expect(samples['opbench_storage_bytes{file="database"}']).toBeGreaterThan(0);
    expect(samples['opbench_storage_free_bytes']).toBeGreaterThan(0);
    expect(samples['nodejs_eventloop_lag_p99_seconds']).toBeDefined();
    expect(samples['process_resident_memory_bytes']).toBeGreaterThan(0);
  });

  test('are absent while there is nothing to measure, and zero while it starts', async () => {
    const starting = {
      process: 'starting',
      database: 'ok',
      publication: null,
      backup: null,
      checkpoint: null,
      witnesses: null,
      object_store: null,
    } as const;
    const { read } = await samplesOf(metricSources({ running: {}, health: () => starting }));

    const samples = await read();

    expect(samples['opbench_ready']).toBe(0);
    const names = Object.keys(samples).join('\n');
    expect(names).not.toMatch(
      /opbench_(publication_age|log_head|checkpoint|held|queue|backup|published|parquet)/,
    );
  });

  test('do not hide the others if one cannot be read', async () => {
    const { read } = await samplesOf(metricSources({ config: { dataDir: '/nowhere/at/all' } }));

    const samples = await read();

    expect(samples).toMatchObject({ opbench_ready: 1, 'opbench_storage_bytes{file="wal"}': 0 });
    expect(samples).not.toHaveProperty('opbench_storage_free_bytes');
  });

  test('report the time of the last backup, whichever program made it', async () => {
    const { store } = testContext();
    const { read } = await samplesOf(metricSources({ running: { store } }));
    const name = 'opbench_backup_last_success_timestamp_seconds';
    expect(await read()).not.toHaveProperty(name);

    const entry = { action: 'backup', subject: 'x', operator_id: null, reason: null } as const;
    audit(store, { ...entry, now: new Date('2026-11-24T03:20:00Z') });

    expect((await read())[name]).toBe(Date.parse('2026-11-24T03:20:00Z') / 1000);
  });

  test('report scheduled backups', async () => {
    const events = new EventCounts();
    const logger = createLogger(() => undefined, events.add);
    const health = { state: 'failed', age_s: 9 } as const;
    const backups = { health, isRunning: true, last: { bytes: 70, seconds: 1.5 } };
    const running = { backups } as never;
    const { read } = await samplesOf(metricSources({ running, events }));
    logger.warn('backup_failed');

    expect(await read()).toMatchObject({
      opbench_backup_running: 1,
      opbench_backup_failing: 1,
      opbench_backup_failures_total: 1,
      opbench_backup_last_bytes: 70,
      opbench_backup_last_duration_seconds: 1.5,
    });
  });

  test.each([
    ['forked', 'ok', { forked: 1 }],
    ['rewound', null, { rewound: 1 }],
    ['ok', 'alarm', { witness_alarm: 1 }],
    ['ok', 'ok', {}],
  ] as const)('report the checkpoint %s and witnesses %s', async (checkpoint, witnesses, set) => {
    const sources = metricSources();
    const health = () => ({ ...sources.health(), checkpoint, witnesses });
    const { read } = await samplesOf({ ...sources, health });
    const none = { forked: 0, rewound: 0, unreadable: 0, witness_alarm: 0 };

    const samples = await read();

    for (const [fault, value] of Object.entries({ ...none, ...set })) {
      expect([fault, samples[`opbench_checkpoint_fault{fault="${fault}"}`]]).toEqual([
        fault,
        value,
      ]);
    }
  });

  test.each([
    [{ isFailing: true, uploadedMs: null }, [1, undefined]],
    [{ isFailing: false, uploadedMs: 1500 }, [0, 1.5]],
    [null, [undefined, undefined]],
  ])('report the daily Parquet file as %j', async (status, values) => {
    const { read } = await samplesOf(metricSources({ running: { parquet: { status } } as never }));

    const samples = await read();

    const names = ['failing', 'uploaded_timestamp_seconds'];
    expect(names.map((name) => samples[`opbench_parquet_${name}`])).toEqual(values);
  });

  test('count warnings and errors by event', async () => {
    const events = new EventCounts();
    const logger = createLogger(() => undefined, events.add);
    const { read } = await samplesOf(metricSources({ events }));
    logger.info('published');
    logger.warn('clock_jumped');
    logger.error('publication_failed', new Error('x'));
    logger.error('publication_failed', new Error('y'));

    const samples = await read();

    expect(samples).toMatchObject({
      'opbench_log_events_total{event="clock_jumped"}': 1,
      'opbench_log_events_total{event="publication_failed"}': 2,
      opbench_publication_failures_total: 2,
    });
    expect(samples).not.toHaveProperty('opbench_log_events_total{event="published"}');
  });

  test('describe the published data', async () => {
    const ctx = testContext();
    anOperator(ctx, 'ada');
    const publication = publish(ctx);
    const running = { publisher: { edition: { publication } } } as never;
    const { read } = await samplesOf(metricSources({ running }));

    expect(await read()).toMatchObject({
      opbench_published_operators: publication.operators.length,
      opbench_held_submissions: 0,
    });
  });

  test('report the work that is left between updates', async () => {
    const running = { queues: { checks: 3, moves: 1, leftovers: 0 } };
    const { read } = await samplesOf(metricSources({ running }));

    expect(await read()).toMatchObject({
      'opbench_queue_length{queue="checks"}': 3,
      'opbench_queue_length{queue="moves"}': 1,
      'opbench_queue_length{queue="leftovers"}': 0,
    });
  });
});

describe('observed metrics', () => {
  test('count requests by route, method and class of the status, with their duration', async () => {
    const { observed, read } = await samplesOf();
    observed.request(REQUEST);
    observed.request({ ...REQUEST, status: 503, ms: 20_000 });
    observed.request({ ...REQUEST, method: 'PROPFIND', status: null });
    observed.request({ ...REQUEST, method: '-', route: '-', status: 400, ms: 0 });

    const samples = await read();

    expect(samples).toMatchObject({
      'opbench_http_requests_total{route="/",method="GET",status="2xx"}': 1,
      'opbench_http_requests_total{route="/",method="GET",status="5xx"}': 1,
      'opbench_http_requests_total{route="/",method="other",status="none"}': 1,
      'opbench_http_requests_total{route="-",method="other",status="4xx"}': 1,
      'opbench_http_request_duration_seconds_bucket{le="0.005",route="/"}': 2,
      'opbench_http_request_duration_seconds_bucket{le="10",route="/"}': 2,
      'opbench_http_request_duration_seconds_count{route="/"}': 3,
    });
    expect(samples).not.toHaveProperty('opbench_http_request_duration_seconds_count{route="-"}');
  });

  test('measure updates', async () => {
    const { observed, read } = await samplesOf();
    observed.publication(1_200);

    expect(await read()).toMatchObject({
      opbench_publication_duration_seconds_count: 1,
      opbench_publication_duration_seconds_sum: 1.2,
    });
  });

  test('have few label values, whatever clients request', async () => {
    const { observed, read } = await samplesOf();
    const targets = [
      '/operators/ada',
      '/operators/bob.md?x=1',
      '/nowhere',
      '/api/v1/operators/ada',
    ];
    for (const name of Array.from({ length: 300 }, (_, at) => `name-${at}`)) {
      targets.push(`/operators/${name}`, `/${name}`, `/badge/${name}.svg`, `/${name}/${name}`);
    }
    for (const target of targets) {
      observed.request({ ...REQUEST, route: ROUTE_TABLE.logName(target), method: target });
    }

    const names = Object.keys(await read()).filter((name) => name.startsWith('opbench_http'));

    const routes = new Set(names.map((name) => /route="([^"]*)"/.exec(name)?.[1]));
    expect([...routes].sort()).toEqual([
      '/api/v1/operators/{codename}',
      '/badge/*.svg',
      '/operators/*',
      'other',
    ]);
    expect(names.join()).not.toMatch(/ada|bob|name-/);
  });
});
