import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Client, type Fetch } from '#agent/client.ts';
import type { Device } from '#agent/device.ts';
import { enroll } from '#agent/loop/enroll.ts';
import { outboxOf } from '#agent/loop/submit.ts';
import { createEnrollmentCode } from '#server/commands/create-enrollment-code.ts';
import { aDeviceOf, anOutput, changing, fetchFrom, runCommand } from '../support/agent.ts';
import { BASE_URL, DAY_MS, MINUTE_MS } from '../support/builders.ts';
import { type TestContext, anOperator, testContext } from '../support/context.ts';
import { aClaudeLine } from '../support/log-writers.ts';
import { aFolder } from '../support/log-folder.ts';

/** Sorts before the board that answers. */
const DEAD = 'http://127.0.0.1:1';

async function run(device: Device, name: string, ...args: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, name, args, output);
  return { exitCode, results: output.results.join('\n'), notes: output.notes.join('\n') };
}

/** A device with one day of logs, enrolled on a board. */
async function enrolled(ctx: TestContext, fetch?: Fetch) {
  const home = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n` });
  const device = { ...aDeviceOf(ctx, fetch), environment: { HOME: home } };
  const { code } = createEnrollmentCode(ctx, anOperator(ctx, 'ada').id);
  const identity = await enroll(device, { code, board: BASE_URL, label: 'Laptop' });
  return { device, identity };
}

/** The same, enrolled also on a board that cannot be reached. */
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
    ['status', { boards: [{ board: BASE_URL, codename: 'ada' }] }],
    ['logout', { logged_out: [BASE_URL] }],
  ])('%s goes on where one fails', async (name, done) => {
    const { device } = await enrolledTwice(testContext());

    const { exitCode, results, notes } = await run(device, name, '--json');

    expect(exitCode).toBe(5);
    expect(notes).toContain(`${DEAD}: ${DEAD} cannot be reached: no route`);
    expect(JSON.parse(results)).toMatchObject({
      ...done,
      failures: [{ board: DEAD, exit: 4, code: null, message: expect.stringContaining('reached') }],
    });
  });

  test('ends as the first failure does if nothing was done', async () => {
    const { device } = await enrolledTwice(testContext());

    expect(await run(device, 'status', '--board', DEAD)).toMatchObject({ exitCode: 4 });
  });

  test.each([[['submit']], [['submit', '--dry-run']], [['status']]])(
    '%j goes on where an identity is damaged',
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
  test('is done when only the standing cannot be told', async () => {
    const ctx = testContext();
    let asked = 0;
    const fetch = changing(ctx, '/me', (answer) => {
      return (asked += 1) === 1 ? answer : new Response('down', { status: 502 });
    });
    const { device } = await enrolled(ctx, fetch);

    const { exitCode, notes } = await run(device, 'submit');

    expect(exitCode).toBe(0);
    expect(notes).toContain('1 records accepted');
    expect(notes).toContain('The standing is not known');
  });

  test('says where it looked if there is no log', async () => {
    const { device } = await enrolled(testContext());
    const home = aFolder();

    const ended = await run({ ...device, environment: { HOME: home } }, 'submit');

    expect(ended).toMatchObject({ exitCode: 0, results: '' });
    expect(ended.notes).toContain('No log was found');
    expect(ended.notes).toContain(`claude-code: ${join(home, '.claude', 'projects')}`);
    expect(ended.notes).toContain(`codex: ${join(home, '.codex', 'sessions')}`);
  });

  test('shows with --dry-run first what waits in the outbox, and nothing twice', async () => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    const offline = changing(ctx, '/snapshots', () => Promise.reject(new TypeError('lost')));
    await run({ ...device, client: new Client(offline, device.nowMs) }, 'submit');
    const [waiting] = outboxOf(device, identity).pending();
    const log = join(device.environment.HOME, '.claude', 'projects', 'p', 'b.jsonl');
    writeFileSync(log, `${aClaudeLine({ id: 'msg_b', at: DAY_MS })}\n`);

    const { results } = await run(device, 'submit', '--dry-run');

    const shown = results.split('\n').map((line) => JSON.parse(line) as object);
    expect(shown).toMatchObject([
      { submission_id: waiting?.id, records: [{ timestamp: '2026-03-02T00:00:00Z' }] },
      { records: [{ timestamp: '2026-03-03T00:00:00Z' }] },
    ]);
  });
});

describe('logout', () => {
  test('erases a key that was revoked in the settings', async () => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    ctx.store.devices.revokeKey(identity.keyid, 'revoked', ctx.now().toISOString());

    const ended = await run(device, 'logout');

    expect(ended).toMatchObject({ exitCode: 0, notes: expect.stringContaining('had revoked') });
    expect(device.keystore.identity(BASE_URL)).toBeNull();
  });

  test.each([
    [403, 'key_revoked', 0],
    [422, 'key_unknown', 0],
    [404, 'not_found', 0],
    [401, 'token_invalid', 3],
    [429, 'quota_exceeded', 3],
  ])('answered with %i %s ends with %i', async (status, code, exitCode) => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    const fetch = () => Promise.resolve(Response.json({ code, detail: 'No' }, { status }));
    const client = new Client(fetch, device.nowMs);

    expect(await run({ ...device, client }, 'logout')).toMatchObject({ exitCode });
    expect(device.keystore.identity(BASE_URL)).toEqual(exitCode === 0 ? null : identity);
  });

  test('keeps the key when only the clock is off', async () => {
    const ctx = testContext();
    const { device, identity } = await enrolled(ctx);
    const nowMs = () => ctx.clock.nowMs - 60 * MINUTE_MS;
    const client = new Client(fetchFrom(ctx), nowMs);

    expect(await run({ ...device, client }, 'logout')).toMatchObject({ exitCode: 3 });
    expect(device.keystore.identity(BASE_URL)).toEqual(identity);
  });
});

describe('scan', () => {
  test('tells what it could not read on the other stream', async () => {
    const folder = aFolder({ 'sessions/a.jsonl.zst': 'no zstd' });
    const device = { ...aDeviceOf(testContext()), environment: { CODEX_HOME: folder } };

    const { results, notes } = await run(device, 'scan', '--json');

    const { sources } = JSON.parse(results) as { sources: object[] };
    expect(sources.map(Object.keys)).toEqual(
      Array(2).fill(['tool', 'roots', 'files', 'events', 'skipped_lines']),
    );
    expect(notes).toContain(`not read: ${join(folder, 'sessions', 'a.jsonl.zst')}`);
  });
});
