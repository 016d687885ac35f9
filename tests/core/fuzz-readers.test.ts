import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketUsage } from '#core/domain/counting/bucket.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { codex } from '#core/readers/codex.ts';
import { countOf, idOf, instantOf, labelOf } from '#core/readers/shared/fields.ts';
import { readPasted } from '#core/readers/pasted/pasted.ts';
import type { Reader } from '#core/readers/shared/reader.ts';
import { readers } from '#core/readers/readers.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import {
  FUZZING,
  FUZZING_MS,
  mutatedJson,
  mutatedText,
} from '../support/fuzz/arbitrary-mutation.ts';
import { attempt, expectLinear } from '../support/fuzz/arbitrary-text.ts';
import { aRecord } from '../support/board/builders.ts';
import {
  linesIn,
  logCases,
  logTexts,
  readLines,
  throughJson,
} from '../support/logs/log-fixtures.ts';

const TODAY = '2026-03-10';
/** Whether the pasted text contains no usage, or too much to be accepted. */
const isRefusal = (error: unknown) =>
  error instanceof DomainError && ['count_out_of_range', 'ingest_unreadable'].includes(error.code);

/** The lines of all cases of a reader's tool. */
function linesOf(reader: Reader): string[] {
  const texts = logCases(reader.tool).flatMap(logTexts);
  const lines = texts.flatMap(([path, text]) => linesIn(reader, path, text));
  return [...new Set(lines)].filter((line) => line.trim() !== '');
}

/** Lines as a tool writes them, mixed with lines that it does not write. */
function anyLines(reader: Reader): fc.Arbitrary<string[]> {
  const sound = linesOf(reader);
  const values = sound.flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
  const line = fc.oneof(fc.constantFrom(...sound), mutatedJson(values), mutatedText(sound));
  return fc.array(line, { minLength: 1, maxLength: 8 });
}

/** Whatever a reader returns can be composed into records. */
const expectUsage = (reader: Reader) => (files: readonly (readonly string[])[]) => {
  const usages = files.map((lines, at) => readLines(reader, `folder/rollout-${at}.jsonl`, lines));
  const events = reader.merge(throughJson(usages));
  for (const bucket of bucketUsage(reader.tool, events)) {
    expect(OperatorRecord.safeParse(composeRecord(bucket)).error).toBeUndefined();
  }
};

describe('log readers', { timeout: FUZZING_MS }, () => {
  test.each(readers.map((reader) => [reader.tool, reader] as const))(
    'of %s skip invalid lines, and return only what can be a record',
    (_, reader) => {
      const files = fc.array(anyLines(reader), { minLength: 1, maxLength: 3 });

      fc.assert(
        fc.property(files, (texts) => attempt(expectUsage(reader), texts, isRefusal)),
        FUZZING,
      );
    },
  );

  test.each<[string, (text: string) => unknown]>([
    ['countOf', countOf],
    ['idOf', idOf],
    ['instantOf', instantOf],
    ['labelOf', labelOf],
    ['a path of Codex', (text) => codex.open(text).finish()],
  ])('read %s in linear time', (_, reader) => {
    expect(() => expectLinear(reader)).not.toThrow();
  });
});

describe('pasted text', { timeout: FUZZING_MS }, () => {
  const report = {
    daily: [
      {
        date: TODAY,
        inputTokens: 10,
        outputTokens: 20,
        cacheCreationTokens: 30,
        cacheReadTokens: 40,
        totalTokens: 100,
        modelBreakdowns: [
          {
            modelName: 'claude-opus-5',
            inputTokens: 10,
            outputTokens: 20,
            cacheCreationTokens: 30,
            cacheReadTokens: 40,
          },
        ],
      },
    ],
    totals: { inputTokens: 10, outputTokens: 20, totalTokens: 100 },
  };
  const values = [report, aRecord(), [aRecord()], { input: 1, output: 2, cache_read: 3 }];
  /** Created only while a test runs, because some logs are databases. */
  const textsOf = () => [
    'input: 1,000\noutput: 2 000\ncache write: 30\ncache read: 4',
    '1 2 3 4',
    'input 5; output 6',
    ...readers.flatMap((reader) => linesOf(reader).slice(0, 12)),
  ];

  test('is rejected with what was recognized, or gives records', () => {
    const text = fc.oneof(
      mutatedJson(values),
      mutatedText(textsOf()),
      fc.string({ unit: 'binary' }),
    );
    const read = (each: string) => {
      for (const bucket of readPasted(each, TODAY).buckets) {
        expect(OperatorRecord.safeParse(composeRecord(bucket)).error).toBeUndefined();
      }
    };

    fc.assert(
      fc.property(text, (each) => attempt(read, each, isRefusal)),
      FUZZING,
    );
  });

  test('is read in linear time', () => {
    expect(() => expectLinear((text) => readPasted(text, TODAY), isRefusal)).not.toThrow();
  });
});
