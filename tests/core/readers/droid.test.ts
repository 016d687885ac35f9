import { expect, test } from 'vitest';
import { droid } from '#core/readers/droid.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(droid);

const AT = Date.UTC(2026, 6, 1, 23, 50);

function aMessage(id: string, ms: number): string {
  return JSON.stringify({ type: 'message', id, timestamp: new Date(ms).toISOString() });
}

function settings(outputTokens: number) {
  const text = JSON.stringify({ model: 'm', tokenUsage: { inputTokens: 1, outputTokens } });
  return readLines(droid, '/f/s.settings.json', [text]);
}

test('a session that grows keeps its key until it has lasted longer than a day', () => {
  const first = readLines(droid, '/f/s.jsonl', [aMessage('a', AT)]);
  const sameDay = readLines(droid, '/f/s.jsonl', [aMessage('b', AT + 1)], first);
  const nextDay = readLines(droid, '/f/s.jsonl', [aMessage('c', AT + 900_000)], sameDay);
  const later = readLines(droid, '/f/s.jsonl', [aMessage('d', AT + 900_001)], nextDay);

  expect(droid.merge([settings(2), first])).toMatchObject([{ key: `a\n${AT}`, output: 2 }]);
  expect(droid.merge([settings(5), sameDay])).toMatchObject([{ key: `a\n${AT}`, output: 5 }]);
  expect(droid.merge([settings(9), nextDay])).toEqual([]);
  expect([sameDay, nextDay, later].map(({ skipped }) => skipped)).toEqual([
    {},
    { spans_days: 1 },
    { spans_days: 1 },
  ]);
});

test('does not modify the earlier usage', () => {
  const before = readLines(droid, '/f/s.jsonl', [aMessage('a', AT)]);
  const kept = structuredClone(before);
  readLines(droid, '/f/s.jsonl', [aMessage('b', AT + 9e6), '{"timestamp"'], before);

  expect(before).toEqual(kept);
});

test('searches the folders in its variables', () => {
  const pathsOf = (env: Record<string, string>) => {
    return droid.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toEqual(['/h/.factory/sessions']);
  expect(pathsOf({ FACTORY_DIR: '~/f' })).toEqual(['/h/f/sessions']);
  expect(pathsOf({ FACTORY_DIR: '/f', DROID_SESSIONS_DIR: '/s' })).toEqual(['/s']);
});
