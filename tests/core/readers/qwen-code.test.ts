import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLogFiles } from '#agent/logs/files.ts';
import { qwenCode } from '#core/readers/qwen-code.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

describeLogCases(qwenCode);

const AT = Date.UTC(2026, 4, 1);

function aRequest(id: string, ms: number, outputTokens = 2): string {
  const timestamp = new Date(ms).toISOString();
  const counts = { inputTokens: outputTokens && 1, outputTokens };
  return JSON.stringify({ id, timestamp, localMonth: '2026-06', ...counts });
}

function aMessage(uuid: string, ms: number, candidatesTokenCount = 2): string {
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount };
  const timestamp = new Date(ms).toISOString();
  return JSON.stringify({ type: 'assistant', uuid, timestamp, usageMetadata });
}

function keysOf(...lines: string[]): string[] {
  const files = lines.map((line, at) => readLines(qwenCode, `/${at}.jsonl`, [line]));
  return qwenCode.merge(files).map(({ key }) => key);
}

test('chats count until 26 May 2026, with or without requests', () => {
  const UNTIL = Date.UTC(2026, 4, 27);

  expect(keysOf(aMessage('m', UNTIL - 1), aMessage('n', UNTIL))).toEqual(['m']);
  expect(keysOf(aRequest('r', UNTIL - 9), aMessage('m', UNTIL - 1))).toEqual(['r', 'm']);
  expect(keysOf(aRequest('empty', UNTIL, 0))).toEqual([]);
});

test('a message that grows keeps its key and its first time', () => {
  const file = readLines(qwenCode, 's', [aMessage('m', AT, 2), aMessage('m', AT + 9, 7)]);

  expect(qwenCode.merge([file])).toMatchObject([{ key: 'm', timestampMs: AT, output: 7 }]);
});

test('does not modify the earlier usage', () => {
  const before = readLines(qwenCode, 's', [aMessage('m', AT, 1)]);
  const kept = structuredClone(before);
  readLines(qwenCode, 's', [aMessage('m', AT, 9), '{"usageMetadata"'], before);

  expect(before).toEqual(kept);
});

test('reads months, chats and archived chats', () => {
  const logs = ['usage/token-usage-2026-06.jsonl', 'projects/-w/chats/s.jsonl'].concat(
    'projects/-w/chats/archive/t.jsonl',
  );
  const others = ['usage/usage-events-2026-06.jsonl', 'projects/-w/subagents/s/agent-a.jsonl'];
  const HOME = aFolder(
    Object.fromEntries([...logs, ...others].map((name) => [`.qwen/${name}`, ''])),
  );

  expect(findLogFiles(qwenCode, { HOME }).files).toEqual(
    logs.map((name) => join(HOME, '.qwen', name)).sort(),
  );
});

test('searches the folder for data, else the folder in QWEN_HOME', () => {
  const pathsOf = (env: Record<string, string>) => {
    return qwenCode.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toEqual(['/h/.qwen']);
  expect(pathsOf({ QWEN_HOME: '/q' })).toEqual(['/q']);
  expect(pathsOf({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '~/r' })).toEqual(['/h/r']);
});
