import { expect, test } from 'vitest';
import { zCode } from '#core/readers/zcode.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(zCode);

test('a row counts once, with the tokens that it has at the end', () => {
  const row = {
    table: 'model_usage',
    id: 'usage_1',
    model_id: 'm',
    started_at: Date.UTC(2026, 8, 1),
  };
  const files = [5, 9].map((output_tokens) =>
    readLines(zCode, 'db.sqlite', [JSON.stringify({ ...row, input_tokens: 1, output_tokens })]),
  );

  expect(zCode.merge(files).map(({ key, output }) => [key, output])).toEqual([
    [`${row.started_at}\nusage_1`, 9],
  ]);
});

test('finds the database in its folder, or where a variable says', () => {
  const pathsOf = (env: Record<string, string> = {}) => {
    return zCode.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf()).toEqual(['/h/.zcode/cli/db/db.sqlite']);
  expect(pathsOf({ ZCODE_HOME: '/z' })).toEqual(['/z/cli/db/db.sqlite']);
  expect(pathsOf({ ZCODE_SESSION_DB: '~/s.sqlite' })).toEqual(['/h/s.sqlite']);
  expect(pathsOf({ ZCODE_SESSION_DB: '/a', ZCODE_SESSION_DB_PATH: '/b' })).toEqual(['/b']);
});
