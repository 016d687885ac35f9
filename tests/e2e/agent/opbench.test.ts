import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Job, type Outcome, sharedJobs, startThread } from '#agent/logs/read-all.ts';
import { readers } from '#core/readers/readers.ts';
import { anInstallation, daysAgo, newCode } from '#tests/support/agent/installation.ts';
import { built, start } from '#tests/support/http/process.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { eventually, sharedServer } from '#tests/support/http/server.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';
import { installedCommand } from '#agent/state/copy.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

const board = sharedServer();

/** The address of a server that is closed after the test. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('opbench', () => {
  test.each([
    [['nonsense'], 1, 'There is no command'],
    [['scan', '--colour'], 1, 'scan does not take --colour'],
    [['enroll', '00000-00000-00000'], 1, 'enroll needs a CODE and --board URL'],
    [['enroll', 'x', '--board', 'https://b.test'], 1, 'is not an enrollment code'],
    [['enroll', '00000-00000-00000', '--board', 'http://b.test'], 1, 'is not encrypted'],
    [['enroll', '00000-00000-00000', '--board', 'http://127.0.0.1:9'], 4, 'cannot be reached'],
    [['submit'], 2, 'not enrolled on any board'],
    [['status'], 2, 'not enrolled on any board'],
    [['logout', '--board', 'https://b.test'], 2, 'not enrolled on https://b.test'],
  ])('%j exits with %i: %s', async (args, status, message) => {
    const ended = await anInstallation().run(...args);

    expect(ended).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('as a program exits with the code, and writes to the right stream', async () => {
    const { runBuilt } = anInstallation();

    expect(await runBuilt('submit')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('not enrolled on any board'),
    });
    expect(await runBuilt('submit', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Example: opbench submit'),
      stderr: '',
    });
  });

  test.each([
    ['submit', '--help'],
    ['help', 'submit'],
    ['--help', 'submit'],
  ])('shows the help of a command with %s %s', async (...args) => {
    const { status, stdout } = await anInstallation().run(...args);

    expect(status).toBe(0);
    expect(stdout).toContain('Example: opbench submit');
  });

  test('rejects a code that the board does not know, and says what to do', async () => {
    const { url } = await board();

    const ended = await anInstallation().run('enroll', '00000-00000-00000', '--board', url);

    expect(ended.status).toBe(3);
    expect(ended.stderr).toContain('enrollment_code_invalid');
    expect(ended.stderr).toContain('"Add a device"');
  });

  test('scan --json prints records, totals over everything, and sources', async () => {
    const device = anInstallation();
    device.logDay(daysAgo(1), COUNTS);
    device.logDay(daysAgo(2), COUNTS);

    const { stdout } = await device.run('scan', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      records: [{ timestamp: `${daysAgo(2)}T00:00:00Z` }, { timestamp: `${daysAgo(1)}T00:00:00Z` }],
      totals: {
        input: 20_000,
        output: 40_000,
        cache_write: 10_000,
        cache_read: 600_000,
        total: 670_000,
      },
      sources: [
        { tool: 'claude-code', files: 2, events: 2, skipped_lines: 0 },
        ...readers.slice(1).map(({ tool }) => {
          return { tool, files: 0, events: 0, skipped_lines: 0 };
        }),
      ],
    });
  });

  test('reads logs in other threads, too', async () => {
    const path = join(aFolder({ 's.jsonl': `${aClaudeLine()}\n` }), 's.jsonl');
    const job = { tool: 'claude-code', path, before: undefined, bytes: 1 };
    const outcomes = new Map<Job, Outcome>();
    const options = { pace: () => undefined, program: built('opbench.mjs') };

    await startThread(sharedJobs([job]), outcomes, options);

    expect(outcomes.get(job)).toMatchObject({ usage: { responses: [{ key: 'msg_a' }] } });
  });

  test('is quiet after a closed pipe', async () => {
    const { home } = anInstallation();
    const child = spawn(process.execPath, [built('opbench.mjs'), 'scan'], {
      env: { HOME: home, USERPROFILE: home },
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));

    const [status] = (await once(child, 'close')) as [number];

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('an installed status line runs on its own, and does not wait for the end of its input', async () => {
    const device = anInstallation();
    device.logDay(daysAgo(0), COUNTS);
    mkdirSync(join(device.home, '.claude'), { recursive: true });
    await device.runBuilt('scan');
    const { status: installed } = await device.runBuilt('statusline', 'install', '--yes');
    const settings = readFileSync(join(device.home, '.claude', 'settings.json'), 'utf8');
    const { command } = (JSON.parse(settings) as { statusLine: { command: string } }).statusLine;
    const child = spawn(command, { shell: true, env: { PATH: '' } });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));

    const [status] = (await once(child, 'exit')) as [number];
    child.stdin.destroy();
    const same = await device.runBuilt('statusline');

    expect({ installed, status, stdout }).toEqual({ installed: 0, status: 0, stdout: same.stdout });
    expect(stdout).toMatch(/^335 k tokens today, yield [\d.,]+\n$/);
  });

  test('enrolls on the board that it came from, and saves a copy that works alone', async () => {
    const server = await board();
    const device = anInstallation();
    const cached = join(device.home, 'cache', 'opbench.mjs');
    const program = readFileSync(built('opbench.mjs'), 'utf8');
    mkdirSync(dirname(cached));
    writeFileSync(cached, program.replaceAll('"@OPBENCH_BOARD@"', JSON.stringify(server.url)));
    const copy = join(device.home, '.config', 'opbench', 'opbench.mjs');
    const run = (file: string, ...args: string[]) => {
      return start(process.execPath, [file, ...args], { HOME: device.home }).finished;
    };

    const refused = await run(cached, 'enroll', '00000-00000-00000');
    const isLeft = existsSync(copy);
    const code = await newCode(server.url, await server.signIn('ada'));
    const enrolled = await run(cached, 'enroll', code);
    rmSync(dirname(cached), { recursive: true });
    const submitted = await run(copy, 'submit', '--json');

    expect(refused.stderr).toContain('enrollment_code_invalid');
    expect(isLeft).toBe(false);
    expect(enrolled).toMatchObject({ status: 0, stderr: '' });
    expect(enrolled.stdout).toContain(`Enrolled as ada on ${server.url}`);
    expect(enrolled.stdout).toContain(`${installedCommand({ HOME: device.home })} submit`);
    expectMode(copy, 0o700);
    expect(submitted.status).toBe(0);
    expect(JSON.parse(submitted.stdout)).toMatchObject({
      submissions: [{ board: server.url, snapshots: 0, standing: { codename: 'ada' } }],
    });
  });

  test('states days, which the page of the operator and the API show', async () => {
    const server = await board();
    const device = anInstallation();
    for (const days of [6, 4, 0]) {
      device.logDay(daysAgo(days), COUNTS);
      const log = join(device.home, '.claude', 'projects', 'p', `${daysAgo(days)}.jsonl`);
      utimesSync(log, new Date(), new Date(`${daysAgo(days)}T12:00:00Z`));
    }
    const code = await newCode(server.url, await server.signIn('days'));
    await device.runBuilt('enroll', code, '--board', server.url);
    const submitted = await device.runBuilt('submit');
    const page = `${server.url}/operators/days`;
    const shown = await eventually(
      async () => (await fetch(`${page}.md`)).text(),
      (text) => text.includes('Stated days'),
    );
    const detail = await fetch(`${server.url}/api/v1/operators/days?window=30d`);

    expect(submitted.status).toBe(0);
    expect(await detail.json()).toMatchObject({
      stated_days: {
        first_day: daysAgo(6),
        last_day: daysAgo(0),
        with_tokens: 3,
        without_tokens: 4,
        not_stated: 0,
        in_time: 1 / 3,
        lowered: 0,
      },
    });
    expect(shown).toMatch(/Stated without tokens[^\n]*4 days/);
    const list = await fetch(`${server.url}/api/v1/submissions?codename=days`);
    const { entries } = (await list.json()) as { entries: { id: string }[] };
    const one = `${server.url}/api/v1/submissions/${entries[0]?.id}`;
    expect(await (await fetch(`${one}/envelope`)).json()).toMatchObject({
      payloadType: 'application/vnd.opbench.snapshot.v2+json',
    });
    expect(await (await fetch(one)).json()).toMatchObject({
      covers: { from: daysAgo(5), to: daysAgo(1) },
    });
  });

  test('does not follow redirects of a board', async () => {
    const asked: string[] = [];
    const elsewhere = await listening(({ url = '' }, response) => {
      asked.push(url);
      response.end();
    });
    const sending = await listening(({ url = '' }, response) => {
      response.writeHead(307, { Location: elsewhere + url }).end();
    });

    const ended = await anInstallation().runBuilt(
      'enroll',
      '00000-00000-00000',
      '--board',
      sending,
    );

    expect(ended.status).toBe(4);
    expect(asked).toEqual([]);
  });
});
