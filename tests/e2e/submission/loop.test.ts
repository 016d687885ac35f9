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
} from '#tests/support/agent/installation.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aFilledFolder } from '#tests/support/board/filled-folder.ts';
import { eventually, sharedServer, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7, 8].map(daysAgo);
const COUNTS: DayCounts = {
  input: 10_000,
  output: 20_000,
  cache_write: 5_000,
  cache_read: 300_000,
};

const DAILY = 335_000;

function logDays(installation: Installation, counts: DayCounts): void {
  DAYS.forEach((day) => installation.logDay(day, counts));
}

async function boardAt(url: string): Promise<Leaderboard> {
  const response = await fetch(`${url}/api/v1/leaderboard?window=30d&metric=yield`);
  return (await response.json()) as Leaderboard;
}

type Entry = Leaderboard['entries'][number];

/** An operator's standing, after the total is as expected or time is up. */
async function entryOf(url: string, codename: string, total: number): Promise<Entry | undefined> {
  const ask = async () => {
    return (await boardAt(url)).entries.find((entry) => entry.codename === codename);
  };
  return eventually(ask, (entry) => entry?.totals?.total === total);
}

const board = sharedServer(() => ({ env: { REFRESH_SECONDS: '0.1' } }));

/** A device of a new operator that has submitted eight days; equal days of one or two operators would be put on hold. */
async function aSubmitter(codename: string, times: number) {
  const { url, signIn } = await board();
  const counts = {
    input: COUNTS.input * times,
    output: COUNTS.output * times,
    cache_write: COUNTS.cache_write * times,
    cache_read: COUNTS.cache_read * times,
  };
  const cookie = await signIn(codename);
  const device = anInstallation();
  DAYS.forEach((day, at) => {
    const [input, cache_write] = [counts.input + 7 * at, counts.cache_write - 7 * at];
    device.logDay(day, { ...counts, input, cache_write });
  });
  await enroll(device, url, cookie);
  await device.run('submit');
  return { url, cookie, device, counts, total: 8 * DAILY * times };
}

describe('the loop', () => {
  test('shows the counts from the logs on the page and in the API', async () => {
    const server = await startServer();
    const cookie = await server.signIn('ada');
    const device = anInstallation();
    logDays(device, COUNTS);

    const code = await newCode(server.url, cookie);
    const enrolled = await device.runBuilt('enroll', code, '--board', server.url);
    const submitted = await device.runBuilt('submit');
    await entryOf(server.url, 'ada', 8 * DAILY);
    const status = await device.runBuilt('status');
    const { entries, moderation } = await boardAt(server.url);

    expect(enrolled).toMatchObject({ status: 0, stdout: expect.stringContaining('ada') });
    expect(submitted).toMatchObject({ status: 0 });
    expect(status).toMatchObject({ status: 0, stdout: expect.stringContaining('ada on') });
    expect(status.stdout).toMatch(/30d\s+rank 1 of 1 by yield \(60\)/);
    expect(entries).toEqual([
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
        conservative: 14.6153617233,
        interval: [5.70052840122, 631.520404184],
        coverage: 1,
        active_days: 8,
      },
    ]);
    expect(moderation).toEqual({ held_submissions: 0, hidden_operators: 0 });
    const page = await (await fetch(server.url)).text();
    expect(page).toContain('ada');
    expect(page).toMatch(/the measured value lowered by its uncertainty/);
    expect(page).toMatch(/class="ranks"[^>]*>\s*14\.6\s*</);
    expect(page).toContain('5.7 to\u00a0631.5');
    expect(page).not.toContain('held back for a decision');
    expect(page).toContain(
      'title="fresh input 80,000, output 160,000, cache write 40,000, cache read 2,400,000"',
    );
  });

  test('draws how sure five operators are, and ranks a class on request', async () => {
    const dataDir = aFilledFolder(0, (ctx) => {
      for (const [at, codename] of ['ada', 'bob', 'cat', 'dan', 'eve'].entries()) {
        const buckets = bucketsOfDays(20, daysAgo(20)).map((bucket, day) => {
          return { ...bucket, output: 10_000 + 200 * at + ((day * 7 + at) % 5) * 1_000 };
        });
        anActive(ctx, codename, buckets);
      }
    });
    const server = await startServer({ dataDir });
    const read = async (query: string) => {
      const answer = await fetch(`${server.url}/api/v1/leaderboard${query}`);
      return (await answer.json()) as Leaderboard & { detail: string };
    };
    const five = await read('');
    const [{ class_tier, rank_range } = { class_tier: null, rank_range: null }] = five.entries;
    const page = await (await fetch(server.url)).text();

    expect(rank_range?.[1]).toBeGreaterThan(1);
    expect(page.match(/<line class="bar"/g)).toHaveLength(5);
    expect(page.match(/<line class="low"/g)).toHaveLength(5);
    expect(page).toMatch(/\(1\u2013[2-5]\)/);
    expect(page).not.toContain('style=');
    const ofClass = await read(`?class=${class_tier}`);
    expect(ofClass.total).toBe(five.entries.filter((one) => one.class_tier === class_tier).length);
    expect((await read('?cohort=lab')).detail).toBe('cohort: this board has no cohorts');
  });

  test('adds the devices of one operator up, and equal copies of a log only once', async () => {
    const { url, cookie, device, counts, total } = await aSubmitter('bob', 2);

    const second = anInstallation();
    cpSync(join(device.home, '.claude'), join(second.home, '.claude'), { recursive: true });
    const code = await newCode(url, cookie);
    await second.run('enroll', code, '--board', url, '--new');
    await second.run('submit');
    const synced = await entryOf(url, 'bob', total);
    second.logDay(daysAgo(9), counts);
    await second.run('submit');
    const added = await entryOf(url, 'bob', total + 2 * DAILY);

    expect(synced?.totals?.total).toBe(total);
    expect(added?.totals?.total).toBe(total + 2 * DAILY);
    expect(added?.active_days).toBe(9);
  });

  test('raises a bucket when the log grew and keeps it when the log shrank', async () => {
    const { url, device, counts, total } = await aSubmitter('cat', 3);

    device.logDay(daysAgo(1), { ...counts, output: counts.output + 10_000 });
    const grown = await device.run('submit');
    const afterGrowth = await entryOf(url, 'cat', total + 10_000);
    device.logDay(daysAgo(1), { ...counts, output: 1 });
    const shrunk = await device.run('submit');

    expect(grown.stdout).toContain('1 daily count accepted');
    expect(afterGrowth?.totals?.output).toBe(8 * counts.output + 10_000);
    expect(shrunk.stdout).toContain('nothing new to send');
  });

  test('does not double an installation that logs out and enrols again', async () => {
    const { url, cookie, device, counts, total } = await aSubmitter('dan', 4);

    const loggedOut = await device.run('logout');
    const refused = await device.run('submit');
    await enroll(device, url, cookie);
    device.logDay(daysAgo(1), { ...counts, output: counts.output + 1 });
    await device.run('submit');
    const entry = await entryOf(url, 'dan', total + 1);

    expect(loggedOut.status).toBe(0);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(entry?.totals?.total).toBe(total + 1);
  });

  test('accepts the same envelope again without counting it, with the same response', async () => {
    const server = await board();
    const device = await enrollOverHttp(server, await server.signIn('eve'));
    const buckets = bucketsOfDays(8, daysAgo(8));
    const envelope = await device.seal(aLivePayload(server, buckets));

    const first = await postSnapshot(server, envelope);
    const again = await postSnapshot(server, envelope);
    const entry = await entryOf(server.url, 'eve', 8 * 1_111_100);

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(entry?.totals?.total).toBe(8 * 1_111_100);
    expect((await boardAt(server.url)).log_index).toBe(first.body.log_index);
  });
});
