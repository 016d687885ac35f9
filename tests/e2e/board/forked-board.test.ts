/** A board with its own settings and style: the built command and two files. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChallengeDetail } from '#core/contract/challenges.ts';
import { aBoardFolder, anSvg } from '#tests/support/board/board-folder.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { runBuilt } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

/** Uncomments a setting of the file that `opbench-board init` wrote, and changes it. */
function set(folder: string, setting: string, value: string): void {
  const path = join(folder, 'board.toml');
  const before = readFileSync(path, 'utf8');
  const line = new RegExp(`^# ${setting} = \\S+(?: (?!#).*)?`, 'm');
  expect(before).toMatch(line);
  writeFileSync(path, before.replace(line, `${setting} = ${value}`));
}

const textOf = async (url: string) => (await fetch(url)).text();

test("a board folder changes the board's name, texts and look", async () => {
  const folder = join(aBoardFolder({}), 'lab');
  const made = await runBuilt('opbench-board.mjs', ['init', folder], {});
  expect([made.status, made.stdout]).toEqual([
    0,
    `${join(folder, 'board.toml')}\n${join(folder, 'board.css')}\n`,
  ]);
  const again = await runAdmin(['init', folder]);
  expect([again.status, again.stdout]).toEqual([1, '']);
  set(folder, 'name', '"Harbour <lab>"');
  set(folder, 'description', '"Who works well at the harbour."');
  set(folder, 'accent', '"#0b5c8a"');
  set(folder, 'logo', '"logo.svg"');
  writeFileSync(join(folder, 'logo.svg'), anSvg(64, 32));
  const toml = join(folder, 'board.toml');
  const linked = readFileSync(toml, 'utf8').replace(/^# (\[\[links|label =|href =)/gm, '$1');
  writeFileSync(toml, linked);

  const { url } = await startServer({ env: { BOARD_DIR: folder } });
  const page = await textOf(url);

  expect(page).toContain('Harbour &lt;lab&gt;');
  expect(page).not.toContain('>Harbour <lab>');
  expect(page).toContain('Who works well at the harbour.');
  expect(page).toMatch(/<a href="https:\/\/example\.org\/imprint" rel="noopener"[^>]*>\s*Imprint/);
  const [logo = ''] = /\/board\/logo-[0-9a-f]{16}\.svg/.exec(page) ?? [];
  expect(page).toMatch(/<img src="\/board\/logo-[^>]* width="56" height="28"/);
  const picture = await fetch(url + logo);
  expect(await picture.text()).toBe(anSvg(64, 32));
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(picture.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const [address = ''] = /\/board\/style-[0-9a-f]{16}\.css/.exec(page) ?? [];
  const style = await fetch(url + address);
  expect(await style.text()).toContain('--accent: light-dark(#0b5c8a, ');
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await textOf(`${url}/badge/nobody.svg`)).toContain('stroke="#0b5c8a"');
  expect((await fetch(`${url}/board/style-0000000000000000.css`)).status).toBe(404);
  expect((await fetch(`${url}/board/board.toml`)).status).toBe(404);
});

test('an invalid board folder stops the server with an error that names the problem', async () => {
  const folder = aBoardFolder({ 'board.toml': 'nome = "x"\n[colours.dark]\nink = "#444444"' });

  const env = { DATA_DIR: aDataDir(), BOARD_DIR: folder, PORT: '0' };
  const { status, stdout, stderr } = await runBuilt('server/entry.mjs', [], env);

  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`${join(folder, 'board.toml')}: unknown key nome`);
});

interface Board {
  ruleset: string;
  log_index: number;
  entries: { codename: string }[];
}

const boardOf = async ({ url }: RunningServer) =>
  (await (await fetch(`${url}/api/v1/leaderboard`)).json()) as Board;

/** The ruleset entries of the log, oldest first. */
async function rulesetsOf({ url }: RunningServer): Promise<{ id: string; coverage: number }[]> {
  const log = (await (await fetch(`${url}/api/v1/log?limit=100`)).json()) as {
    entries: { kind: string; payload: string }[];
  };
  const entered = log.entries.filter(({ kind }) => kind === 'ruleset');
  return entered.map(({ payload }) => JSON.parse(payload) as { id: string; coverage: number });
}

/** Submits four days, too few for a rank under ruleset 1, and returns the receipt's ruleset. */
async function sendDays(server: RunningServer, cookie: string, output: number): Promise<string> {
  const device = await enrollOverHttp(server, cookie);
  const days = bucketsOfDays(4, daysAgo(4)).map((bucket, at) => {
    return { ...bucket, output: output + 100 * at + 1 };
  });
  const payload = aLivePayload(server, days);
  const { body } = await postSnapshot(server, await device.seal(payload));
  return body.ruleset;
}

async function verified({ url }: RunningServer): Promise<unknown> {
  await eventually(
    async () => fetch(`${url}/log.ndjson.gz`),
    ({ status }) => status === 200,
  );
  return JSON.parse((await anInstallation().run('verify', url, '--json')).stdout);
}

const SOUND = {
  sound: true,
  boards: [{ kept: 'current', extent: 'fully', is_sound: true, rows: { stated: 0 } }],
  findings: [],
};

test('other requirements change the ranks, are logged, and allow anyone to recompute the board', async () => {
  const dataDir = aDataDir();
  const folder = aBoardFolder({
    'board.toml': '[eligibility]\ncoverage = 0.8\n[eligibility.active_days]\n30d = 4',
  });

  const plain = await startServer({ dataDir });
  const env = { PORT: new URL(plain.url).port };
  const cookie = await plain.signIn('ada');
  expect(await sendDays(plain, cookie, 90_000)).toBe('2');
  const before = await eventually(
    () => boardOf(plain),
    ({ log_index }) => log_index >= 5,
  );
  expect(before).toMatchObject({ ruleset: '2', entries: [] });
  await plain.stop();

  const own = await startServer({ dataDir, env: { ...env, BOARD_DIR: folder } });
  const changed = await boardOf(own);
  expect(changed.ruleset).toMatch(/^2-[0-9a-f]{8}$/);
  expect(changed.entries).toMatchObject([{ codename: 'ada' }]);
  expect(await sendDays(own, await own.signIn('bob'), 80_000)).toBe(changed.ruleset);
  const ranking = await textOf(`${own.url}/methodology/ranking`);
  expect(ranking).toContain(changed.ruleset);
  expect(ranking).toMatch(/80 ?%/);
  expect(await verified(own)).toMatchObject(SOUND);
  const words = [
    'challenge',
    'create',
    '--title',
    'Three weeks',
    '--description',
    'Who?',
    '--metric',
    'yield',
  ];
  const days = ['--from', daysAgo(0), '--to', daysAgo(-20)];
  // The command does not know the folder, so the current rules come from the log.
  const created = await runAdmin([...words, ...days], { DATA_DIR: dataDir });
  const challenge = await (
    await fetch(`${own.url}/api/v1/challenges/${created.stdout.trim()}`)
  ).json();
  expect(challenge as ChallengeDetail).toMatchObject({
    ruleset: changed.ruleset,
    eligibility: { active_days: 4, coverage: 0.8 },
  });
  await own.stop();

  const back = await startServer({ dataDir, env });
  expect(await boardOf(back)).toMatchObject({ ruleset: '2', entries: [] });
  expect(await rulesetsOf(back)).toMatchObject([
    { id: '2', coverage: 0.9 },
    { id: changed.ruleset, coverage: 0.8 },
    { id: '2', coverage: 0.9 },
  ]);
  expect(await verified(back)).toMatchObject(SOUND);
});

/** Uses an assistant on every other day. Submits with `opbench`, which states the days in between. */
async function sendStating(server: RunningServer, codename: string): Promise<void> {
  const device = anInstallation();
  for (const days of EVERY_OTHER_DAY) {
    device.logDay(daysAgo(days), { ...COUNTS, output: 90_000 + days });
    const log = join(device.home, '.claude', 'projects', 'p', `${daysAgo(days)}.jsonl`);
    utimesSync(log, new Date(), new Date(`${daysAgo(days)}T12:00:00Z`));
  }
  await enroll(device, server.url, await server.signIn(codename));
  expect((await device.runBuilt('submit')).status).toBe(0);
}

/** The same days from a device that states none. */
async function sendWithGaps(server: RunningServer, codename: string): Promise<void> {
  const device = await enrollOverHttp(server, await server.signIn(codename));
  const buckets = EVERY_OTHER_DAY.map((days) => {
    return aBucket({ ...COUNTS, day: daysAgo(days), output: 80_000 + days });
  });
  await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
}

const EVERY_OTHER_DAY = [8, 6, 4, 2, 0];
const COUNTS = { input: 10_000, cache_write: 5_000, cache_read: 1_300_000 };

test('a minimum of stated days ranks only operators whose devices state them', async () => {
  const folder = aBoardFolder({
    'board.toml': '[eligibility]\nstated_days = 0.9\n[eligibility.active_days]\n30d = 4',
  });
  const server = await startServer({ env: { BOARD_DIR: folder } });
  await sendWithGaps(server, 'bob');
  await sendStating(server, 'ada');

  const board = await eventually(
    () => boardOf(server),
    ({ entries }) => entries.length > 0,
  );
  expect(board.entries.map(({ codename }) => codename)).toEqual(['ada']);
  const bob = await fetch(`${server.url}/api/v1/operators/bob?window=30d`);
  expect(await bob.json()).toMatchObject({
    stated_days: { with_tokens: 5, without_tokens: 0, not_stated: 4 },
    standing: {
      metrics: {
        yield: {
          rank: null,
          reasons: [{ code: 'stated_days_low', required: 0.9, actual: 5 / 9 }],
        },
      },
    },
  });
  expect(await textOf(server.url)).toContain('55% of days stated, 90% needed');
  expect(await textOf(`${server.url}/methodology/ranking`)).toMatch(/Stated days[^]*90%/);
  expect(await rulesetsOf(server)).toMatchObject([{ id: board.ruleset, stated_days: 0.9 }]);
  expect(await verified(server)).toMatchObject(SOUND);
});
