import { describe, expect, test } from 'vitest';
import { geminiCli } from '#core/readers/gemini-cli.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines, totalsOf } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(geminiCli);

function aMessage(tokens: object): string {
  return JSON.stringify({
    id: 'm1',
    timestamp: '2026-03-02T09:00:00.000Z',
    type: 'gemini',
    model: 'gemini-3-pro',
    tokens,
  });
}

test('keys of a session without an ID contain its file name and no folder', () => {
  const keysAt = (path: string) => {
    const lines = [aMessage({ input: 1, output: 1 })];
    return geminiCli.merge([readLines(geminiCli, path, lines)]).map(({ key }) => key);
  };

  expect(keysAt('/home/ada/s.json')).toEqual(keysAt('C:\\Users\\ada\\s.json'));
  expect(keysAt('/home/ada/s.json')).not.toEqual(keysAt('/home/ada/t.json'));
});

describe('geminiCli.open()', () => {
  test.each([
    [{ input: 100, output: 5, cached: 60, thoughts: 2, tool: 3, total: 110 }, 43, 60],
    [{ input: 100, output: 5, cached: 60, thoughts: 2, tool: 3, total: 170 }, 103, 60],
    [{ input: 100, output: 5, cached: 60, thoughts: 2, tool: 3, total: 0 }, 43, 60],
    [{ input: 100, output: 5, cached: 60, thoughts: 2, tool: 3 }, 43, 60],
    [{ input: 100, output: 5, cached: 0, thoughts: 2, tool: 3, total: 110 }, 103, 0],
    [{ input: 60, output: 5, cached: 100, thoughts: 2, tool: 3, total: 170 }, 63, 100],
  ])('%j: input %i, read from the cache %i', (tokens, input, cache_read) => {
    const { buckets } = totalsOf(geminiCli, [readLines(geminiCli, 'f', [aMessage(tokens)])]);

    expect(buckets).toMatchObject([{ input, cache_read, output: 7, cache_write: null }]);
  });

  test('does not modify the earlier usage', () => {
    const before = readLines(geminiCli, 'f', [aMessage({ input: 1, output: 1 })]);
    const kept = structuredClone(before);
    readLines(geminiCli, 'f', [aMessage({ input: 1, output: 9 }), '{"tokens"'], before);

    expect(before).toEqual(kept);
  });
});
