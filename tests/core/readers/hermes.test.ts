import { expect, test } from 'vitest';
import { hermes } from '#core/readers/hermes.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(hermes);

const AT = Date.UTC(2026, 5, 1) / 1000;

const aSession = { table: 'sessions', id: 's', model: 'm', started_at: AT, ended_at: AT + 9 };
const counts = { input_tokens: 1, output_tokens: 2 };
const aRow = { table: 'session_model_usage', session_id: 's', model: 'm', task: '' };

function keysOf(...rows: object[]): string[] {
  const file = readLines(
    hermes,
    '/home/ada/.hermes/state.db',
    rows.map((row) => JSON.stringify(row)),
  );
  return hermes.merge([file]).map(({ key }) => key);
}

test('a total keeps its key when it moves to the newer table', () => {
  const whole = { ...aSession, ...counts, billing_provider: 'p', billing_mode: null };
  const row = { ...aRow, ...counts, billing_provider: 'p', first_seen: AT, last_seen: AT + 9 };

  expect(keysOf(whole)).toEqual(['s\nm\np\n\n\n']);
  expect(keysOf(whole, row)).toEqual(keysOf(whole));
});

test('a row belongs to its session in any order', () => {
  const row = { ...aRow, ...counts, first_seen: AT, last_seen: AT };
  const ended = { ...aSession, ended_at: AT + 999_999 };

  expect(keysOf(row, ended)).toEqual([]);
  expect(keysOf(row, aSession)).toHaveLength(1);
});

test('searches the folder of the platform, or the folder in HERMES_HOME', () => {
  const at = { home: '/h', platform: 'win32' };
  const pathsOf = (env: Record<string, string>) => {
    return hermes.places({ ...at, env }).map(({ path }) => path);
  };

  expect(pathsOf({ LOCALAPPDATA: 'C:/l' })).toEqual(['C:/l/hermes', '/h/.hermes']);
  expect(pathsOf({ LOCALAPPDATA: 'C:/l', HERMES_HOME: '/x' })).toEqual(['/x']);
});
