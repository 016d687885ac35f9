import { expect, test } from 'vitest';
import { goose } from '#core/readers/goose.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(goose);

function aRow(id: number, created_timestamp: number): string {
  const counts = { input_tokens: 1, output_tokens: 2 };
  return JSON.stringify({
    table: 'usage_ledger',
    id,
    session_id: 's',
    created_timestamp,
    ...counts,
  });
}

test('a copy of the database counts once, another database with the same numbers counts', () => {
  const AT = Date.UTC(2026, 7, 1) / 1000;
  const files = [[aRow(1, AT), aRow(2, AT)], [aRow(1, AT)], [aRow(1, AT + 1)]].map((lines, at) =>
    readLines(goose, `/${at}/sessions.db`, lines),
  );

  expect(goose.merge(files).map(({ key }) => key)).toEqual([
    `s 1 ${AT}000`,
    `s 2 ${AT}000`,
    `s 1 ${AT + 1}000`,
  ]);
});

test('finds the database on every platform', () => {
  const pathsOf = (platform: string, env: Record<string, string> = {}) => {
    return goose.places({ env, home: '/h', platform }).map(({ path }) => path);
  };

  expect(pathsOf('linux')).toEqual(['/h/.local/share/goose/sessions/sessions.db']);
  expect(pathsOf('win32', { APPDATA: 'C:/a' })).toContain(
    'C:/a/Block/goose/data/sessions/sessions.db',
  );
  expect(pathsOf('darwin')).toContain(
    '/h/Library/Application Support/Block/goose/sessions/sessions.db',
  );
  expect(pathsOf('darwin', { GOOSE_PATH_ROOT: '/g' })).toEqual(['/g/data/sessions/sessions.db']);
  expect(pathsOf('linux', { GOOSE_PATH_ROOT: 'g' })).toHaveLength(1);
});
