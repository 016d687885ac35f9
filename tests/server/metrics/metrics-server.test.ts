import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '#server/config/config-error.ts';
import { serveMetrics } from '#server/metrics/metrics-server.ts';
import { createMetrics } from '#server/metrics/registry.ts';
import { metricSources, samplesIn } from '#tests/support/http/metrics.ts';

async function aListener() {
  const { registry } = await createMetrics(metricSources());
  const errors: unknown[] = [];
  let port = 0;
  const logger = {
    info: (_event: string, fields?: Readonly<Record<string, number | string>>) => {
      port = Number(fields?.['port']);
    },
    error: (_event: string, error: unknown) => void errors.push(error),
  };
  const watch = await serveMetrics({ host: '127.0.0.1', port: 0 }, { registry, logger });
  onTestFinished(() => watch.stop());
  return { registry, errors, watch, url: `http://127.0.0.1:${port}` };
}

describe('serveMetrics()', () => {
  test('serves metrics in the text format of Prometheus', async () => {
    const { url } = await aListener();

    const answer = await fetch(`${url}/metrics`);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(samplesIn(await answer.text())).toMatchObject({ opbench_ready: 1 });
    const head = await fetch(`${url}/metrics?x`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test.each([
    ['/', 'GET', 404],
    ['/metricsx', 'GET', 404],
    ['/metrics', 'POST', 405],
  ])('answers %s with %s by status %i', async (path, method, status) => {
    const { url } = await aListener();

    expect((await fetch(url + path, { method })).status).toBe(status);
  });

  test('reports an error of the library, and continues', async () => {
    const { url, registry, errors } = await aListener();
    const { metrics } = registry;
    registry.metrics = () => Promise.reject(new Error('broken'));
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect(errors).toHaveLength(1);

    registry.metrics = metrics;
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('stops at once', async () => {
    const { url, watch } = await aListener();
    await (await fetch(`${url}/metrics`)).text();
    watch.stop();

    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });

  test('says which setting to change if its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { registry } = await createMetrics(metricSources());
    const logger = { info: () => undefined, error: () => undefined };

    const serving = serveMetrics({ host: '127.0.0.1', port }, { registry, logger });

    await expect(serving).rejects.toThrow(ConfigError);
    await expect(serving).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set METRICS_LISTEN to another port.`,
    );
  });

  test('says which setting to change if the address belongs to another machine', async () => {
    const { registry } = await createMetrics(metricSources());
    const logger = { info: () => undefined, error: () => undefined };

    const serving = serveMetrics({ host: '192.0.2.1', port: 0 }, { registry, logger });

    await expect(serving).rejects.toThrow('Correct METRICS_LISTEN.');
  });
});
