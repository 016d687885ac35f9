import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anInstallation, daysAgo, enroll } from '../support/installation.ts';
import { built } from '../support/process.ts';
import { startServer } from '../support/server.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

describe('opbench', () => {
  test.each([
    [['nonsense'], 1, 'There is no command'],
    [['scan', '--colour'], 1, "Unknown option '--colour'"],
    [['enroll', '00000-00000-00000'], 1, 'enroll takes a CODE and --board URL'],
    [['enroll', 'x', '--board', 'https://b.test'], 1, 'is not an enrolment code'],
    [['enroll', '00000-00000-00000', '--board', 'http://b.test'], 1, 'is plain http'],
    [['enroll', '00000-00000-00000', '--board', 'http://127.0.0.1:9'], 4, 'cannot be reached'],
    [['submit'], 2, 'not enrolled on any board'],
    [['status'], 2, 'not enrolled on any board'],
    [['logout', '--board', 'https://b.test'], 2, 'not enrolled on https://b.test'],
  ])('%j ends with %i: %s', async (args, status, message) => {
    const ended = await anInstallation().run(...args);

    expect(ended).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) });
  });

  test.each(['scan', 'enroll', 'submit', 'status', 'improve', 'verify', 'logout'])(
    '%s --help has an example',
    async (name) => {
      const { status, stdout } = await anInstallation().run(name, '--help');

      expect(status).toBe(0);
      expect(stdout).toContain(`Example: opbench ${name}`);
    },
  );

  test('refuses a code that the board does not know, and says what to do', async () => {
    const { url } = await startServer();

    const ended = await anInstallation().run('enroll', '00000-00000-00000', '--board', url);

    expect(ended.status).toBe(3);
    expect(ended.stderr).toContain('enrollment_code_invalid');
    expect(ended.stderr).toContain('"New key"');
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
        { tool: 'codex', files: 0, events: 0, skipped_lines: 0 },
      ],
    });
  });

  test('is quiet when its reader stops reading', async () => {
    const { home } = anInstallation();
    const child = spawn(process.execPath, [built('opbench.mjs'), 'scan'], { env: { HOME: home } });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));

    const [status] = (await once(child, 'close')) as [number];

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('sends exactly what --dry-run shows, and only to the board', async () => {
    const server = await startServer();
    const device = anInstallation();
    device.logDay(daysAgo(1), COUNTS);
    await enroll(device, server.url, await server.signIn('ada'));
    const shown = await device.run('submit', '--dry-run');
    const sent = await device.run('submit', '--json');
    const after = await device.run('submit', '--dry-run');

    const [payload] = shown.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(shown.status).toBe(0);
    expect(payload).toMatchObject({
      audience: server.url,
      records: [{ telemetry: COUNTS, source: { tool: 'claude-code' } }],
    });
    expect(JSON.parse(sent.stdout)).toMatchObject({ submissions: [{ snapshots: 1, records: 1 }] });
    expect(after).toMatchObject({ status: 0, stdout: '' });
  });

  test('does not follow a board that sends it elsewhere', async () => {
    const elsewhere = createServer((_, response) => {
      response.writeHead(307, { Location: 'http://127.0.0.1:9/api/v1/devices/enroll' }).end();
    });
    onTestFinished(() => void elsewhere.close());
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as AddressInfo;

    const board = `http://127.0.0.1:${port}`;
    const ended = await anInstallation().run('enroll', '00000-00000-00000', '--board', board);

    expect(ended.status).toBe(4);
  });
});
