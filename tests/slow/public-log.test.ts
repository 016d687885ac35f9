/** The public log, with each byte changed, and the public log of a board with ten thousand operators. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Findings } from '#core/domain/log/log-finding.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { publicLogSource } from '#server/public-log/lines.ts';
import { writePublicLog } from '#server/public-log/write.ts';
import { readLog } from '#agent/verify/read-log.ts';
import { randomOf } from '../../scripts/random.mjs';
import { NOW } from '../support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '../support/board/context.ts';
import { aSmallLog, verify } from '../support/board/public-log.ts';

test('each changed byte is found in its line', async () => {
  const { lines } = await aSmallLog();
  const bytes = Buffer.from(lines.join(''));
  let line = 1;
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes);
    changed[place] = (bytes[place] as number) ^ (1 << (place % 7));
    const found = verify([changed.toString('latin1')]).findings.map((finding) => finding.line);
    expect(found, `byte ${place}`).toContain(line);
    if (bytes[place] === 10) line += 1;
  }
});

const OPERATORS = 10_000;
const DAYS = 30;
const TODAY = dayNumber(NOW.slice(0, 10));

/** An operator's activity: one tool on most days, a second one on some, and not every tool reports its cache. */
function bucketsOf(seed: number): Bucket[] {
  const random = randomOf(seed);
  const skill = 4 * random() - 2;
  const isBlind = random() < 0.05;
  const count = (mean: number) => Math.round(Math.exp(mean + 3 * random() - 1.5));
  const buckets: Bucket[] = [];
  for (let day = TODAY - DAYS + 1; day <= TODAY; day += 1) {
    for (const tool of ['claude-code', 'codex']) {
      if (random() < (tool === 'codex' ? 0.7 : 0.1)) continue;
      buckets.push({
        day: dayName(day),
        tool,
        provider: tool === 'codex' ? 'openai' : 'anthropic',
        model: 'a-model',
        input: count(9.5),
        output: count(10.5 + skill / 2),
        cache_write: tool === 'codex' ? null : count(12.5),
        cache_read: isBlind ? null : count(14.5 + skill),
      });
    }
  }
  return buckets;
}

async function aLargeBoard(): Promise<TestContext> {
  const ctx = testContext();
  for (let index = 1; index <= OPERATORS; index += 1) {
    const device = await anEnrolledDevice(ctx, `synthetic-${index}`);
    await submit(ctx, device, bucketsOf(index));
  }
  publishAndKeep(ctx);
  return ctx;
}

test('ten thousand operators are recomputed bit for bit', async () => {
  const ctx = await aLargeBoard();
  const path = join(ctx.config.dataDir, 'export.ndjson.gz');
  const { baseUrl } = ctx.config;
  const startedMs = performance.now();
  const source = publicLogSource(ctx.store, { baseUrl, now: ctx.now() });
  await writePublicLog(source, { path, draft: `${path}.tmp`, isPacked: true, over: true });
  const exportedMs = performance.now();
  const findings = new Findings();
  const { boards } = await readLog(path, findings, { entries: new Set(), calibration: false });
  const verifiedMs = performance.now();

  const seconds = (from: number, to: number) => Math.round((to - from) / 100) / 10;
  process.stdout.write(
    `export ${seconds(startedMs, exportedMs)} s, ${Math.round(statSync(path).size / 1e6)} MB packed, ` +
      `verification ${seconds(exportedMs, verifiedMs)} s\n`,
  );
  expect(findings.kept).toEqual([]);
  expect(boards).toMatchObject([{ extent: 'fully', is_sound: true, rows: { stated: 0 } }]);
  expect(boards[0]?.rows.recomputed).toBeGreaterThan(2 * OPERATORS);
});
