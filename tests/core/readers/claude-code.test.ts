import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '#core/readers/claude-code.ts';
import { describeLogCases } from '#tests/support/log-cases.ts';
import { readLines, totalsOf } from '#tests/support/log-fixtures.ts';
import { aClaudeLine } from '#tests/support/log-writers.ts';

describeLogCases(claudeCode);

describe('claudeCode.merge()', () => {
  test('counts each response once, whatever the order and number of its lines', () => {
    const response = fc.record({
      grown: fc.array(fc.nat(9), { maxLength: 3 }),
      output: fc.integer({ min: 10, max: 999 }),
      minutes: fc.nat(3000),
    });
    const scene = fc
      .array(response, { minLength: 1, maxLength: 8 })
      .map((responses) => responses.flatMap(linesOf))
      .chain((lines) =>
        fc.record({
          lines: fc.constant(lines),
          files: fc
            .array(fc.shuffledSubarray(lines), { maxLength: 4 })
            .chain((copies) =>
              fc.shuffledSubarray([lines, ...copies], { minLength: copies.length + 1 }),
            ),
        }),
      );

    fc.assert(
      fc.property(scene, ({ lines, files }) => {
        const plain = readLines(claudeCode, 'plain', lines);
        const read = files.map((copy, index) => readLines(claudeCode, `${index}`, copy));

        expect(totalsOf(claudeCode, read)).toEqual(totalsOf(claudeCode, [plain]));
        expect(
          totalsOf(claudeCode, read).buckets.reduce((sum, { output }) => sum + output, 0),
        ).toBe(finalOutputs(lines));
      }),
    );
  });
});

/** A response's lines while it grows, and the final one. */
function linesOf(of: { grown: number[]; output: number; minutes: number }, index: number) {
  const at = of.minutes * 60_000;
  return [...of.grown, of.output].map((output, step) =>
    aClaudeLine({ id: `msg_${index}`, at: at + step, output }),
  );
}

/** The sum of each response's largest output, found without a reader. */
function finalOutputs(lines: string[]): number {
  const outputs = new Map<string, number>();
  for (const line of lines) {
    const { message } = JSON.parse(line) as {
      message: { id: string; usage: { output_tokens: number } };
    };
    const { id, usage } = message;
    outputs.set(id, Math.max(outputs.get(id) ?? 0, usage.output_tokens));
  }
  return [...outputs.values()].reduce((sum, output) => sum + output, 0);
}

describe('claudeCode.open()', () => {
  test('does not change what it goes on from', () => {
    const before = readLines(claudeCode, 'f', [aClaudeLine({ output: 1, at: 5 })]);
    const kept = structuredClone(before);
    readLines(claudeCode, 'f', [aClaudeLine({ output: 9, at: 0 })], before);

    expect(before).toEqual(kept);
  });

  test('takes a line without its content', () => {
    const file = claudeCode.open('f');

    expect(file.line(aClaudeLine({ content: 0 }), true)).toBe(true);
    expect(file.finish().responses).toHaveLength(1);
  });

  test.each([
    ['that is not JSON', '{"type":"assistant","message":{"content":0]'],
    ['whose message has lost its name', aClaudeLine({ over: { message: { usage: {} } } })],
    [
      'whose message has lost its counts',
      aClaudeLine({ over: { message: { id: 'a', model: 'b' } } }),
    ],
    ['of another type', aClaudeLine({ over: { type: 'progress' } })],
  ])('asks for the whole of a shortened line %s', (_, text) => {
    const file = claudeCode.open('f');

    expect(file.line(text, true)).toBe(false);
    expect(file.finish()).toMatchObject({ skipped: {}, responses: [] });
  });
});
