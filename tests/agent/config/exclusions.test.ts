/** What excluded tools and folders change: the scan, the ledger, submissions, and nothing on boards. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DoctorReport } from '#agent/device-reports.ts';
import type { LocalDevice } from '#agent/device.ts';
import { withoutFolders } from '#agent/logs/excluded.ts';
import { HANDLERS } from '#agent/mcp/handlers.ts';
import { claudeCode } from '#core/readers/claude-code.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { age } from '#tests/support/logs/log-index.ts';
import { aClaudeLine, aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';

const SECRET = '.claude/projects/secret';

/** An enrolled device with three responses: two of one day in two projects, and one of another tool. */
async function aMachine(ctx: TestContext) {
  const home = aFolder({
    '.claude/projects/open/a.jsonl': `${aClaudeLine({ id: 'open', output: 10 })}\n`,
    [`${SECRET}/b.jsonl`]: `${aClaudeLine({ id: 'secret', output: 1000 })}\n`,
    '.codex/sessions/c.jsonl': [aCodexHead('c', 0), aCodexCount(0, 1, 1)].join('\n'),
  });
  return { home, ...(await anEnrolledDevice(ctx, 'ada', { home })) };
}

async function run(device: LocalDevice, name: string, ...args: string[]) {
  const output = anOutput();
  await runCommand(device, name, [...args, '--json'], output);
  const report = JSON.parse(output.results.join('')) as Record<string, unknown>;
  return { ...report, told: output.notes.join('\n') };
}

const setTo = (device: LocalDevice, key: string, value: string) =>
  run(device, 'config', 'set', key, value);

/** The output tokens of each tool that a scan counts. */
async function scanned(device: LocalDevice, ...args: string[]) {
  const { records } = (await run(device, 'scan', ...args)) as unknown as { records: Counted[] };
  return Object.fromEntries(
    records.map(({ source, telemetry }) => [source.tool, telemetry.output]),
  );
}

interface Counted {
  source: { tool: string };
  telemetry: { output: number };
}

/** The output tokens on the board. */
const onBoard = (ctx: TestContext) =>
  query(ctx, 'SELECT sum(output) AS output FROM buckets').map(
    (row) => (row as { output: number }).output,
  );

const ALL = { 'claude-code': 1010, codex: 1 };

describe('an excluded folder', () => {
  test('is not counted by any command, whether set by flag, variable or file', async () => {
    const { device, home } = await aMachine(testContext());
    const folder = join(home, SECRET);
    const without = { 'claude-code': 10, codex: 1 };

    expect(await scanned(device, '--exclude-folders', folder)).toEqual(without);
    expect(await scanned(device)).toEqual(ALL);
    const environment = { ...device.environment, OPBENCH_EXCLUDE_FOLDERS: folder };
    expect(await scanned({ ...device, environment })).toEqual(without);
    await setTo(device, 'exclude-folders', `~/${SECRET}`);
    expect(await scanned(device)).toEqual(without);
    expect(await scanned(device, '--exclude-folders=')).toEqual(ALL);
    const call = { device, progress: () => undefined };
    const report = await HANDLERS.scan({ days: 90, per: 'day' } as never, call as never);
    expect(JSON.stringify(report)).not.toContain('1010');
  });

  test('takes its responses out of the ledger, and gives them back', async () => {
    const ctx = testContext();
    const { device, home } = await aMachine(ctx);
    await run(device, 'scan');

    await setTo(device, 'exclude-folders', join(home, SECRET));
    const first = await run(device, 'submit');
    const sent = onBoard(ctx);
    await run(device, 'config', 'unset', 'exclude-folders');
    await run(device, 'submit');

    expect(first).toMatchObject({
      notes: [expect.stringContaining('1 response in excluded folders removed')],
    });
    expect(sent).toEqual([11]);
    expect(onBoard(ctx)).toEqual([1011]);
  });

  test('is counted again even if the scan in between was not indexed', async () => {
    const { device, home } = await aMachine(testContext());
    age(home);
    await scanned(device);
    const unsettled = join(home, '.claude/projects/open/z.jsonl');
    writeFileSync(unsettled, '');
    await scanned(device, '--exclude-folders', join(home, SECRET));
    rmSync(unsettled);

    expect(await run(device, 'submit', '--dry-run')).toMatchObject({
      payloads: [{ payload: expect.stringContaining('"output":1010') }],
    });
  });

  test('keeps responses that are also in another log', async () => {
    const { device, home } = await aMachine(testContext());
    const copy = `${aClaudeLine({ id: 'secret', output: 1000 })}\n`;
    writeFileSync(join(home, '.claude/projects/open/copy.jsonl'), copy);
    await run(device, 'scan');

    await setTo(device, 'exclude-folders', join(home, SECRET));

    expect(await scanned(device)).toEqual(ALL);
    expect(await run(device, 'submit', '--dry-run')).toMatchObject({
      payloads: [{ payload: expect.stringContaining('"output":1010') }],
    });
  });

  test('leaves submitted days as they are, until they are withdrawn and sent again', async () => {
    const ctx = testContext();
    const { device, home } = await aMachine(ctx);
    await run(device, 'submit');
    const [{ id = '' } = {}] = query(ctx, 'SELECT id FROM submissions') as { id?: string }[];
    await setTo(device, 'exclude-folders', join(home, SECRET));

    const { told } = await run(device, 'submit');
    const kept = onBoard(ctx);
    await run(device, 'withdraw', id);
    await run(device, 'submit', '--withdrawn');

    expect(told).toContain('opbench withdraw ID, then opbench submit --withdrawn');
    expect(kept).toEqual([1011]);
    expect(onBoard(ctx)).toEqual([11]);
  });

  test('that cannot be read is no problem', () => {
    const found = { roots: ['/logs'], files: 0, stamps: new Map(), reader: claudeCode };
    const unreadable = [
      '/logs/secret: EACCES',
      '/logs/secret/a.jsonl: EACCES',
      '/logs/secrets: EACCES',
    ];

    const { kept } = withoutFolders({ ...found, unreadable }, ['/logs/secret']);

    expect(kept.unreadable).toEqual(['/logs/secrets: EACCES']);
  });
});

describe('an excluded tool', () => {
  test('is neither scanned nor sent, and keeps what the ledger has', async () => {
    const ctx = testContext();
    const { device } = await aMachine(ctx);
    await run(device, 'scan');

    await setTo(device, 'exclude-tools', 'codex');
    expect(await scanned(device)).toEqual({ 'claude-code': 1010 });
    await run(device, 'submit');
    expect(onBoard(ctx)).toEqual([1010]);
    await run(device, 'config', 'unset', 'exclude-tools');
    await run(device, 'submit');

    expect(onBoard(ctx)).toEqual([1011]);
  });

  test('keeps the rules with which its days were submitted, for later corrections', async () => {
    const { device, identity } = await aMachine(testContext());
    await run(device, 'submit');
    const path = join(device.keystore.folderOf(identity.board), 'sent.json');
    const rules = () => (JSON.parse(readFileSync(path, 'utf8')) as { rules: object }).rules;
    const earlier = { ...rules(), codex: 0, 'claude-code': 0 };
    const sent = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...sent, rules: earlier }));
    await setTo(device, 'exclude-tools', 'codex');

    await run(device, 'submit');

    expect(rules()).toEqual({ ...earlier, 'claude-code': claudeCode.rules });
  });

  test('of an unknown name is rejected before anything is sent', async () => {
    const ctx = testContext();
    const { device } = await aMachine(ctx);
    const environment = { ...device.environment, OPBENCH_EXCLUDE_TOOLS: 'cobol' };
    const wrong = { ...device, environment };

    await expect(run(wrong, 'submit')).rejects.toThrow('OPBENCH_EXCLUDE_TOOLS: there is no tool');
    await expect(run(device, 'submit', '--exclude-tools', 'cobol')).rejects.toThrow(
      '--exclude-tools: there is no tool "cobol"',
    );
    expect(await run(wrong, 'auto', 'run')).toMatchObject({ exit: 1 });
    expect(onBoard(ctx)).toEqual([null]);
  });
});

test('doctor shows the settings, and warns of what does not exist', async () => {
  const { device, home } = await aMachine(testContext());
  await setTo(device, 'exclude-tools', 'codex');
  await setTo(device, 'exclude-folders', join(home, 'nowhere'));
  await setTo(device, 'board', 'https://other.test');
  await run(device, 'scan', '--exclude-tools=');

  const report = DoctorReport.strip().parse(await run(device, 'doctor', '--offline'));

  expect(report.config).toMatchObject({
    exists: true,
    settings: [{ values: ['https://other.test'], source: 'file' }, { source: null }, {}, {}],
  });
  expect(report.ledger.only_here).toEqual({ responses: 0, tokens: 0 });
  expect(report.findings.map(({ text }) => text)).toEqual([
    `The excluded folder ${join(home, 'nowhere')} does not exist`,
    'This device is not enrolled on the default board https://other.test',
  ]);
});
