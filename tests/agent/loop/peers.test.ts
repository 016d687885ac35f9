import { describe, expect, test } from 'vitest';
import { type LocalDevice, boardMeant, identityOf } from '#agent/device.ts';
import { submit } from '#agent/loop/submit.ts';
import { aDeviceOf, anOutput, changing, runCommand, sendable } from '#tests/support/agent/agent.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { BASE_URL, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';

/** A board with four ranked operators and a newcomer. */
function aBoard(): TestContext {
  const ctx = testContext();
  const ranked = { ada: 2000, grace: 700, joan: 2100, mary: 600 };
  for (const [codename, input] of Object.entries(ranked)) {
    anActive(ctx, codename, bucketsOfDays(20, '2026-02-10', { input }));
  }
  anActive(ctx, 'newcomer', bucketsOfDays(3, '2026-03-01'));
  publish(ctx);
  return ctx;
}

async function run(device: LocalDevice, ...[name = '', ...args]: string[]) {
  const output = { ...anOutput(), strong: (text: string) => `*${text}*` };
  const exitCode = await runCommand(device, name, args, output);
  return { exitCode, text: output.results.join('\n'), notes: output.notes.join('\n') };
}

function tooWide(text: string): string[] {
  return text.split('\n').filter((line) => line.length > 80);
}

describe('opbench peers', () => {
  test('shows three groups in 80 columns, and where the difference comes from', async () => {
    const { device } = await anEnrolledDevice(aBoard(), 'ada');

    const { exitCode, text } = await run(device, 'peers');

    expect(exitCode).toBe(0);
    expect(text.split('\n').slice(0, 6)).toEqual([
      `ada on ${BASE_URL}: class falls, 90 days to 2026-03-10`,
      '',
      expect.stringMatching(/^Mentors: /),
      '  rank  codename  class      yield  reads  output  input  tools',
      '     2  grace     cataract  20,408     x1      x1  x8.14  claude-code',
      '     1  mary      cataract  27,778     x1      x1  x11.1  claude-code',
    ]);
    expect(text).toMatch(/^Your class/m);
    expect(text).toContain('     4  joan      falls  2,268');
    expect(text).toMatch(/weaker: leverage \(your rank: 3 of 4\)$/m);
    expect(tooWide(text)).toEqual([]);
  });

  test('says what is missing to be ranked', async () => {
    const { device } = await anEnrolledDevice(aBoard(), 'newcomer');

    const { text } = await run(device, 'peers');

    expect(text).toMatch(/ranked by yield over 90 days\. Missing:$/m);
    expect(text).toContain('  11 more active days (3 of 14)');
  });

  test('says that the board was not updated since the last submission, and when it will be', async () => {
    const ctx = aBoard();
    const { device, identity } = await anEnrolledDevice(ctx, 'newcomer');
    const before = await run(device, 'peers');
    ctx.clock.nowMs += 60_000;
    const days = bucketsOfDays(14, '2026-02-20');
    await submit(device, identity, sendable(days));

    const { text } = await run(device, 'peers');
    const { text: json } = await run(device, 'peers', '--json');

    expect(before.text).not.toContain('last submission');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /not been updated since your last submission .*last update: \S+ \S+ UTC.*next update: \S+ \S+ UTC/,
    );
    expect(tooWide(text)).toEqual([]);
    const [board] = (JSON.parse(json) as { boards: Record<string, string>[] }).boards;
    expect(board?.['counts_from']).toBe(board?.['next_refresh_at']);
  });

  test('--json is the response, with untrusted members listed, and --limit applies', async () => {
    const { device } = await anEnrolledDevice(aBoard(), 'ada');

    const { text } = await run(device, 'peers', '--json', '--limit', '1');

    expect(JSON.parse(text)).toMatchObject({
      boards: [
        {
          board: BASE_URL,
          untrusted: ['codename', 'display_name', 'tools', 'shared_tools'],
          codename: 'ada',
          mentors: { entries: [{ codename: 'grace' }] },
        },
      ],
      failures: [],
    });
  });

  test.each(['0', '21', 'x', '1e1'])('rejects --limit %s', async (limit) => {
    const device = aDeviceOf(testContext());

    await expect(run(device, 'peers', '--limit', limit)).rejects.toMatchObject({ exitCode: 1 });
  });

  test('adds texts for codes of an earlier board', async () => {
    const ctx = aBoard();
    const early = changing(ctx, '/peers', async (answer) => {
      const told = JSON.stringify(await answer.json(), (name, value: unknown) =>
        name === 'detail' ? undefined : value,
      );
      return new Response(told, { headers: { 'Content-Type': 'application/json' } });
    });
    const { device } = await anEnrolledDevice(ctx, 'newcomer', { fetch: early });

    const { text } = await run(device, 'peers', '--json');

    expect(JSON.parse(text)).toMatchObject({
      boards: [
        {
          reasons: [{ detail: '3 of 14 active days' }, {}, {}],
          mentors: { empty_because: 'not_ranked', detail: expect.any(String) as string },
        },
      ],
    });
  });

  test('ignores additional members, and rejects other responses', async () => {
    const ctx = aBoard();
    const more = changing(ctx, '/peers', async (answer) => {
      const { mentors, ...rest } = (await answer.json()) as { mentors: { entries: object[] } };
      const entries = mentors.entries.map((entry) => ({ ...entry, mood: 'good' }));
      return Response.json({ ...rest, mentors: { ...mentors, entries }, weather: 'fine' });
    });
    const { device } = await anEnrolledDevice(ctx, 'ada', { fetch: more });
    const told = JSON.parse((await run(device, 'peers', '--json')).text) as { boards: object[] };
    expect(told.boards[0]).not.toHaveProperty('weather');
    expect(JSON.stringify(told)).not.toContain('mood');

    const other = changing(ctx, '/peers', () => Response.json({ mentors: [] }));
    const { device: lost } = await anEnrolledDevice(ctx, 'joan', { fetch: other });
    expect(await run(lost, 'peers')).toMatchObject({
      exitCode: 4,
      notes: expect.stringContaining('did not answer like an Opbench board'),
    });
  });
});

describe('opbench board', () => {
  test('shows the top, marks your row, and says how to choose a tool', async () => {
    const mixed = aBoard();
    anActive(mixed, 'edith', bucketsOfDays(20, '2026-02-10', { tool: 'codex', input: 900 }));
    anActive(mixed, 'klara', bucketsOfDays(20, '2026-02-10', { tool: 'codex', input: 950 }));
    publish(mixed);
    const { device } = await anEnrolledDevice(mixed, 'ada');

    const { exitCode, text, notes } = await run(device, 'board');

    expect(exitCode).toBe(0);
    expect(text.split('\n').slice(0, 3)).toEqual([
      `${BASE_URL}: 6 ranked by yield, 30d to 2026-03-10`,
      '  rank  range  codename   yield     95% interval  class     trust',
      '     1    1–4  mary      27,778  8,859 to 87,100  cataract  signed',
    ]);
    expect(text).toContain('*>    5    3–6  ada');
    expect(notes).toMatch(/--tool NAME \(claude-code, codex\)/);
    expect(tooWide(text)).toEqual([]);
  });

  test('says how to see your rank if your row is further down', async () => {
    const { device } = await anEnrolledDevice(aBoard(), 'joan');

    const { text, notes } = await run(device, 'board', '--limit', '2', '--metric', 'velocity');

    expect(text.split('\n')).toHaveLength(4);
    expect(notes).toMatch(/joan is not among these.*opbench status/);
    const { text: json } = await run(device, 'board', '--limit', '2', '--json');
    expect(JSON.parse(json)).toMatchObject({
      board: BASE_URL,
      codename: 'joan',
      answer: { entries: [{ codename: 'mary' }, { codename: 'grace' }], total: 4 },
    });
  });

  test('makes control characters of a board harmless', async () => {
    const ctx = aBoard();
    const odd = changing(ctx, 'limit=20', async (answer) => {
      const text = await answer.text();
      return new Response(
        text.replaceAll('mary', 'ma\\u001b[2Jry').replaceAll('signed', '\\u009b'),
      );
    });
    const { device } = await anEnrolledDevice(ctx, 'ada', { fetch: odd });

    const { text } = await run(device, 'board');

    expect(text).toContain('ma[2Jry');
    expect(/\p{Cc}/u.test(text.replaceAll('\n', ''))).toBe(false);
  });

  test.each([
    ['--window', '1y'],
    ['--metric', 'luck'],
    ['--limit', '101'],
  ])('rejects %s %s', async (option, value) => {
    const device = aDeviceOf(testContext());

    await expect(run(device, 'board', option, value)).rejects.toMatchObject({ exitCode: 1 });
  });

  test('uses the only board, else the one of the program, else fails', async () => {
    const { device, identity } = await anEnrolledDevice(testContext(), 'ada');
    const home = 'https://home.test';
    expect(boardMeant(device, home)).toBe(BASE_URL);

    device.keystore.save({ ...identity, board: 'https://other.test' });
    expect(boardMeant(device, home)).toBe(home);
    expect(() => boardMeant(device, null)).toThrow('which board you mean');
    expect(() => identityOf(device, undefined, home)).toThrow('which board you mean');
    expect(identityOf(device, undefined, BASE_URL)).toMatchObject({ board: BASE_URL });

    device.keystore.erase(BASE_URL);
    device.keystore.erase('https://other.test');
    expect(boardMeant(device, home)).toBe(home);
    expect(() => boardMeant(device, null)).toThrow('which board you mean');
  });
});
