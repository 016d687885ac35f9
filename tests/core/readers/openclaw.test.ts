import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLogFiles } from '#agent/logs/files.ts';
import { openClaw } from '#core/readers/openclaw.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

describeLogCases(openClaw);

const AT = Date.UTC(2026, 8, 1);

function aMessage(id: string, output: number, at = AT): string {
  const usage = { input: 1, output, cacheRead: 2, cacheWrite: 3 };
  const message = {
    role: 'assistant',
    responseId: id,
    provider: 'p',
    model: 'm',
    usage,
    timestamp: at,
  };
  return JSON.stringify({ type: 'message', message });
}

test('keeps the fullest copy of a response, under its ID and time', () => {
  const files = [
    readLines(openClaw, '/a/s.jsonl', [aMessage('r1', 5), aMessage('', 7)]),
    readLines(openClaw, '/b/openclaw-agent.sqlite', [aMessage('r1', 9), aMessage('r1', 9, AT + 1)]),
  ];

  expect(openClaw.merge(files).map(({ key, output }) => [key, output])).toEqual([
    [`${AT}\nr1`, 9],
    [`${AT}\np\nm\n1 7 3 2`, 7],
    [`${AT + 1}\nr1`, 9],
  ]);
});

test('does not modify the earlier usage', () => {
  const before = readLines(openClaw, 's', [aMessage('r1', 1)]);
  const kept = structuredClone(before);
  readLines(openClaw, 's', [aMessage('r1', 9), '{"usage"'], before);

  expect(before).toEqual(kept);
});

test('reads no files that repeat the messages of a session', () => {
  const sessions = '.openclaw/agents/main/sessions';
  const names = ['s.jsonl', 's.jsonl.reset.1.zst', 'cold/0.jsonl.zst'];
  const others = ['s.trajectory.jsonl', 's.checkpoint.0.jsonl', 'sessions.json', 's.jsonl.lock'];
  const HOME = aFolder(
    Object.fromEntries([...names, ...others].map((name) => [`${sessions}/${name}`, ''])),
  );

  expect(findLogFiles(openClaw, { HOME }).files).toEqual(
    names.map((name) => join(HOME, sessions, name)).sort(),
  );
});

test('searches the folders in its variables', () => {
  const pathsOf = (env: Record<string, string>) => {
    return openClaw.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toContain('/h/.openclaw');
  expect(pathsOf({ OPENCLAW_HOME: '~/o' })).toContain('/h/o/.clawdbot');
  expect(pathsOf({ CLAWDBOT_STATE_DIR: '/c' })).toEqual(['/c']);
  expect(pathsOf({ CLAWDBOT_STATE_DIR: '/c', OPENCLAW_STATE_DIR: '/a,~/b' })).toEqual([
    '/a',
    '/h/b',
  ]);
});
