import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LogIndex } from '#agent/logs/log-index.ts';
import { scanLogs } from '#agent/logs/scan.ts';
import { claudeCode } from '#core/readers/claude-code.ts';
import { readers } from '#core/readers/readers.ts';
import { type LogCase, logCases } from '#tests/support/logs/log-fixtures.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { layOut } from '#tests/support/logs/log-home.ts';
import { age, filesIn, indexOf, sumsOf, truthOf } from '#tests/support/logs/log-index.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const cases = readers.flatMap(({ tool }) => logCases(tool));

/** A home folder with transcripts that are one hour old. */
function aHome(files: Readonly<Record<string, string>>) {
  const logs = Object.entries(files).map(([name, text]) => [`.claude/projects/p/${name}`, text]);
  const HOME = aFolder(Object.fromEntries(logs));
  age(HOME);
  return { env: { HOME }, pathOf: (name: string) => join(HOME, '.claude/projects/p', name) };
}

function lines(...outputs: number[]): string {
  return outputs.map((output) => `${aClaudeLine({ id: `msg_${output}`, output })}\n`).join('');
}

async function outputsOf(env: { HOME: string }) {
  const { buckets } = await scanLogs(env);
  return buckets.map(({ output }) => output);
}

describe('the logs of every case give the same result', () => {
  const expectCase = async (of: LogCase, env: { HOME?: string }) => {
    const { buckets, sources } = await sumsOf(env);
    const source = sources.find(({ tool }) => tool === of.tool);

    expect(buckets).toEqual(of.buckets);
    expect(source).toMatchObject({ skipped: of.skipped, unreadable: [] });
  };

  test.each(cases)('$tool $name: cold, warm, and from entries alone', async (of) => {
    const env = layOut(of);
    age(env.HOME ?? '');
    await expectCase(of, env);
    await expectCase(of, env);

    rmSync(join(indexOf(env), `${of.tool}-sums.json`));
    await expectCase(of, env);
  });

  test.each(cases)('$tool $name: appended in chunks', async (of) => {
    const env = layOut(of);
    const logs = filesIn(env.HOME ?? '').filter((path) => path.endsWith('.jsonl'));
    const texts = logs.map((path) => readFileSync(path));
    for (const path of logs) truncateSync(path);
    for (const part of [0, 1, 2]) {
      for (const [index, text] of texts.entries()) {
        const [from, to] = [part, part + 1].map((at) => Math.floor((text.length * at) / 3));
        appendFileSync(logs[index] ?? '', text.subarray(from, to));
      }
      await sumsOf(env);
    }

    await expectCase(of, env);
  });
});

describe('the index of logs', () => {
  test('contains counts and IDs, readable by its owner only, and no text', async () => {
    const content = [{ type: 'text', text: 'a secret' }];
    const { env } = aHome({ 'a.jsonl': `${aClaudeLine({ content })}\n` });
    await sumsOf(env);
    const files = filesIn(indexOf(env));

    expectMode(indexOf(env), 0o700);
    expect(files).toHaveLength(2);
    files.forEach((path) => expectMode(path, 0o600));
    expect(files.map((path) => readFileSync(path, 'utf8')).join('')).toContain('msg_a');
    expect(files.map((path) => readFileSync(path, 'utf8')).join('')).not.toContain('secret');
  });

  test('is not saved without logs', async () => {
    const { env } = aHome({});
    await sumsOf(env);

    expect(existsSync(indexOf(env))).toBe(false);
  });

  test('counts a complete last line without a line end, and only once when that is written', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1) + lines(20).trim() });

    expect(await outputsOf(env)).toEqual([21]);
    expect(await outputsOf(env)).toEqual([21]);
    appendFileSync(pathOf('a.jsonl'), `\n${lines(300)}`);
    expect(await outputsOf(env)).toEqual([321]);
  });

  test('counts a damaged last line once as well', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1) + aClaudeLine({ output: -1 }) });
    const skipped = async () => (await scanLogs(env)).sources[0]?.skipped;

    expect(await skipped()).toEqual({ count: 1 });
    appendFileSync(pathOf('a.jsonl'), '\n');
    expect(await skipped()).toEqual({ count: 1 });
  });

  test('does not trust the stamp of a log that was just written', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1) });
    writeFileSync(pathOf('a.jsonl'), lines(2));
    await sumsOf(env);
    expect(existsSync(join(indexOf(env), 'claude-code-sums.json'))).toBe(false);

    age(env.HOME);
    await sumsOf(env);
    expect(existsSync(join(indexOf(env), 'claude-code-sums.json'))).toBe(true);
  });

  test('continues after the earlier end if the log is unchanged before', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1, 20) });
    await sumsOf(env);
    // If the beginning were read again, this would be noticed.
    const text = readFileSync(pathOf('a.jsonl'), 'utf8').replace(
      '"output_tokens":1',
      '"output_tokens":7',
    );
    const padding = `${'x'.repeat(9000)}\n`;
    writeFileSync(pathOf('a.jsonl'), lines(1, 20) + padding);
    age(env.HOME);
    await sumsOf(env);
    writeFileSync(pathOf('a.jsonl'), text + padding + lines(300));

    expect(await outputsOf(env)).toEqual([321]);
  });

  test.each([
    ['shorter', lines(5)],
    ['as long', lines(6, 7)],
    ['longer, with another beginning', lines(6, 7, 300)],
    ['empty', ''],
  ])('reads an overwritten log again that is now %s', async (_, text) => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1, 2) });
    await sumsOf(env);
    writeFileSync(pathOf('a.jsonl'), text);

    expect(await sumsOf(env)).toEqual(await truthOf(env));
  });

  test('reads a log again that was overwritten twice at the same time', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1, 2) });
    for (const output of [3, 4, 5, 6, 7, 8]) {
      writeFileSync(pathOf('a.jsonl'), lines(1, output));

      expect(await outputsOf(env)).toEqual([1 + output]);
    }
  });

  test('reads a log again that replaced one with the same size and time', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1, 2) });
    await sumsOf(env);
    const { atime, mtime } = statSync(pathOf('a.jsonl'));
    writeFileSync(pathOf('b'), lines(1, 5));
    utimesSync(pathOf('b'), atime, mtime);
    renameSync(pathOf('b'), pathOf('a.jsonl'));

    expect(await outputsOf(env)).toEqual([6]);
  });

  test('reads a grown log again if its time went back', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': `${lines(1)}${'x'.repeat(9000)}\n` });
    await sumsOf(env);
    writeFileSync(pathOf('a.jsonl'), `${lines(7)}${'x'.repeat(9000)}\n${lines(20)}`);
    utimesSync(pathOf('a.jsonl'), 1_700_000_000, 1_700_000_000);

    expect(await outputsOf(env)).toEqual([27]);
  });

  test('forgets a deleted log, and recognizes a moved one', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1), 'b.jsonl': lines(20) });
    await sumsOf(env);
    rmSync(pathOf('a.jsonl'));
    expect(await outputsOf(env)).toEqual([20]);
    renameSync(pathOf('b.jsonl'), pathOf('c.jsonl'));
    expect(await outputsOf(env)).toEqual([20]);

    rmSync(pathOf('c.jsonl'));
    expect(await outputsOf(env)).toEqual([]);
    expect(filesIn(indexOf(env)).filter((path) => path.endsWith('-entries.json'))).toEqual([]);
  });

  test('does not remember that a log is unreadable', async () => {
    const HOME = aFolder({ '.codex/sessions/a.jsonl.zst': 'damaged' });
    age(HOME);
    const unreadable = async () => (await scanLogs({ HOME })).sources[1]?.unreadable;

    expect(await unreadable()).toHaveLength(1);
    expect(await unreadable()).toHaveLength(1);
    expect(existsSync(join(indexOf({ HOME }), 'codex-sums.json'))).toBe(false);
  });

  test('leaves out the largest count if a new log makes the total too large', async () => {
    const huge = 200_000_000_000_000;
    const { env, pathOf } = aHome({ 'a.jsonl': lines(huge, 1), 'b.jsonl': lines(20) });
    await sumsOf(env);
    writeFileSync(pathOf('c.jsonl'), lines(huge + 1, 300));
    const { buckets, sources } = await sumsOf(env);

    expect(buckets).toMatchObject([{ output: huge + 321 }]);
    expect(sources[0]).toMatchObject({ events: 4, skipped: { too_much: 1 } });
    rmSync(pathOf('a.jsonl'));
    expect(await outputsOf(env)).toEqual([huge + 321]);
  });

  test('merges a log again that shares a response with a changed one', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1), 'b.jsonl': lines(20) });
    await sumsOf(env);
    const better = aClaudeLine({ id: 'msg_20', output: 25, session: 'other' });
    writeFileSync(pathOf('c.jsonl'), `${better}\n`);
    expect(await outputsOf(env)).toEqual([26]);
    age(env.HOME);
    expect(await outputsOf(env)).toEqual([26]);

    rmSync(pathOf('c.jsonl'));
    expect(await outputsOf(env)).toEqual([21]);
  });

  test('reads a database again if only its write-ahead log has changed', async () => {
    const HOME = aFolder({ '.local/share/opencode/x': '' });
    const database = new DatabaseSync(join(HOME, '.local/share/opencode/opencode.db'));
    onTestFinished(() => database.close());
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE message (id TEXT, data TEXT)');
    const told = (created: number) => {
      const tokens = { input: 1, output: created, reasoning: 0, cache: { read: 0, write: 0 } };
      const time = { created: Date.UTC(2026, 2, 2) + created };
      const data = { role: 'assistant', modelID: 'm', providerID: 'p', time, tokens };
      const row = [`msg_${created}`, JSON.stringify(data)];
      database.prepare('INSERT INTO message VALUES (?, ?)').run(...row);
    };
    told(1);
    age(HOME);
    expect(await outputsOf({ HOME })).toEqual([1]);

    told(20);
    expect(await outputsOf({ HOME })).toEqual([21]);
    expect(await outputsOf({ HOME })).toEqual([21]);
  });

  test('is not used with other counting rules', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1) });
    await sumsOf(env);
    const index = new LogIndex(indexOf(env));
    const others = { ...claudeCode, rules: claudeCode.rules + 1 };
    const paths = [pathOf('a.jsonl')];

    expect(index.logs(claudeCode).entries.map(({ path }) => path)).toEqual(paths);
    expect(index.logs(others).entries).toEqual([]);
  });

  test.each([
    ['empty', () => ''],
    ['torn', (text: string) => text.slice(0, -3)],
    ['harmed', (text: string) => text.replace(/\d(?=\D*$)/, (digit) => String(9 - Number(digit)))],
    ['foreign', () => '{"logs":[]}\n'],
    ['of a newer form', (text: string) => text.replace('opbench-logs 2', 'opbench-logs 3')],
  ])('is rebuilt if one of its files is %s', async (_, spoil) => {
    const { env } = aHome({ 'a.jsonl': lines(1), 'b.jsonl': lines(20) });
    await sumsOf(env);
    const files = filesIn(indexOf(env)).map((path) => [path, readFileSync(path, 'utf8')] as const);
    for (const [path, text] of files) writeFileSync(path, spoil(text));

    expect(await scanLogs(env)).toMatchObject({ buckets: [{ output: 21 }], notes: [] });
    expect(files.map(([path]) => statSync(path).size)).toEqual(
      files.map(([, text]) => text.length),
    );
  });

  test('removes temporary files of interrupted processes', async () => {
    const { env } = aHome({ 'a.jsonl': lines(1) });
    mkdirSync(indexOf(env), { recursive: true });
    const [old, fresh] = ['claude-code-clusters.json', 'claude-code-sums.json.9.tmp'].map((name) =>
      join(indexOf(env), name),
    );
    writeFileSync(old ?? '', 'torn');
    utimesSync(old ?? '', 1_700_000_000, 1_700_000_000);
    writeFileSync(fresh ?? '', 'of another process');
    await sumsOf(env);

    expect([old, fresh].map((path) => existsSync(path ?? ''))).toEqual([false, true]);
  });

  test('only makes scans slower if it cannot be saved, and says so once', async () => {
    const { env, pathOf } = aHome({ 'a.jsonl': lines(1), 'b.jsonl': lines(20) });
    mkdirSync(dirname(indexOf(env)), { recursive: true });
    writeFileSync(indexOf(env), 'in the way');
    const { buckets, notes } = await scanLogs(env);

    expect(buckets).toMatchObject([{ output: 21 }]);
    expect(notes).toEqual([expect.stringContaining('log index cannot be saved')]);
    expect(existsSync(pathOf('a.jsonl'))).toBe(true);
  });
});
