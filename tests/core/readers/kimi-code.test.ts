import { expect, test } from 'vitest';
import { kimiCode } from '#core/readers/kimi-code.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(kimiCode);

const time = Date.UTC(2026, 5, 1);
const aRequest = { type: 'llm.request', modelAlias: 'k', model: 'kimi-k4', time };
const aRecord = { type: 'usage.record', model: 'k', usage: { inputOther: 1, output: 2 }, time };

function fileWith(...records: object[]) {
  const lines = records.map((record) => JSON.stringify(record));
  return readLines(kimiCode, '/h/.kimi-code/sessions/w/s/agents/main/wire.jsonl', lines);
}

test('a key does not depend on the request before it', () => {
  const key = `${time}\nk\n1 2 null null`;

  expect(kimiCode.merge([fileWith(aRecord)])).toMatchObject([{ key, model: 'k' }]);
  expect(kimiCode.merge([fileWith(aRequest, aRecord)])).toMatchObject([{ key, model: 'kimi-k4' }]);
});

test('does not modify the earlier usage', () => {
  const before = fileWith(aRequest, aRecord);
  const kept = structuredClone(before);
  readLines(kimiCode, 's', [JSON.stringify({ ...aRequest, model: 'x' }), '{'], before);

  expect(before).toEqual(kept);
});

test('searches the folder in its variable, and that of Kimi Work', () => {
  const pathsOf = (platform: string, env: Record<string, string> = {}) => {
    return kimiCode.places({ env, home: '/h', platform }).map(({ path }) => path);
  };

  expect(pathsOf('linux')).toEqual(['/h/.kimi-code/sessions']);
  expect(pathsOf('win32', { KIMI_CODE_HOME: '/k' })).toEqual(['/k/sessions']);
  expect(pathsOf('darwin')).toEqual([
    '/h/.kimi-code/sessions',
    '/h/Library/Application Support/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home/sessions',
  ]);
});
