import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openCode } from '#core/readers/opencode.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines, totalsOf } from '#tests/support/logs/log-fixtures.ts';

// A copy has another ID, which is the key if the message with the smallest ID is gone.
describeLogCases(openCode, ['unreported']);

function aMessage(id: string, { at, output }: { at: number; output: number }): string {
  return JSON.stringify({
    id,
    role: 'assistant',
    time: { created: Date.UTC(2026, 2, 2) + at, completed: Date.UTC(2026, 2, 2) + at + 9 },
    modelID: 'gpt-6',
    providerID: 'openai',
    tokens: { input: 1, output, reasoning: 0, cache: { read: 2, write: 3 } },
  });
}

describe('openCode.merge()', () => {
  test('counts each message once, for any copies and IDs', () => {
    const message = fc.record({ output: fc.integer({ min: 1, max: 999 }), forks: fc.nat(3) });
    const scene = fc.array(message, { minLength: 1, maxLength: 6 }).chain((messages) => {
      const lines = messages.flatMap(({ output, forks }, at) =>
        Array.from({ length: 1 + forks }, (_, fork) =>
          aMessage(`msg_${fork}_${at}`, { at, output }),
        ),
      );
      return fc.record({
        total: fc.constant(messages.reduce((sum, { output }) => sum + output, 0)),
        files: fc
          .array(fc.shuffledSubarray(lines), { maxLength: 3 })
          .map((copies) => [lines, ...copies]),
      });
    });

    fc.assert(
      fc.property(scene, ({ total, files }) => {
        const read = files.map((lines, index) => readLines(openCode, `${index}`, lines));
        const outputs = openCode.merge(read).map(({ output }) => output);

        expect(outputs.reduce((sum, output) => sum + output, 0)).toBe(total);
      }),
    );
  });
});

test('the key of a copied message is the smallest ID, in any order', () => {
  const counts = { at: 0, output: 1 };
  const files = ['msg_2', 'msg_1', 'msg_3'].map((id) => {
    return readLines(openCode, id, [aMessage(id, counts)]);
  });

  expect(openCode.merge(files).map(({ key }) => key)).toEqual(['msg_1']);
  expect(openCode.merge(files.reverse()).map(({ key }) => key)).toEqual(['msg_1']);
});

describe('openCode.open()', () => {
  test('treats reasoning as a part of the output only if the total says so', () => {
    const counts = { input: 10, output: 8, reasoning: 5, cache: { read: 2, write: 0 } };
    const outputs = [undefined, 20, 25, 21].map((total) => {
      const message = {
        ...JSON.parse(aMessage('m', { at: 0, output: 1 })),
        tokens: { total, ...counts },
      };
      return totalsOf(openCode, [readLines(openCode, 'f', [JSON.stringify(message)])]).buckets[0]
        ?.output;
    });

    expect(outputs).toEqual([13, 8, 13, 13]);
  });

  test('does not modify the earlier usage', () => {
    const before = readLines(openCode, 'f', [aMessage('m', { at: 0, output: 1 })]);
    const kept = structuredClone(before);
    readLines(openCode, 'f', [aMessage('m', { at: 0, output: 9 }), '{"tokens"'], before);

    expect(before).toEqual(kept);
  });
});
