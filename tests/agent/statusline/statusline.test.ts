import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Place } from '#agent/device.ts';
import { Failure } from '#agent/failure.ts';
import { keepForStatusLine } from '#agent/loop/standing.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { statusLine } from '#agent/statusline/line.ts';
import type { Status } from '#agent/statusline/status.ts';
import type { MeAnswer } from '#agent/board/answers.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const HOUR_MS = 60 * 60 * 1000;
const BOARD = 'https://bench.example.org';
const TODAY_BEGINS_MS = NOW_MS - Date.UTC(2026, 2, 2) - 12 * HOUR_MS;

/** A device with a response today and one yesterday, whose clock the test sets. */
function aPlace() {
  const counts = { input: 1000, output: 5000, cache_write: 2000, cache_read: 90_000 };
  const lines = [0, 1].map((days) => {
    return aClaudeLine({ id: `msg_${days}`, at: TODAY_BEGINS_MS - days * DAY_MS, ...counts });
  });
  const home = aFolder({ '.claude/projects/p/a.jsonl': `${lines.join('\n')}\n` });
  const state = join(home, 'state');
  const clock = { ms: NOW_MS };
  const environment = { HOME: home, OPBENCH_HOME: state };
  const place: Place = { environment, nowMs: () => clock.ms, file: '' };
  const run = async (...args: [string, ...string[]]) => {
    const output = anOutput();
    const exit = await runCommand(place, args[0], args.slice(1), output);
    return { exit, text: output.results.join('\n') };
  };
  return { home, state, clock, place, run, line: async () => (await run('statusline')).text };
}

/** What a board says about an operator. */
function aMe(over: Partial<MeAnswer> = {}): MeAnswer {
  const standing = (window: string, rank: number | null) => ({
    ...{ window, metrics: { yield: 1 }, rank, rank_range: null, movement: { day: 3 } },
    ...{ total: 251, reasons: [] },
  });
  return {
    ...{ codename: 'ada', device: null, generated_at: '', next_refresh_at: '' },
    standings: [standing('7d', 1), standing('30d', 12)],
    ...over,
  };
}

function tell({ state, clock }: ReturnType<typeof aPlace>, me: MeAnswer, board = BOARD): void {
  const device = { keystore: new Keystore(state), nowMs: () => clock.ms };
  keepForStatusLine(device, { board } as Parameters<typeof keepForStatusLine>[1], me);
}

describe('opbench statusline', () => {
  test("prints today's tokens and yield from the last scan, without reading logs", async () => {
    const device = aPlace();
    expect(await device.line()).toBe('no tokens counted yet');

    await device.run('scan');
    rmSync(join(device.home, '.claude'), { recursive: true });

    expect(await device.line()).toBe('98.0 k tokens today, yield 450');
  });

  test('says how old the counts are, and when a scan found nothing new', async () => {
    const device = aPlace();
    await device.run('scan');

    device.clock.ms += 3 * HOUR_MS;
    expect(await device.line()).toBe('98.0 k tokens today, yield 450 (3 hours ago)');
    await device.run('scan');
    expect(await device.line()).toBe('98.0 k tokens today, yield 450');
    device.clock.ms += 12 * HOUR_MS;
    expect(await device.line()).toBe('not counted today, last 12 hours ago');
    device.clock.ms += 5 * DAY_MS;
    expect(await device.line()).toBe('not counted today, last 5 days ago');
    await device.run('scan');
    expect(await device.line()).toBe('0 tokens today');
  });

  test('leaves out a tool that was excluded after it was counted', async () => {
    const device = aPlace();
    await device.run('scan');

    Object.assign(device.place.environment, { OPBENCH_EXCLUDE_TOOLS: 'claude-code' });

    expect(await device.line()).toBe('0 tokens today');
  });

  test('adds rank and change from the last answer of the board', async () => {
    const device = aPlace();
    await device.run('scan');
    tell(device, aMe());

    expect(await device.line()).toBe('98.0 k tokens today, yield 450 | rank 12 of 251, up 3 (30d)');
    expect(JSON.parse((await device.run('statusline', '--json')).text)).toEqual({
      counted: { at_ms: NOW_MS, is_today: true, tokens: 98_000, yield: 450 },
      standing: {
        ...{ board: BOARD, asked_ms: NOW_MS, window: '30d', tool: null },
        ...{ rank: 12, total: 251, change: 3 },
      },
    });
    device.clock.ms += 3 * DAY_MS;
    expect(await device.line()).toContain('(30d, 3 days ago)');
  });

  test('prefers the ranking of the tool used most, and the newest of several boards', async () => {
    const device = aPlace();
    const standing = { ...aMe().standings[1], rank: null } as MeAnswer['standings'][number];
    const alone = { tool: 'mine', has_board: false, standings: [] };
    tell(device, aMe({ tools: [alone, { tool: 'claude-code', standings: [standing] }] }));
    expect(await device.line()).toBe('no tokens counted yet | not ranked yet (claude-code, 30d)');

    device.clock.ms += 1;
    tell(device, aMe({ tools: [] }), 'https://other.example.org');
    expect(await device.line()).toContain('rank 12 of 251');
    new Keystore(device.state).erase('https://other.example.org');
    expect(await device.line()).toContain('not ranked yet');
  });

  test('is neutral about damaged files, and exits with 0', async () => {
    const device = aPlace();
    await device.run('scan');
    tell(device, aMe());
    const board = new Keystore(device.state).folderOf(BOARD);
    writeFileSync(join(device.state, 'ledger', 'summary.json'), 'damaged');
    const texts = ['', '{', 'null', '7', '[]', '{"board":1}', '{"board":"x","asked_ms":"1"}'];

    for (const text of texts) {
      writeFileSync(join(board, 'last-standing.json'), text);
      expect(await device.run('statusline')).toEqual({ exit: 0, text: 'no tokens counted yet' });
    }
    rmSync(join(board, 'last-standing.json'));
    mkdirSync(join(board, 'last-standing.json'));
    expect(await device.line()).toBe('no tokens counted yet');
  });

  test.each([
    [['x'], 'statusline does not take "x"'],
    [['--force'], 'statusline takes these options only after install'],
    [['--tool', 'codex'], 'statusline takes these options only after install'],
  ])('rejects %j', async (args, message) => {
    const running = aPlace().run('statusline', ...args);

    await expect(running).rejects.toThrow(Failure);
    await expect(running).rejects.toThrow(message);
  });
});

describe('statusLine()', () => {
  const counted = { at_ms: NOW_MS, is_today: true, tokens: 5, yield: null };
  const standing = { board: BOARD, asked_ms: NOW_MS, window: 'all_time', tool: 'a', total: 2 };

  test('prints no control characters of a board', () => {
    const tool = 'a\u001b]0;x\u0007\nb';
    const status: Status = { counted, standing: { ...standing, tool, rank: 1, change: -1 } };

    expect(statusLine(status, NOW_MS)).toBe(
      '5 tokens today | rank 1 of 2, down 1 (a]0;xb, all time)',
    );
  });

  test('does not show a clock that was set back', () => {
    expect(
      statusLine({ counted: { ...counted, at_ms: NOW_MS + DAY_MS }, standing: null }, NOW_MS),
    ).toBe('5 tokens today');
  });
});
