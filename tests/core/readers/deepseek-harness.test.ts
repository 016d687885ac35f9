import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLogFiles } from '#agent/logs/files.ts';
import { deepSeekHarness } from '#core/readers/deepseek-harness.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

describeLogCases(deepSeekHarness);

const AT = Date.UTC(2026, 8, 1);

function anEvent(type: string, id: string, outputTokens: number): string {
  const usage = { inputTokens: 1, outputTokens, cacheReadTokens: 2, cacheWriteTokens: 3 };
  const source = { provider: 'p', model: 'm' };
  const data = { message: { id, source }, compactionId: id, usage };
  return JSON.stringify({ type, time: AT, data });
}

const aMessage = (id: string, output: number) => anEvent('assistant/message', id, output);

test('keeps the fullest copy of a response, under its type and ID', () => {
  const files = [
    readLines(deepSeekHarness, '/a/session.jsonl', [aMessage('1', 5), aMessage('', 7)]),
    readLines(deepSeekHarness, '/a/session.v4.jsonl', [
      aMessage('1', 9),
      anEvent('compaction/summary', '1', 9),
    ]),
  ];

  expect(deepSeekHarness.merge(files).map(({ key, output }) => [key, output])).toEqual([
    ['assistant/message 1', 9],
    [`${AT}\np\nm\n1 7 3 2`, 7],
    ['compaction/summary 1', 9],
  ]);
});

test('does not modify the earlier usage', () => {
  const before = readLines(deepSeekHarness, 's', [aMessage('1', 1)]);
  const kept = structuredClone(before);
  readLines(deepSeekHarness, 's', [aMessage('1', 9), '{"assistant/message"'], before);

  expect(before).toEqual(kept);
});

test('reads sessions of all formats', () => {
  const session = '.dsh/sessions/--w--/s1';
  const names = ['session.jsonl.zstd', 'session.v3.jsonl', 'session.v4.jsonl.zstd'];
  const others = ['session.lock', 'notes.jsonl', 'blobs/session.jsonl'];
  const HOME = aFolder(
    Object.fromEntries([...names, ...others].map((name) => [`${session}/${name}`, ''])),
  );

  expect(findLogFiles(deepSeekHarness, { HOME }).files).toEqual(
    names.map((name) => join(HOME, session, name)).sort(),
  );
});

test('searches the folder in its variable', () => {
  const pathsOf = (env: Record<string, string>) => {
    return deepSeekHarness.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toEqual(['/h/.dsh/sessions']);
  expect(pathsOf({ DSH_HOME: '~/d' })).toEqual(['/h/d/sessions']);
});
