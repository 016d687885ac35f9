/** The calibration of a board with enough operators: on its page, in its API and by `opbench verify`. */
import { expect, test } from 'vitest';
import type { MetricLeaders } from '#core/contract/metrics.ts';
import { BASE_URL, openContext, seedBoard } from '../../../scripts/bench/seed.mjs';
import { anInstallation } from '#tests/support/agent/installation.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';

/** Some of them use tools that do not report cache reads. */
const OPERATORS = 230;

async function calibrationOf({ url }: RunningServer) {
  const response = await fetch(`${url}/api/v1/metrics/leaders?window=90d`);
  return ((await response.json()) as MetricLeaders).calibration;
}

test('is the same on the page, in the API, by the command, and after a restart', async () => {
  const dataDir = aDataDir();
  const ctx = openContext(dataDir);
  seedBoard(ctx, { operators: OPERATORS, days: 90 });
  ctx.store.close();
  const server = await startServer({ dataDir, env: { BASE_URL } });
  const calibration = await eventually(
    () => calibrationOf(server),
    (found) => found !== null,
  );
  const { operators = 0, percent } = calibration?.methods[0]?.yield ?? {};
  expect(operators).toBeGreaterThanOrEqual(200);
  expect(operators).toBeLessThan(OPERATORS);
  expect(calibration?.methods[0]?.velocity.operators).toBe(OPERATORS);

  const verified = await anInstallation().run('verify', server.url, '--calibration', '--json');
  const report = JSON.parse(verified.stdout) as object;
  expect(report).toMatchObject({ sound: true, calibration });
  expect(verified.status).toBe(0);

  const page = await (await fetch(`${server.url}/science/intervals`)).text();
  expect(page).toContain(
    `Two parts of real histories agree within their intervals ${percent?.toFixed(1)} times in 100. Expected: 95.`,
  );
  await server.stop();
  const again = await startServer({ dataDir, env: { BASE_URL } });
  expect(await calibrationOf(again)).toEqual(calibration);
});
