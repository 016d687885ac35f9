/** Devices that check the log of a built board, also if it lies. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { anInstallation, daysAgo, enroll, newCode } from '#tests/support/agent/installation.ts';
import { eventually } from '#tests/support/http/server.ts';
import { aLyingBoard } from '#tests/support/tlog/lying-server.ts';
import { changedAt } from '#tests/support/tlog/log-view.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 1_300_000 };

interface Status {
  boards: { log: { proven: number; waiting: number; evidence: string[]; note: string | null } }[];
  failures: { code: string; exit: number; hint: string }[];
}

interface Submitted {
  submissions: { receipts: { log_index: number }[] }[];
}

test('a device proves its submissions, and finds a log that lies', async () => {
  const { server, between, url, view, show } = await aLyingBoard();
  const ada = anInstallation();
  ada.logDay(daysAgo(2), COUNTS);
  await enroll(ada, server.url, await server.signIn('ada'), url);
  const sent = await ada.run('submit', '--json');
  const { submissions } = JSON.parse(sent.stdout) as Submitted;
  const index = submissions[0]?.receipts[0]?.log_index ?? 0;
  const sizeNow = async () => {
    const note = await (await fetch(`${url}/log/checkpoint`)).text();
    return parseCheckpoint(parseNote(note).text).size;
  };
  await eventually(sizeNow, (size) => size >= index);
  const status = async () => {
    // In a process of its own, because responses in this one must keep the contract.
    const { status: exit, stdout } = await ada.runBuilt('status', '--json');
    const { boards, failures } = JSON.parse(stdout) as Status;
    return { exit, log: boards[0]?.log, failures };
  };

  expect(sent.status).toBe(0);
  expect(await status()).toMatchObject({ exit: 0, log: { proven: 1, waiting: 0, note: null } });
  expect((await ada.run('status')).stdout).toContain('1 submission of this device proven');
  const folder = join(ada.home, '.config', 'opbench', 'boards');
  const log = join(folder, readdirSync(folder)[0] ?? '', 'log');
  const proof = join(log, 'proofs', `${index}.tlog-proof`);
  expect((await ada.runBuilt('verify', proof)).stdout).toContain('Sound: the log contains');

  const honest = view();
  const kept = () =>
    (JSON.parse(readFileSync(join(log, 'log.json'), 'utf8')) as { checkpoint: string }).checkpoint;
  const checkpoint = kept();
  show(honest.with((entries) => entries.slice(0, index - 1)));
  expect(await status()).toMatchObject({ exit: 3, failures: [{ code: 'log_rewound', exit: 3 }] });
  show(honest.with(changedAt(0)));
  ada.logDay(daysAgo(1), COUNTS);
  const split = await ada.runBuilt('submit');
  expect([split.status, split.stdout]).toEqual([
    3,
    expect.stringContaining('1 daily count accepted'),
  ]);
  expect(split.stderr).toContain('Evidence:\n');
  expect(kept()).toBe(checkpoint);
  expect((await ada.run('doctor')).status).toBe(3);

  between.replace(({ path }) =>
    path.includes('/log/') ? new Response('{}', { status: 503 }) : null,
  );
  expect(await status()).toMatchObject({ exit: 0, log: { note: /could not be checked/ } });

  show(null);
  const { log: again } = await eventually(status, (now) => now.log?.proven === 2);
  expect(again?.evidence).toHaveLength(2);
  const accepted = await ada.run('submit', '--accept-log', '--json');
  expect(JSON.parse(accepted.stdout)).toMatchObject({
    submissions: [{ log: { proven: 2, waiting: 0, evidence: [] } }],
  });
});

test('a device works with a board without a log key, and with one that answers nothing about its log', async () => {
  const { server, between, url } = await aLyingBoard();
  const bob = anInstallation();
  bob.logDay(daysAgo(2), COUNTS);
  const cookie = await server.signIn('bob');
  const keys: unknown = await (await fetch(`${url}/.well-known/opbench-keys.json`)).json();
  const earlier = JSON.stringify({ ...(keys as object), log_key: undefined });
  between.replace(({ path }) => {
    if (path.endsWith('keys.json')) return new Response(earlier);
    return path.includes('/log/') ? new Response('{}', { status: 404 }) : null;
  });
  const code = await newCode(url, cookie);

  const enrolled = await bob.runBuilt('enroll', code, '--board', url);
  const old = await bob.runBuilt('submit', '--json');
  between.replace(() => null);
  between.decide(({ path }) => (path.startsWith('/api/v1/log/') ? 'lose_request' : 'pass'));
  bob.logDay(daysAgo(1), COUNTS);
  const cut = await bob.runBuilt('submit', '--json');

  expect([enrolled.status, old.status, cut.status]).toEqual([0, 0, 0]);
  const sent = { snapshots: 1, records: 1 };
  expect(JSON.parse(old.stdout)).toMatchObject({ submissions: [{ ...sent, log: null }] });
  expect(JSON.parse(cut.stdout)).toMatchObject({
    submissions: [
      {
        ...sent,
        log: {
          proven: 0,
          waiting: 2,
          note: expect.stringContaining('could not be checked') as string,
        },
      },
    ],
    failures: [],
  });
});
