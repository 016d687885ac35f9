import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copilotCli } from '#core/readers/copilot-cli.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(copilotCli, ['store', 'store-begins', 'store-fork', 'store-nameless']);

/** The end of a session with the totals of each model so far; `at` in minutes. */
function anEnd(at: number, totals: Record<string, number>): string {
  const modelMetrics = Object.fromEntries(
    Object.entries(totals).map(([model, total]) => [model, { usage: countsOf(total) }]),
  );
  const timestamp = new Date(Date.UTC(2026, 2, 2) + at * 60_000).toISOString();
  return JSON.stringify({
    type: 'session.shutdown',
    id: `e${at}`,
    timestamp,
    data: { modelMetrics },
  });
}

function countsOf(total: number) {
  return { inputTokens: 10 * total, outputTokens: total, cacheReadTokens: 6 * total };
}

function outputsOf(files: readonly ReturnType<typeof readLines>[]): number {
  const events = copilotCli.merge(files as never);
  return events.reduce((sum, { output }) => sum + output, 0);
}

describe('copilotCli.merge()', () => {
  test('gives the last totals of a session that continues counting, for any number of copies', () => {
    const steps = fc.array(fc.record({ a: fc.nat(50), b: fc.nat(50) }), {
      minLength: 1,
      maxLength: 6,
    });
    const scene = steps
      .map((grown) => {
        let [a, b] = [0, 0];
        const lines = grown.map((step, at) => anEnd(at, { a: (a += step.a), b: (b += step.b) }));
        return { lines, total: a + b };
      })
      .chain(({ lines, total }) =>
        fc.record({
          total: fc.constant(total),
          files: fc
            .array(fc.shuffledSubarray(lines), { maxLength: 3 })
            .chain((copies) =>
              fc.shuffledSubarray([lines, ...copies], { minLength: 1 + copies.length }),
            ),
        }),
      );

    fc.assert(
      fc.property(scene, ({ total, files }) => {
        expect(outputsOf(files.map((lines) => readLines(copilotCli, 's1', lines)))).toBe(total);
      }),
    );
  });

  test('adds up totals that start from zero each time', () => {
    const totals = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(totals, (outputs) => {
        const falling = [...outputs]
          .sort((a, b) => b - a)
          .filter((one, at, all) => one !== all[at - 1]);
        const lines = falling.map((output, at) => anEnd(at, { a: output }));

        expect(outputsOf([readLines(copilotCli, 's1', lines)])).toBe(
          falling.reduce((sum, output) => sum + output, 0),
        );
      }),
    );
  });
});

describe('the keys of copilot-cli', () => {
  const keysOf = (...files: ReturnType<typeof readLines>[]) => {
    return copilotCli.merge(files as never).map(({ key }) => key);
  };

  test('consist of an end of a session and a model', () => {
    const lines = [anEnd(0, { a: 1 }), anEnd(1, { a: 3, b: 1 })];

    expect(keysOf(readLines(copilotCli, 's', lines))).toEqual(['e0\na', 'e1\na', 'e1\nb']);
  });

  test('do not contain the folder of a session without an ID', () => {
    const line = JSON.stringify({ ...JSON.parse(anEnd(0, { 'x/a': 1 })), id: undefined });
    const [here, there] = ['/home/ada/s1/events.jsonl', '/home/eve/s2/events.jsonl'].map((path) => {
      return keysOf(readLines(copilotCli, path, [line]));
    });

    expect(here).toHaveLength(1);
    expect(there).toEqual(here);
  });
});

describe('copilotCli.open()', () => {
  test('does not modify the earlier usage', () => {
    const before = readLines(copilotCli, 's', [anEnd(0, { a: 1 })]);
    const kept = structuredClone(before);
    readLines(copilotCli, 's', [anEnd(1, { a: 2 }), '{"session.start"'], before);

    expect(before).toEqual(kept);
  });
});

test('a request has a key of its time, model and counts', () => {
  const row = { table: 'assistant_usage_events', session_id: 's', model: 'm', input_tokens: 9 };
  const lines = ['2026-06-01 10:00:00', '2026-06-01T10:00:01.500Z'].map((created_at) =>
    JSON.stringify({ ...row, output_tokens: 1, cache_read_tokens: 4, created_at }),
  );
  const file = readLines(copilotCli, '/home/ada/.copilot/session-store.db', lines);

  expect(copilotCli.merge([file]).map(({ key }) => key)).toEqual([
    `${Date.UTC(2026, 5, 1, 10)}\ngithub-copilot\nm\n5 1 null 4`,
    `${Date.UTC(2026, 5, 1, 10, 0, 1, 500)}\ngithub-copilot\nm\n5 1 null 4`,
  ]);
});
