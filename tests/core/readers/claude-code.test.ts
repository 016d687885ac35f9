import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '#core/readers/claude-code.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines, totalsOf } from '#tests/support/logs/log-fixtures.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

describeLogCases(claudeCode);

describe('claudeCode.merge()', () => {
  test('counts each response once, for any order and number of lines', () => {
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

describe('the keys of claude-code', () => {
  const keysOf = (...files: ReturnType<typeof readLines>[]) => {
    return claudeCode.merge(files as never).map(({ key }) => key);
  };
  /** A line of a gateway that reuses IDs and has no request ID. */
  const aGatewayLine = (session: string | undefined, output = 2) => {
    return aClaudeLine({
      id: 'chat-1',
      output,
      over: { requestId: undefined, sessionId: session },
    });
  };

  test.each([
    ['in the session', 'ses-1', 'ses-1'],
    ['in a session that it was copied to', 'ses-1', 'ses-2'],
    ['in logs that name no session', undefined, undefined],
  ])('are equal for a response without a unique ID %s', (_, first, second) => {
    const a = readLines(claudeCode, '/home/ada/a.jsonl', [aGatewayLine(first)]);
    const b = readLines(claudeCode, '/home/eve/b.jsonl', [aGatewayLine(second)]);

    expect(keysOf(a, b)).toHaveLength(1);
    expect(keysOf(b)).toEqual(keysOf(a));
    expect(keysOf(b, a)).toEqual(keysOf(a, b));
  });

  test('stay the same while a response grows, and differ if another session has less', () => {
    const early = readLines(claudeCode, 'a', [aGatewayLine('ses-1', 1)]);
    const late = readLines(claudeCode, 'a', [aGatewayLine('ses-1', 1), aGatewayLine('ses-1', 5)]);
    const copy = readLines(claudeCode, 'b', [aGatewayLine('ses-2', 1)]);

    expect(keysOf(late)).toEqual(keysOf(early));
    expect(keysOf(copy, late)).toEqual(keysOf(late, copy));
    expect(new Set(keysOf(copy, late)).size).toBe(2);
    expect(keysOf(copy, late)).toEqual(expect.arrayContaining(keysOf(late)));
  });

  test('distinguish extras of a response', () => {
    const attempt = (model: string) => ({ type: 'advisor_message', model, output_tokens: 3 });
    const usage = {
      input_tokens: 0,
      output_tokens: 2,
      iterations: [attempt('one'), attempt('two')],
    };
    const message = { id: 'msg_a', model: 'claude-opus-5', usage };
    const file = readLines(claudeCode, 'f', [aClaudeLine({ over: { message } })]);

    expect(keysOf(file)).toEqual(['msg_a', 'msg_a\nextra 0', 'msg_a\nextra 1']);
  });
});

/** A response's lines while it grows, and the final one. */
function linesOf(of: { grown: number[]; output: number; minutes: number }, index: number) {
  const at = of.minutes * 60_000;
  return [...of.grown, of.output].map((output, step) =>
    aClaudeLine({ id: `msg_${index}`, at: at + step, output }),
  );
}

/** The sum of each response's largest output, computed without a reader. */
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
  test('does not modify the earlier usage', () => {
    const before = readLines(claudeCode, 'f', [aClaudeLine({ output: 1, at: 5 })]);
    const kept = structuredClone(before);
    readLines(claudeCode, 'f', [aClaudeLine({ output: 9, at: 0 })], before);

    expect(before).toEqual(kept);
  });
});
