/** Two devices of one account whose logs are synchronized, on the built board. */
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Counts } from '#core/contract/counts.ts';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import type { Submissions } from '#core/contract/submissions.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import {
  type Installation,
  anInstallation,
  daysAgo,
  newCode,
} from '#tests/support/agent/installation.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { textOf } from '#tests/support/board/people.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';

const TOKENS = 34_000;

/** Writes responses of one day with 34,000 tokens each, from one number to another. */
function logResponses({ home }: Installation, day: string, from: number, to: number): void {
  const path = join(home, '.claude', 'projects', 'p', `${day}-${from}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const start = Date.parse(`${day}T01:00:00Z`) - Date.UTC(2026, 2, 2);
  // Equal days would be put on hold.
  const more = Number(day.slice(-2));
  const lines = Array.from({ length: to - from }, (_, index) => {
    const id = `msg_${day}_${from + index}`;
    const [input, cache_write] = [1_000 + more, 1_000 - more];
    const counts = { input, output: 2_000, cache_write, cache_read: 30_000 };
    return `${aClaudeLine({ id, at: start + (from + index) * 1_000, ...counts })}\n`;
  });
  writeFileSync(path, lines.join(''));
}

/** A file of the board's folder in the state folder. */
function keptOf({ home }: Installation, file: string): unknown {
  const boards = join(home, '.config', 'opbench', 'boards');
  const [board = ''] = readdirSync(boards);
  return JSON.parse(readFileSync(join(boards, board, file), 'utf8'));
}

test('synchronized logs of two devices count once, and both say so', async () => {
  const server = await startServer();
  const cookie = await server.signIn('ada');
  const [laptop, desktop] = [anInstallation(), anInstallation()];
  for (const [label, one] of Object.entries({ laptop, desktop })) {
    const code = await newCode(server.url, cookie);
    await one.run('enroll', code, '--board', server.url, '--label', label);
  }
  for (let day = 1; day <= 8; day += 1) logResponses(laptop, daysAgo(day), 0, 30);
  cpSync(join(laptop.home, '.claude'), join(desktop.home, '.claude'), { recursive: true });
  logResponses(desktop, daysAgo(3), 30, 40);
  logResponses(desktop, daysAgo(9), 0, 5);

  expect((await laptop.run('submit')).status).toBe(0);
  expect((await desktop.run('submit')).status).toBe(0);

  expect(keptOf(laptop, 'shared.json')).toMatchObject({ span: null });
  expect(keptOf(desktop, 'fingerprint-key.json')).toEqual({
    device_id: expect.any(String),
    key: (keptOf(laptop, 'fingerprint-key.json') as { key: string }).key,
  });

  const expected = (8 * 30 + 10 + 5) * TOKENS;
  const ask = async <Answer>(path: string): Promise<Answer> => {
    const response = await fetch(server.url + path, { headers: { Cookie: cookie } });
    return (await response.json()) as Answer;
  };
  const board = await eventually(
    () => ask<Leaderboard>('/api/v1/leaderboard?window=30d'),
    ({ entries }) => entries[0]?.totals?.total === expected,
  );
  expect(board.entries[0]?.totals?.total).toBe(expected);

  const counts = await ask<Counts>('/api/v1/counts?limit=1000');
  expect(counts.total).toBe(17);
  const sum = counts.entries.reduce((total, { counted }) => total + totalOf(counted), 0);
  expect(sum).toBe(expected);
  expect(counts.entries.filter(({ same_as }) => same_as !== null)).toHaveLength(8);

  const { entries } = await ask<Submissions>('/api/v1/submissions');
  expect(entries).toHaveLength(2);
  for (const { id } of entries) {
    const { shared } = await ask<SubmissionDetail>(`/api/v1/submissions/${id}`);
    expect(shared).toEqual({ records: 8, in_part: 0, tokens: 8 * 30 * TOKENS });
    const told =
      '8 records were also sent by another device of this operator. Their 8.2 M tokens in common count once.';
    const read = async (path: string) => (await fetch(server.url + path)).text();
    expect(textOf(await read(`/submissions/${id}`))).toContain(told);
    expect(await read(`/submissions/${id}.md`)).toContain(told);
    expect(await read(`/submissions/${id}`)).not.toMatch(/laptop|desktop/);
  }

  const pageFor = (as: string) =>
    fetch(`${server.url}/submissions/${entries[0]?.id}`, { headers: { Cookie: as } });
  const others = await pageFor(await server.signIn('bob'));
  expect(others.headers.get('cache-control')).toBe('public, max-age=60');
  expect(await others.text()).not.toContain('Only you see');
  const owned = await pageFor(cookie);
  expect(owned.headers.get('cache-control')).toBe('no-store');
  expect(textOf(await owned.text()).match(/laptop 1\.0 M tokens/g)).toHaveLength(8);

  for (const one of [laptop, desktop]) {
    const { stdout } = await one.run('status');
    expect(stdout).toContain('8 daily counts of 8 days are on more than one device and count once');
  }
  const { stdout } = await laptop.run('status', '--json');
  const [status] = (JSON.parse(stdout) as { boards: { standing: unknown }[] }).boards;
  expect(status?.standing).toMatchObject({
    shared: { records: 8, tokens: 8 * 30 * TOKENS, days: 8 },
  });

  const file = join(laptop.home, 'log.ndjson');
  const env = { DATA_DIR: server.dataDir, BASE_URL: server.url };
  expect((await runAdmin(['export', file], env)).status).toBe(0);
  const verified = await laptop.run('verify', file);
  expect([verified.status, verified.stdout]).toEqual([
    0,
    expect.stringMatching(/2 signed[^]*recomputed: 1 fully[^]*Sound: no differences/),
  ]);

  logResponses(laptop, daysAgo(2), 30, 33);
  const { stdout: dry } = await laptop.run('submit', '--dry-run');
  expect(dry).toMatch(/"fingerprint":"[\w-]{80}"/);
});
