import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, fromBase64Url } from '#core/domain/text/base64.ts';
import { preAuthEncoding, readEnvelope } from '#core/domain/signing/dsse.ts';
import { normalizeCode } from '#core/domain/signing/enrollment.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseJson, parseJsonBytes } from '#core/domain/text/json.ts';
import { readLine } from '#core/domain/log/public-log-line.ts';
import { returnPath } from '#core/domain/account/return-path.ts';
import { readSelfReport } from '#core/domain/signing/self-report.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { pageOfMarkdown, markdownPath } from '#core/contract/site-routes.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { sha256 } from '#server/process/crypto.ts';
import {
  FUZZING,
  FUZZING_MS,
  mutatedBytes,
  mutatedJson,
  mutatedText,
} from '../support/fuzz/arbitrary-mutation.ts';
import { attempt, expectLinear } from '../support/fuzz/arbitrary-text.ts';
import {
  BASE_URL,
  NOW_MS,
  aDevice,
  aPayload,
  aRecord,
  anEnvelope,
} from '../support/board/builders.ts';

const isRefusal = (error: unknown) => error instanceof DomainError;

describe('strict JSON', { timeout: FUZZING_MS }, () => {
  const seeds = [aPayload(), aRecord(), { a: [{ b: '"\\{}[],:' }], '\\u0061': 1 }];

  test('is rejected with a known error or means what JSON.parse says, whatever the mutation', () => {
    const property = fc.property(mutatedJson(seeds), (text) => {
      attempt(() => expect(parseJson(text)).toEqual(JSON.parse(text)), text, isRefusal);
    });

    fc.assert(property, FUZZING);
  });

  test('is rejected with a known error or read, whatever its bytes', () => {
    const bytes = mutatedBytes(seeds.map((seed) => Buffer.from(JSON.stringify(seed))));

    fc.assert(
      fc.property(bytes, (each) => attempt(parseJsonBytes, each, isRefusal)),
      FUZZING,
    );
  });

  test('never returns an object that repeats a key', () => {
    const key = fc.constantFrom('a', 'b', '\\u0061', 'a\\u0000', '__proto__', '\\"');
    const object = fc.array(key, { minLength: 2, maxLength: 5 });

    fc.assert(
      fc.property(object, (keys) => {
        const text = `{${keys.map((each) => `"${each}":1`).join(',')}}`;
        const names = keys.map((each) => JSON.parse(`"${each}"`) as string);
        const isDoubled = new Set(names).size < names.length;
        if (isDoubled) expect(() => parseJson(text)).toThrow(DomainError);
        else expect(Object.keys(parseJson(text) as object)).toHaveLength(names.length);
      }),
      FUZZING,
    );
  });

  test.each([
    ['[', ']', 100_000],
    ['{"a":', '}', 100_000],
  ])('of %s, nested without end, is rejected before it uses memory', (open, close, depth) => {
    const text = `${open.repeat(depth)}1${close.repeat(depth)}`;

    expect(() => parseJson(text)).toThrow(DomainError);
  });
});

describe('envelopes and snapshots', { timeout: FUZZING_MS }, () => {
  test('are rejected with a known error or taken apart, whatever the mutation', async () => {
    const device = await aDevice();
    const envelope = await anEnvelope(device);
    const read = (text: string) => {
      const { payload, signature, signed } = readEnvelope(text, SNAPSHOT_PAYLOAD_TYPE);
      expect(signature).toHaveLength(64);
      expect([...signed]).toEqual([...preAuthEncoding(SNAPSHOT_PAYLOAD_TYPE, payload)]);
    };
    const spoilt = fc.oneof(
      mutatedJson([envelope]),
      mutatedText([JSON.stringify(envelope)]),
      fc.string({ unit: 'binary' }),
    );

    fc.assert(
      fc.property(spoilt, (text) => attempt(read, text, isRefusal)),
      FUZZING,
    );
  });

  test('that were signed are rejected with a known error or judged, whatever their content', () => {
    const judge = (text: string) => {
      const snapshot = readSnapshot(Buffer.from(text), BASE_URL);
      const buckets = judgeSnapshot(snapshot, NOW_MS);
      expect(buckets).toHaveLength(snapshot.records.length);
      for (const { input, output } of buckets) expect(input + output).toBeLessThan(2 ** 53);
    };
    const payloads = [
      aPayload({ records: [aRecord()] }),
      aPayload({ correction: { from: '2026-03-01', to: '2026-03-02' } }),
    ];

    fc.assert(
      fc.property(mutatedJson(payloads), (text) => attempt(judge, text, isRefusal)),
      FUZZING,
    );
  });

  test('self-reports are rejected with a known error or read', () => {
    const seeds = [aRecord(), { records: [aRecord(), aRecord()] }];

    fc.assert(
      fc.property(mutatedJson(seeds), (text) => attempt(readSelfReport, text, isRefusal)),
      FUZZING,
    );
  });

  test('lines of the public log are read or reported as damaged', () => {
    const lines = ['{"line":"end","check":"0123456789abcdef"}', '{"line":"entry"}', '{"line":1}'];
    const spoilt = fc.oneof(
      mutatedText(lines),
      mutatedJson(lines.map((line) => JSON.parse(line) as unknown)),
    );

    fc.assert(
      fc.property(spoilt, (text) => void expect(readLine(text, sha256).isWhole).toBe(false)),
      FUZZING,
    );
  });
});

describe('every text is read in linear time', { timeout: FUZZING_MS }, () => {
  test.each<[string, (text: string) => unknown]>([
    ['parseJson', parseJson],
    ['parseJson of a string', (text) => parseJson(JSON.stringify({ [text]: text }))],
    ['readEnvelope', (text) => readEnvelope(text, SNAPSHOT_PAYLOAD_TYPE)],
    ['readLine', (text) => readLine(text, sha256)],
    ['fromBase64', fromBase64],
    ['fromBase64Url', fromBase64Url],
    ['normalizeCode', normalizeCode],
    ['returnPath', returnPath],
    ['markdownPath', markdownPath],
    ['pageOfMarkdown', pageOfMarkdown],
  ])('for %s', (_, reader) => {
    expect(() => expectLinear(reader, isRefusal)).not.toThrow();
  });
});
