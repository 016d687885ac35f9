import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import { DAY_MS, type TestDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { eventsIn } from '#tests/support/board/disk.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { expectWhole } from '#tests/support/agent/senders.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const PRELOADED = new URL('../../support/http/set-clock.mjs', import.meta.url).href;
const HOUR_MS = 3_600_000;

/** A server whose clock can be set. */
async function aServerWithClock() {
  const dataDir = aDataDir();
  const CLOCK_FILE = join(dataDir, 'clock');
  const env = { NODE_OPTIONS: `--import=${PRELOADED}`, CLOCK_FILE };
  const server = await startServer({ dataDir, env });
  return { server, setBy: (ms: number) => writeFileSync(CLOCK_FILE, String(ms)) };
}

/** Waits until the board is on another day. */
async function untilDay({ url }: RunningServer, day: string): Promise<void> {
  const read = async () =>
    (await fetch(`${url}/api/v1/leaderboard`)).json() as Promise<Leaderboard>;
  const { as_of } = await eventually(read, (board) => board.as_of === day);
  expect(as_of).toBe(day);
}

async function send(server: RunningServer, device: TestDevice, output: number, setMs = 0) {
  const issued_at = new Date(Date.now() + setMs).toISOString();
  const payload = aLivePayload(server, bucketsOfDays(20, '2026-03-01', { output }), { issued_at });
  const envelope = await device.seal(payload);
  const { status, body: answer } = await postSnapshot(server, envelope);
  expect(status).toBe(201);
  return { envelope, answer };
}

test("setting the clock forward and back loses no one's data", async () => {
  const { server, setBy } = await aServerWithClock();
  const cookie = await server.signIn('ada');
  const device = await enrollOverHttp(server, cookie);
  const sent = [await send(server, device, 10_000)];

  const hops = [2 * DAY_MS, -2 * DAY_MS, HOUR_MS, -HOUR_MS, 0];
  for (const [hop, setMs] of hops.entries()) {
    setBy(setMs);
    const jumps = await eventually(
      async () => eventsIn(server.log(), 'clock_jumped').map((line) => Number(line['seconds'])),
      ({ length }) => length > hop,
    );
    const minutes = (setMs - (hops[hop - 1] ?? 0)) / 60_000;
    expect(Math.round((jumps[hop] ?? 0) / 60)).toBe(minutes);
    await untilDay(server, daysAgo(-setMs / DAY_MS));
    sent.push(await send(server, device, 10_001 + hop, setMs));
    const asked = { headers: { cookie }, redirect: 'manual' } as const;
    expect((await fetch(`${server.url}/settings`, asked)).status).toBe(200);
  }

  expect(server.log()).not.toContain('"level":"error"');
  await server.stop();
  expectWhole(server.dataDir, sent);
  const instants = sent.map(({ answer }) => answer.received_at);
  expect(instants).toEqual([...instants].sort());
});
