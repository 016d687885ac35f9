import { expect, test } from 'vitest';
import { antigravity } from '#core/readers/antigravity.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';
import { digitsOf, textDigits } from '#tests/support/logs/protobuf.ts';

describeLogCases(antigravity);

const SECONDS = Date.UTC(2026, 5, 1) / 1000;

function aRow(idx: number, id: string): string {
  const usage = digitsOf([[2, 1], [3, 2], ...(id ? ([[11, textDigits(id)]] as const) : [])]);
  const start = digitsOf([[4, digitsOf([[1, SECONDS]])]]);
  const data = digitsOf([
    [
      1,
      digitsOf([
        [4, usage],
        [9, start],
      ]),
    ],
  ]);
  return JSON.stringify({ table: 'gen_metadata', idx, data });
}

test('identifies a response by its ID, else by its row in the conversation', () => {
  const path = '/home/ada/.gemini/antigravity/conversations/c1.db';
  const file = readLines(antigravity, path, [aRow(0, 'r-1'), aRow(1, ''), aRow(2, '')]);

  expect(antigravity.merge([file]).map(({ key }) => key)).toEqual(['r-1', 'c1.db 1', 'c1.db 2']);
});

test('searches the folders of the CLI, the app and the IDE', () => {
  const pathsOf = (env: Record<string, string>) => {
    return antigravity.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toEqual([
    '/h/.gemini/antigravity-cli',
    '/h/.gemini/antigravity',
    '/h/.gemini/antigravity-ide',
  ]);
  expect(pathsOf({ GEMINI_CLI_HOME: '/g' })[0]).toBe('/g/.gemini/antigravity-cli');
});
