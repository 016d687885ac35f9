import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Client } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { EXIT, Failure } from '#agent/failure.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine, aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';

const BOARD = 'https://bench.example.org';
const LOGS_BEGIN_MS = Date.UTC(2026, 2, 2);
const at = (daysAgo: number) => NOW_MS - LOGS_BEGIN_MS - daysAgo * DAY_MS;

interface TestDevice extends LocalDevice {
  home: string;
  file: string;
  asked: string[];
}

/** A device with 20 days of logs, and a network that gives this answer. */
function aDevice(answer?: object, logs = someLogs()): TestDevice {
  const home = aFolder(logs);
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    return answer
      ? Promise.resolve(Response.json(answer))
      : Promise.reject(new TypeError('fetch failed'));
  };
  const nowMs = () => NOW_MS;
  const device = {
    ...{ environment: { HOME: home, OPBENCH_HOME: join(home, 'state') }, nowMs, file: '' },
    ...{ keystore: new Keystore(join(home, 'state')), client: new Client(fetch, nowMs) },
    wait: () => Promise.resolve(),
  };
  return { ...device, home, file: join(home, 'report.html'), asked };
}

function someLogs(): Record<string, string> {
  const counts = { input: 1000, output: 5000, cache_write: 2000, cache_read: 90_000 };
  const cwd = '/home/u/<b>secret plan';
  const lines = Array.from({ length: 20 }, (_, days) => {
    return aClaudeLine({ id: `msg_${days}`, at: at(days), ...counts, over: { cwd } });
  });
  const codex = [
    JSON.stringify({ ...JSON.parse(aCodexHead('a', at(1))), cwd: '/srv/other' }),
    aCodexCount(at(1), 500, 500),
  ];
  return {
    '.claude/projects/p/a.jsonl': `${lines.join('\n')}\n`,
    '.codex/sessions/rollout-a.jsonl': `${codex.join('\n')}\n`,
  };
}

async function report(device: TestDevice, ...args: string[]) {
  const output = anOutput();
  const exit = await runCommand(device, 'report', ['--out', device.file, ...args], output);
  const html = readFileSync(device.file, 'utf8');
  return { exit, html, text: output.results.join('\n'), notes: output.notes.join('\n') };
}

describe('opbench report', () => {
  test('writes a file that only its owner can read, and asks nobody', async () => {
    const device = aDevice();
    const { exit, html, text } = await report(device);

    expect(exit).toBe(EXIT.ok);
    expect(html).toContain('<title>Your AI assistants, 19 Feb 2026 to 10 Mar 2026</title>');
    expect(statSync(device.file).mode & 0o777).toBe(0o600);
    expect(text).toMatch(
      /^Report: file:\/\/.*report\.html\n[\d,]+ tokens from 2026-02-19 to 2026-03-10$/,
    );
    expect(device.asked).toEqual([]);
    expect(readdirSync(device.home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('names projects only with --projects, and keeps them nowhere else', async () => {
    const device = aDevice();
    const without = await report(device);
    const { html, text } = await report(device, '--projects', '--json');

    expect(without.html).not.toContain('secret');
    expect(html).toContain('&lt;b&gt;secret plan');
    expect(JSON.parse(text).projects.map(({ name }: { name: string }) => name)).toEqual([
      '<b>secret plan',
      'other',
    ]);
    const kept = readdirSync(join(device.home, 'state'), { recursive: true, withFileTypes: true });
    const files = kept.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(2);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain('secret');
  });

  test('replaces an earlier report, but no other file without --force', async () => {
    const device = aDevice();
    await report(device);
    await report(device, '--since', '2026-03-09');
    expect(readFileSync(device.file, 'utf8')).toContain('9 Mar 2026 to 10 Mar 2026');

    writeFileSync(device.file, '<html>mine</html>');
    const refused = report(device);
    await expect(refused).rejects.toThrow(`${device.file} exists and is not a report`);
    await expect(refused).rejects.toMatchObject({ exitCode: EXIT.usage });
    expect(readFileSync(device.file, 'utf8')).toBe('<html>mine</html>');

    expect((await report(device, '--force')).html).toContain('Your AI assistants');
  });

  test('refuses a folder and a path that cannot be written, and leaves no temporary file', async () => {
    const device = aDevice();
    mkdirSync(device.file);
    await expect(report(device, '--force')).rejects.toThrow(`${device.file} is not a regular file`);

    const locked = join(device.home, 'state', 'a-file');
    mkdirSync(join(device.home, 'state'));
    writeFileSync(locked, '');
    const output = anOutput();
    const writing = runCommand(device, 'report', ['--out', join(locked, 'r.html')], output);
    await expect(writing).rejects.toThrow(Failure);
    await expect(writing).rejects.toThrow('cannot be');
    expect(readdirSync(join(device.home, 'state')).join()).not.toContain('tmp');
  });

  test('estimates the rank on a named board with one request about no one', async () => {
    const entry = (codename: string, rank: number, low: number) => {
      return { rank, codename, metrics: { yield: low }, interval: [low, low] };
    };
    const entries = [entry('ada', 1, 5000), entry('bob', 2, 0.01)];
    const board = { ruleset: '1', window: '30d', metric: 'yield', as_of: '2026-03-10', tools: [] };
    const device = aDevice({ ...board, total: 2, entries });
    const { html, exit, text } = await report(device, '--board', BOARD, '--json');

    expect(exit).toBe(EXIT.ok);
    expect(device.asked).toEqual([`${BOARD}/api/v1/leaderboard?window=30d&metric=yield&limit=100`]);
    expect(html).toContain('<strong>Rank 2 of 3</strong>');
    expect(JSON.parse(text).rank).toEqual({
      ...{ board: BOARD, rank: 2, total: 3, is_at_least: false, as_of: '2026-03-10' },
    });
  });

  test('is written without a rank if the board cannot be reached', async () => {
    const { html, exit, notes } = await report(aDevice(), '--board', BOARD);

    expect(exit).toBe(EXIT.partial);
    expect(notes).toContain(`The report has no estimate of a rank on ${BOARD}.`);
    expect(html).toContain('could not be asked');
    expect(html).toContain('Metrics over time');
  });

  test('without logs, says where it looked', async () => {
    const { html, text, exit } = await report(aDevice(undefined, {}));

    expect(exit).toBe(EXIT.ok);
    expect(text).toContain('No tokens were found. Searched folders: opbench doctor --offline');
    expect(html).toContain('No tokens were found for this period.');
  });
});
