import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import {
  type DayCounts,
  type Installation,
  anInstallation,
  daysAgo,
  enroll,
  newCode,
} from '../support/agent/installation.ts';
import { bucketsOfDays } from '../support/board/builders.ts';
import { eventually, startServer } from '../support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '../support/http/wire.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7, 8].map(daysAgo);
const COUNTS: DayCounts = {
  input: 10_000,
  output: 20_000,
  cache_write: 5_000,
  cache_read: 300_000,
};

function logDays(installation: Installation, counts: DayCounts): void {
  DAYS.forEach((day) => installation.logDay(day, counts));
}

/** The board's totals of an operator, once they are what is expected or time is up. */
async function boardOf(url: string, total: number): Promise<Leaderboard> {
  const ask = async () => {
    const response = await fetch(`${url}/api/v1/leaderboard?window=30d&metric=yield`);
    return (await response.json()) as Leaderboard;
  };
  return eventually(ask, ({ entries }) => entries[0]?.totals?.total === total);
}

describe('the loop', () => {
  test('puts what the logs say on the page and in the API', async () => {
    const server = await startServer();
    const cookie = await server.signIn('ada');
    const device = anInstallation();
    logDays(device, COUNTS);

    const enrolled = await enroll(device, server.url, cookie);
    const submitted = await device.run('submit');
    const board = await boardOf(server.url, 8 * 335_000);

    expect(enrolled).toMatchObject({ status: 0, stdout: expect.stringContaining('ada') });
    expect(submitted).toMatchObject({ status: 0 });
    expect(board.entries).toEqual([
      {
        rank: 1,
        rank_range: [1, 1],
        movement: { day: null, week: null },
        codename: 'ada',
        display_name: null,
        class_tier: 'unclassed',
        trust: 'signed',
        metrics: {
          yield: 60,
          leverage: 30,
          velocity: 2,
          snr: 0.666666666667,
          dev10x: 1.47712125472,
        },
        totals: {
          input: 80_000,
          output: 160_000,
          cache_write: 40_000,
          cache_read: 2_400_000,
          total: 2_680_000,
        },
        tools: ['claude-code'],
        last_active: daysAgo(1),
        interval: [60, 60],
        coverage: 1,
        active_days: 8,
      },
    ]);
    expect(board.moderation).toEqual({ held_submissions: 0, hidden_operators: 0 });
    const page = await (await fetch(server.url)).text();
    expect(page).toContain('ada');
    expect(page).toMatch(/Ranked by the lower end of the 95\u00a0% interval/);
    expect(page).toContain('60.00 to\u00a060.00');
    expect(page).not.toContain('held back for a decision');
    expect(page).toContain(
      'title="input 80,000, output 160,000, cache written 40,000, cache read 2,400,000"',
    );
  });

  test('draws how sure five operators are, and ranks a class on request', async () => {
    const server = await startServer();
    for (const [at, codename] of ['ada', 'bob', 'cat', 'dan', 'eve'].entries()) {
      const device = await enrollOverHttp(server, await server.signIn(codename));
      const buckets = bucketsOfDays(20, daysAgo(20)).map((bucket, day) => {
        return { ...bucket, output: 10_000 + 200 * at + ((day * 7 + at) % 5) * 1_000 };
      });
      await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
    }
    const read = async (query: string) => {
      const answer = await fetch(`${server.url}/api/v1/leaderboard${query}`);
      return (await answer.json()) as Leaderboard & { detail: string };
    };
    const board = await eventually(
      () => read(''),
      ({ total }) => total === 5,
    );
    const [{ class_tier, rank_range } = { class_tier: null, rank_range: null }] = board.entries;
    const page = await (await fetch(server.url)).text();

    expect(rank_range?.[1]).toBeGreaterThan(1);
    expect(page.match(/<line class="bar"/g)).toHaveLength(5);
    expect(page.match(/<line class="low"/g)).toHaveLength(5);
    expect(page).toMatch(/\(1\u2013[2-5]\)/);
    expect(page).not.toContain('style=');
    const ofClass = await read(`?class=${class_tier}`);
    expect(ofClass.total).toBe(board.entries.filter((one) => one.class_tier === class_tier).length);
    expect((await read('?cohort=lab')).detail).toBe('cohort: the keeper declared no cohort');
  });

  test('shows the standing to the device that asks', async () => {
    const server = await startServer();
    const device = anInstallation();
    logDays(device, COUNTS);
    await enroll(device, server.url, await server.signIn('ada'));
    await device.run('submit');
    await boardOf(server.url, 8 * 335_000);

    const status = await device.run('status');

    expect(status.status).toBe(0);
    expect(status.stdout).toContain('ada on');
    expect(status.stdout).toMatch(/30d\s+rank 1 of 1 by yield \(60\)/);
  });

  test('adds the devices of one operator up, and equal copies of a log only once', async () => {
    const server = await startServer();
    const cookie = await server.signIn('ada');
    const first = anInstallation();
    logDays(first, COUNTS);
    await enroll(first, server.url, cookie);
    await first.run('submit');

    const second = anInstallation();
    cpSync(join(first.home, '.claude'), join(second.home, '.claude'), { recursive: true });
    const code = await newCode(server.url, cookie);
    await second.run('enroll', code, '--board', server.url, '--new');
    await second.run('submit');
    const synced = await boardOf(server.url, 8 * 335_000);
    second.logDay(daysAgo(9), COUNTS);
    await second.run('submit');
    const added = await boardOf(server.url, 9 * 335_000);

    expect(synced.entries[0]?.totals?.total).toBe(8 * 335_000);
    expect(added.entries[0]?.totals?.total).toBe(9 * 335_000);
    expect(added.entries[0]?.active_days).toBe(9);
  });

  test('raises a bucket when the log grew and keeps it when the log shrank', async () => {
    const server = await startServer();
    const device = anInstallation();
    logDays(device, COUNTS);
    await enroll(device, server.url, await server.signIn('ada'));
    await device.run('submit');

    device.logDay(daysAgo(1), { ...COUNTS, output: 30_000 });
    const grown = await device.run('submit');
    const afterGrowth = await boardOf(server.url, 8 * 335_000 + 10_000);
    device.logDay(daysAgo(1), { ...COUNTS, output: 1 });
    const shrunk = await device.run('submit');

    expect(grown.stdout).toContain('1 record accepted');
    expect(afterGrowth.entries[0]?.totals?.output).toBe(170_000);
    expect(shrunk.stdout).toContain('nothing new to send');
  });

  test('does not double an installation that logs out and enrols again', async () => {
    const server = await startServer();
    const cookie = await server.signIn('ada');
    const device = anInstallation();
    logDays(device, COUNTS);
    await enroll(device, server.url, cookie);
    await device.run('submit');

    const loggedOut = await device.run('logout');
    const refused = await device.run('submit');
    await enroll(device, server.url, cookie);
    device.logDay(daysAgo(1), { ...COUNTS, output: 20_001 });
    await device.run('submit');
    const board = await boardOf(server.url, 8 * 335_000 + 1);

    expect(loggedOut.status).toBe(0);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(board.entries[0]?.totals?.total).toBe(8 * 335_000 + 1);
  });

  test('takes the same envelope again without counting it, and answers the same', async () => {
    const server = await startServer();
    const device = await enrollOverHttp(server, await server.signIn('ada'));
    const buckets = bucketsOfDays(8, daysAgo(8));
    const envelope = await device.seal(aLivePayload(server, buckets));

    const first = await postSnapshot(server, envelope);
    const again = await postSnapshot(server, envelope);
    const board = await boardOf(server.url, 8 * 1_111_100);

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(board.log_index).toBe(first.body.log_index);
  });
});
