import { expect, test } from 'vitest';
import { kiloCode } from '#core/readers/kilo-code.ts';
import { rooCode } from '#core/readers/roo-code.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(rooCode);
describeLogCases(kiloCode);

const AT = Date.UTC(2026, 6, 1);

function aRequest(ts: number, tokensOut = 2): string {
  const text = JSON.stringify({ tokensIn: 1, tokensOut });
  return JSON.stringify({ type: 'say', say: 'api_req_started', ts, text });
}

function aMessage(ts: number, model: string): string {
  const content = `<name>Code</name>\n<model>${model}</model>`;
  return JSON.stringify({ role: 'user', ts, content });
}

function merged(requests: string[], messages: string[] = []) {
  return rooCode.merge([
    readLines(rooCode, '/tasks/7/ui_messages.json', requests),
    readLines(rooCode, '/tasks/7/api_conversation_history.json', messages),
    readLines(rooCode, '/tasks/8/api_conversation_history.json', [aMessage(AT, 'other')]),
  ]);
}

test('the model is that of the last message before the next request', () => {
  const requests = [aRequest(AT + 20), aRequest(AT), aRequest(AT + 10)];
  const modelsOf = (...messages: string[]) => merged(requests, messages).map(({ model }) => model);

  expect(modelsOf(aMessage(AT + 11, 'b'), aMessage(AT + 1, 'a'))).toEqual(['a', 'b', 'b']);
  expect(modelsOf(aMessage(AT + 21, 'c'), aMessage(AT + 1, 'a'))).toEqual(['a', 'a', 'c']);
  expect(modelsOf(aMessage(AT + 21, 'c'))).toEqual(['c', 'c', 'c']);
  expect(modelsOf()).toEqual(['unknown', 'unknown', 'unknown']);
});

test('a request keeps its key while its counts arrive', () => {
  expect(merged([aRequest(AT, 2), aRequest(AT, 9)])).toMatchObject([
    { key: `7\n${AT}\napi_req_started`, output: 9 },
  ]);
});

test('searches the storage of the extensions, and the folder of the CLI', () => {
  const pathsOf = (reader: typeof rooCode) => {
    return reader.places({ env: {}, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf(rooCode)).toContain(
    '/h/.config/Code/User/globalStorage/zoocodeorganization.zoo-code',
  );
  expect(pathsOf(rooCode).at(-1)).toBe('/h/.vscode-mock/global-storage');
  expect(pathsOf(kiloCode)).toContain('/h/.config/Cursor/User/globalStorage/kilocode.kilo-code');
  expect(pathsOf(kiloCode)).not.toContain('/h');
});
