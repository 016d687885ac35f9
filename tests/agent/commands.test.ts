import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StatusReport, SubmissionReport } from '#agent/reports.ts';
import { keepSetting } from '#agent/auto/switch.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { SNAPSHOT_PAYLOAD_TYPE_2 } from '#core/schema/snapshot.ts';
import { outboxOf } from '#agent/loop/submit.ts';
import { aDeviceOf, anOutput, changing, fetchFrom, runCommand } from '../support/agent/agent.ts';
import { anEnrolledDevice } from '../support/agent/enrolled.ts';
import { BASE_URL, DAY_MS, MINUTE_MS, aDevice } from '../support/board/builders.ts';
import { type TestContext, testContext } from '../support/board/context.ts';
import { aClaudeLine } from '../support/logs/log-writers.ts';
import { aFolder } from '../support/logs/log-folder.ts';

/** Sorts before the board that works. */
const DEAD = 'http://127.0.0.1:1';

async function run(device: LocalDevice, name: string, ...args: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, name, args, output);
  return { exitCode, results: output.results.join('\n'), notes: output.notes.join('\n') };
}

/** A device with one day of logs, enrolled on a board. */
async function enrolled(ctx: TestContext, fetch?: Fetch) {
  const home = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n` });
  return { home, ...(await anEnrolledDevice(ctx, 'ada', { home, ...(fetch && { fetch }) })) };
}

/** An envelope of the days that a device would send. */
async function anEnvelopeOf(device: LocalDevice): Promise<string> {
  const { results } = await run(device, 'submit', '--dry-run');
  const sealed = await (await aDevice()).seal(Buffer.from(results), SNAPSHOT_PAYLOAD_TYPE_2);
  return JSON.stringify(sealed);
}

/** The same, also enrolled on a board that cannot be reached. */
async function enrolledTwice(ctx: TestContext) {
  const whole = fetchFrom(ctx);
  const half: Fetch = (url, init) =>
    url.startsWith(DEAD) ? Promise.reject(new TypeError('no route')) : whole(url, init);
  const { device, identity } = await enrolled(ctx, half);
  device.keystore.save({ ...identity, board: DEAD });
  return { device, identity };
}

describe('a command for several boards', () => {
  test.each([
    ['submit', { submissions: [{ board: BASE_URL, records: 1 }] }],
    ['status', { boards: [{ board: DEAD, standing: null }, { standing: { codename: 'ada' } }] }],
    ['logout', { logged_out: [BASE_URL] }],
  ])('%s continues after an error', async (name, done) => {
    const { device } = await enrolledTwice(testContext());

    const { exitCode, results, notes } = await run(device, name, '--json');

    expect(exitCode).toBe(5);
    expect(notes).toContain(`opbench: ${DEAD} cannot be reached: no route`);
    expect(JSON.parse(results)).toMatchObject({
      ...done,
      failures: [{ board: DEAD, exit: 4, code: null, message: expect.stringContaining('reached') }],
    });
  });

  test('exits with the code of the first error if nothing was done', async () => {
    const { device } = await enrolledTwice(testContext());

    expect(await run(device, 'status', '--board', DEAD)).toMatchObject({ exitCode: 4 });
  });

  test.each([[['submit']], [['submit', '--dry-run']], [['status']]])(
    '%j continues if an identity is damaged',
    async ([name = '', ...args]) => {
      const { device } = await enrolledTwice(testContext());
      writeFileSync(join(device.keystore.folderOf(DEAD), 'identity.json'), '{');

      const all = await run(device, name, ...args);
      const one = await run(device, name, ...args, '--board', BASE_URL);

      expect(all).toMatchObject({ exitCode: 5, notes: expect.stringContaining('is damaged') });
      expect(one).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('submit', () => {
  test('succeeds if only the standing cannot be requested', async () => {
    const ctx = testContext();
    let asked = 0;
    const fetch = changing(ctx, '/me', (answer) => {
      return (asked += 1) === 1 ? answer : new Response('down', { status: 502 });
    });
    const { device } = await enrolled(ctx, fetch);

    const { exitCode, results, notes } = await run(device, 'submit');

    expect(exitCode).toBe(0);
    expect(results).toBe(`${BASE_URL}: 1 daily count accepted`);
    expect(notes).toContain('answered with status 502');
  });

  test('lists the searched folders if there are no logs', async () => {
    const { device } = await enrolled(testContext());
    const home = aFolder();

    const ended = await run({ ...device, environment: { HOME: home } }, 'submit');

    expect(ended.exitCode).toBe(0);
    expect(ended.results).toContain('nothing new to send');
    expect(ended.notes).toContain('No logs were found');
    expect(ended.notes).toContain(`claude-code: ${join(home, '.claude', 'projects')}`);
    expect(ended.notes).toContain(`codex: ${join(home, '.codex', 'sessions')}`);
  });

  test('shows pending envelopes first with --dry-run, and nothing twice', async () => {
    const ctx = testContext();
    const { device, identity, home } = await enrolled(ctx);
    const offline = changing(ctx, '/snapshots', () => Promise.reject(new TypeError('lost')));
    await run({ ...device, client: new Client(offline, device.nowMs) }, 'submit');
    const [waiting] = outboxOf(device, identity).pending();
    const log = join(home, '.claude', 'projects', 'p', 'b.jsonl');
    writeFileSync(log, `${aClaudeLine({ id: 'msg_b', at: DAY_MS })}\n`);

    const { results } = await run(device, 'submit', '--dry-run');

    const shown = results.split('\n').map((line) => JSON.parse(line) as object);
    expect(shown).toMatchObject([
      { submission_id: waiting?.id, records: [{ timestamp: '2026-03-02T00:00:00Z' }] },
      { records: [{ timestamp: '2026-03-03T00:00:00Z' }] },
    ]);
  });
});

describe('submit', () => {
  test('prints the same texts with --dry-run --json, even for a board without enrollment', async () => {
    const { device } = await enrolled(testContext());
    const other = ['--board', 'https://bench.example.org'];

    const lines = await run(device, 'submit', '--dry-run', ...other);
    const listed = await run(device, 'submit', '--dry-run', '--json', ...other);

    const settled = (text: string) => text.replace(/"(submission_id|issued_at)":"[^"]*"/g, '');
    const report = JSON.parse(listed.results) as SubmissionReport;
    expect(SubmissionReport.parse(report)).toMatchObject({ dry_run: true, submissions: [] });
    expect(report.payloads.map(({ payload }) => settled(payload))).toEqual(
      lines.results.split('\n').map(settled),
    );
    expect(lines.results).toContain('"audience":"https://bench.example.org"');
  });

  test('says with --dry-run that there is nothing new', async () => {
    const { device } = await enrolled(testContext());
    await run(device, 'submit');

    expect(await run(device, 'submit', '--dry-run')).toMatchObject({
      results: '',
      notes: expect.stringContaining('Nothing new'),
    });
  });

  test('prints the report of the schema, with the change since the last one', async () => {
    const { device, identity } = await enrolled(testContext());
    const first = await run(device, 'submit', '--json');
    const ranks = join(device.keystore.folderOf(identity.board), 'ranks.json');
    const told = existsSync(ranks);
    writeFileSync(ranks, '{"30d":"?"}');
    const second = await run(device, 'submit', '--json');

    expect(SubmissionReport.parse(JSON.parse(first.results))).toMatchObject({
      submissions: [
        {
          records: 1,
          receipts: [{ ruleset: '2' }],
          standing: { badge_markdown: expect.stringContaining('/badge/ada.svg') },
        },
      ],
    });
    expect(told).toBe(true);
    expect(second).toMatchObject({ exitCode: 0 });
  });
});

describe('status', () => {
  test('shows pending counts, even for a board that cannot be reached', async () => {
    const { device, identity } = await enrolled(testContext());
    const down = {
      ...device,
      client: new Client(() => Promise.reject(new TypeError('no route')), device.nowMs),
    };
    outboxOf(device, identity).add('1', await anEnvelopeOf(device));

    const all = await run(down, 'status', '--json');
    const text = await run(down, 'status');

    expect(all.exitCode).toBe(4);
    expect(StatusReport.parse(JSON.parse(all.results))).toMatchObject({
      boards: [{ pending: { snapshots: 1, records: 1 }, standing: null }],
      failures: [{ board: BASE_URL }],
    });
    expect(text.results).toContain(`ada on ${BASE_URL}`);
    expect(text.results).toContain('signed, not sent yet: 1 daily count');
  });

  test('counts what the next submit would sign, and what no board accepts', async () => {
    const lines = [0, 1, 30].map((day) => aClaudeLine({ id: `m${day}`, at: day * DAY_MS }));
    const home = aFolder({ '.claude/projects/p/a.jsonl': `${lines.join('\n')}\n` });
    const { device: used } = await anEnrolledDevice(testContext(), 'ada', { home });

    const json = await run(used, 'status', '--json');
    const text = await run(used, 'status');
    await run(used, 'submit');
    const after = await run(used, 'status', '--json');

    expect(StatusReport.parse(JSON.parse(json.results))).toMatchObject({
      boards: [{ pending: { snapshots: 0, records: 0 }, unsigned: { days: 2, records: 2 } }],
      left_out: [{ day: '2026-04-01', tool: 'claude-code', reason: 'in_future' }],
    });
    expect(text.results).toMatch(/2 daily counts of 2 days\. .*opbench submit/);
    expect(text.notes).toMatch(/1 daily count left out .*: 2026-04-01\s+claude-code/);
    expect(JSON.parse(after.results)).toMatchObject({
      boards: [{ unsigned: { days: 0, records: 0 } }],
    });
  });
});

describe('logout', () => {
  test('erases a key that was revoked in the settings', async () => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    ctx.store.devices.revokeKey(identity.keyid, 'revoked', ctx.now().toISOString());

    const ended = await run(device, 'logout');

    expect(ended).toMatchObject({ exitCode: 0, notes: expect.stringContaining('already revoked') });
    expect(device.keystore.identity(BASE_URL)).toBeNull();
  });

  test('discards pending envelopes, and says that the timer is still on', async () => {
    const { device, identity } = await enrolled(testContext());
    outboxOf(device, identity).add('1', '{}');
    const since = new Date(device.nowMs()).toISOString();
    keepSetting(device.environment, { timer: 'cron', node: 'node', file: 'opbench.mjs', since });

    const { notes } = await run(device, 'logout');

    expect(outboxOf(device, identity).pending()).toEqual([]);
    expect(notes).toContain('opbench auto off');
  });

  test.each([
    [403, 'key_revoked', 0],
    [422, 'key_unknown', 0],
    [404, 'not_found', 0],
    [401, 'token_invalid', 3],
    [429, 'quota_exceeded', 3],
  ])('with the response %i %s ends with %i', async (status, code, exitCode) => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    const fetch = () => Promise.resolve(Response.json({ code, detail: 'No' }, { status }));
    const client = new Client(fetch, device.nowMs);

    expect(await run({ ...device, client }, 'logout')).toMatchObject({ exitCode });
    expect(device.keystore.identity(BASE_URL)).toEqual(exitCode === 0 ? null : identity);
  });

  test('discards an unfinished enrollment with --local', async () => {
    const device = aDeviceOf(testContext(), (url) => {
      const isKnown = url.endsWith('/devices/known');
      return isKnown
        ? Promise.resolve(Response.json({ devices: [] }))
        : Promise.reject(new TypeError('lost'));
    });
    const words = ['--board', BASE_URL];
    await run(device, 'enroll', '00000-00000-00000', ...words).catch(() => undefined);

    await expect(run(device, 'logout', ...words)).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('add --local'),
    });
    const ended = await run(device, 'logout', '--local', '--json', ...words);

    expect(JSON.parse(ended.results)).toEqual({ logged_out: [BASE_URL], failures: [] });
    expect(device.keystore.pendingBoards()).toEqual([]);
    await expect(run(device, 'logout', '--local', ...words)).rejects.toMatchObject({ hint: null });
  });

  test('says where it is enrolled if another board is named, and what to do if the board is unreachable', async () => {
    const { device } = await enrolledTwice(testContext());

    const other = run(device, 'logout', '--board', 'https://other.test');
    await expect(other).rejects.toMatchObject({ hint: `It is enrolled on ${DEAD}, ${BASE_URL}.` });
    const { notes } = await run(device, 'logout', '--board', DEAD);
    expect(notes).toContain('add --local');
  });

  test('keeps the key if only the clock is wrong', async () => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    const nowMs = () => ctx.clock.nowMs - 60 * MINUTE_MS;
    const client = new Client(fetchFrom(ctx), nowMs);

    expect(await run({ ...device, client }, 'logout')).toMatchObject({ exitCode: 3 });
    expect(device.keystore.identity(BASE_URL)).toEqual(identity);
  });
});

describe('scan', () => {
  test('lists unreadable files on stderr', async () => {
    const folder = aFolder({ 'sessions/a.jsonl.zst': 'no zstd' });
    const device = {
      ...aDeviceOf(testContext()),
      environment: { HOME: folder, CODEX_HOME: folder },
    };

    const { results, notes } = await run(device, 'scan', '--json');

    const { sources } = JSON.parse(results) as { sources: object[] };
    const members = ['tool', 'roots', 'files', 'events', 'skipped_lines', 'skipped', 'unreadable'];
    expect(sources.map(Object.keys)).toEqual(sources.map(() => members));
    expect(notes).toContain(`Could not be read: ${join(folder, 'sessions', 'a.jsonl.zst')}`);
  });
});
