import { expect, test } from 'vitest';
import { kimiCli } from '#core/readers/kimi-cli.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(kimiCli);

const AT = Date.UTC(2026, 5, 1) / 1000;

function aStep(message_id: string | null, output: number): string {
  const payload = { token_usage: { input_other: 1, output }, message_id };
  return JSON.stringify({ timestamp: AT, message: { type: 'StatusUpdate', payload } });
}

test('identifies a step by its ID or time, and its counts', () => {
  const file = readLines(kimiCli, '/h/.kimi/sessions/w/s/wire.jsonl', [
    aStep('m', 1),
    aStep('m', 2),
    aStep(null, 1),
  ]);

  expect(kimiCli.merge([file]).map(({ key }) => key)).toEqual([
    'm\nunknown\nunknown\n1 1 null null',
    'm\nunknown\nunknown\n1 2 null null',
    `${AT * 1000}\nunknown\nunknown\n1 1 null null`,
  ]);
});

test('does not modify the earlier usage', () => {
  const before = readLines(kimiCli, 's', [aStep('m', 1)]);
  const kept = structuredClone(before);
  readLines(kimiCli, 's', [aStep('n', 1), '{"token_usage"'], before);

  expect(before).toEqual(kept);
});

test('searches the folder in its variable', () => {
  const pathsOf = (env: Record<string, string>) => {
    return kimiCli.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toEqual(['/h/.kimi/sessions']);
  expect(pathsOf({ KIMI_SHARE_DIR: '~/k' })).toEqual(['/h/k/sessions']);
});
