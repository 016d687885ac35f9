import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import type { Place } from '#agent/device.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { DAY_MS, NOW, NOW_MS, aBucket } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const LOGS_BEGIN_MS = Date.UTC(2026, 2, 2);

/** A device with one response on each of these days before today. */
function aPlace(...daysAgo: number[]): Place {
  const lines = daysAgo.map((days) => {
    return aClaudeLine({ id: `msg_${days}`, at: NOW_MS - LOGS_BEGIN_MS - days * DAY_MS });
  });
  const home = aFolder({ '.claude/projects/p/a.jsonl': `${lines.join('\n')}\n` });
  return { environment: { HOME: home }, nowMs: () => NOW_MS, file: '' };
}

async function run(place: Place, name: string, ...args: string[]) {
  const output = anOutput();
  await runCommand(place, name, args, output);
  return { text: output.results.join('\n'), notes: output.notes.join('\n') };
}

async function recordOf(place: Place, ...args: string[]): Promise<OperatorRecord> {
  return OperatorRecord.parse(JSON.parse((await run(place, 'record', ...args)).text));
}

describe('record', () => {
  test('prints the record of four counts', async () => {
    const counts = ['1251211', '11296121', '128196310', '2555179769'];
    const record = await recordOf(aPlace(), ...counts, '--tool', 'codex', '--json');

    expect(record).toMatchObject({
      timestamp: NOW,
      source: { provider: 'unknown', model: 'unknown', tool: 'codex' },
      metrics: { yield: 18436.98, leverage: 2042.2, velocity: 9.028, snr: 0.9003, dev10x: 3.31 },
    });
    expect(record.context).toBeUndefined();
  });

  test.each([
    [['1000', '5000'], null, null],
    [['1000', '5000', '-', 'null'], null, null],
    [['1000', '5000', '-', '0'], null, 0],
    [['1000', '5000', '500'], 500, null],
  ])(
    'distinguishes zero from counts that %j does not report',
    async (words, cache_write, cache_read) => {
      const { telemetry, metrics, warnings } = await recordOf(aPlace(), ...words);

      const bucket = aBucket({ input: 1000, output: 5000, cache_write, cache_read });
      expect(telemetry).toMatchObject({ cache_write, cache_read });
      expect({ metrics, warnings }).toEqual({
        metrics: composeRecord(bucket).metrics,
        warnings: composeRecord(bucket).warnings,
      });
    },
  );

  test.each([
    ['7d', 2],
    ['30d', 3],
    ['all_time', 4],
  ])('prints the record of the window %s', async (window, responses) => {
    const record = await recordOf(aPlace(0, 6, 7, 30), '--window', window);

    expect(record).toMatchObject({
      source: { tool: 'claude-code' },
      telemetry: { input: responses },
      context: { window },
    });
  });

  test('prints the record of the last days, and says if there are no logs', async () => {
    const place = aPlace(3);

    expect(await recordOf(place, '--days', '4')).toMatchObject({
      telemetry: { input: 1 },
      context: { window: '4d' },
    });
    expect(await run(place, 'record', '--days', '3')).toMatchObject({
      notes: expect.stringContaining('No logs found'),
    });
  });

  test.each([
    [[], 'record needs INPUT and OUTPUT, or --window'],
    [['1'], 'record needs INPUT and OUTPUT'],
    [['1', '2.5'], 'OUTPUT must be a whole number up to 2^53-1, not "2.5"'],
    [['1', '1,000'], 'OUTPUT must be a whole number'],
    [['9007199254740992', '1'], 'INPUT must be a whole number'],
    [['9007199254740991', '1'], 'more than 2^53-1'],
    [['-', '1'], 'INPUT must be a whole number'],
    [['1', '2', 'x'], 'CACHE_WRITE must be a whole number'],
    [['1', '2', '3', '4', '5'], 'record does not take "5"'],
    [['-1', '5'], 'record does not take a negative number: -1'],
    [['1', '2', '--tool', ' '], '--tool must be a name'],
    [['1', '2', '--model', 'a\u202Eb'], '--model must be a name'],
    [['--window', '1w'], 'Unknown window "1w"'],
    [['--window', '7d', '--days', '7'], 'not both'],
    [['--days', '0'], '--days takes a whole number from 1'],
    [['--window', '7d', '--tool', 'codex'], 'from the logs'],
    [['1', '2', '--window', '7d'], 'from the logs'],
  ])('rejects %j', async (args, message) => {
    await expect(run(aPlace(), 'record', ...args)).rejects.toMatchObject({
      name: 'Failure',
      exitCode: 1,
      message: expect.stringContaining(message),
    });
  });
});

describe('scan', () => {
  test('prints a table that fits a terminal, by tool and, with --days, by day', async () => {
    const place = aPlace(0, 6, 7);

    const all = (await run(place, 'scan')).text;
    const week = (await run(place, 'scan', '--days', '7')).text;

    expect(all).toMatch(/^ {2}claude-code +1 +3 +3 +6 +9 +12 +30$/m);
    expect(all).not.toContain('Days');
    expect(week).toMatch(/^Logs, all days +files +responses\n {2}claude-code +1 +3$/m);
    expect(week).toMatch(/^ {2}claude-code +2 +4 +6 +8 +20$/m);
    expect(week).toMatch(/^ {2}2026-03-04 +1 +2 +3 +4 +10\n {2}2026-03-10 +1/m);
    expect(week).toMatch(/^ {2}total +20$/m);
    for (const line of `${all}\n${week}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('applies --days to records, totals and days in --json', async () => {
    const { text } = await run(aPlace(0, 6, 7), 'scan', '--days', '7', '--json');

    expect(JSON.parse(text)).toMatchObject({
      records: [{ timestamp: '2026-03-04T00:00:00Z' }, { timestamp: '2026-03-10T00:00:00Z' }],
      totals: { input: 2, total: 20 },
      days: 2,
      notes: [],
    });
  });

  test.each(['0', '-1', '1.5', 'x', '3661'])('rejects --days %s', async (days) => {
    await expect(run(aPlace(), 'scan', `--days=${days}`)).rejects.toMatchObject({ exitCode: 1 });
  });
});
