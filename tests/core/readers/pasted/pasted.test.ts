import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { readPasted } from '#core/readers/pasted/pasted.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket, aRecord } from '#tests/support/board/builders.ts';
import { pastedCase } from '#tests/support/logs/log-fixtures.ts';
import { cpuMsOf } from '#tests/support/board/time.ts';

const TODAY = '2026-03-10';
const read = (value: unknown) =>
  readPasted(typeof value === 'string' ? value : JSON.stringify(value), TODAY);

/** An error with this detail. */
const unreadable = (detail: RegExp) =>
  expect.objectContaining({
    code: 'ingest_unreadable',
    message: expect.stringMatching(detail) as unknown,
  }) as Error;

const codes = ({ warnings }: ReturnType<typeof read>) => warnings.map(({ code }) => code);

describe('lines of a log', () => {
  test('are read as opbench reads them, each response once', () => {
    const text = pastedCase('claude-code', 'midnight');
    const once = read(text);

    expect(once.formats).toEqual(['claude-code']);
    expect(once.buckets).toEqual([
      aBucket({ day: '2026-03-02', input: 3, output: 44, cache_write: 5, cache_read: 7 }),
    ]);
    expect(read(`${text}\n${text}`)).toEqual(once);
    expect(codes(once)).toEqual(['log_may_be_partial']);
  });

  test('of Codex are read too, even together with those of Claude Code', () => {
    const codex = pastedCase('codex', 'provider');
    const claude = pastedCase('claude-code', 'midnight');

    const { formats, buckets } = read(`${codex}\n${claude}`);

    expect(formats).toEqual(['claude-code', 'codex']);
    expect(buckets.map(({ tool }) => tool)).toEqual(['claude-code', 'codex']);
    expect(read(codex).buckets).toEqual(buckets.slice(1));
  });

  test('that are damaged are counted, and never shown', () => {
    const { warnings } = read(`${pastedCase('claude-code', 'midnight')}\n{"input_tokens" secret`);
    expect(warnings).toContainEqual({
      code: 'lines_skipped',
      detail: expect.any(String) as string,
    });
    expect(JSON.stringify(warnings)).not.toContain('secret');
  });

  test('of a Codex log without its beginning have an unknown model', () => {
    const count = pastedCase('codex', 'provider')
      .split('\n')
      .filter((line) => line.includes('"token_count"'));

    const { buckets, warnings } = read(count.join('\n'));

    expect(buckets[0]).toMatchObject({ model: 'unknown' });
    expect(warnings).toMatchObject([{ code: 'source_unknown' }, { code: 'log_may_be_partial' }]);
  });

  test('without tokens are rejected', () => {
    expect(() => read('{"type":"user"}\n{"type":"user"}')).toThrow(
      unreadable(/The 2 lines contain no token counts/),
    );
    expect(() => read('{"type":"user"}')).toThrow(unreadable(/^The JSON contains no token counts/));
  });
});

describe('Operator Records', () => {
  const records = [aRecord(), composeRecord(aBucket({ day: '2026-03-02' }))];
  const buckets = [aBucket(), aBucket({ day: '2026-03-02' })];

  test.each([
    ['one', records[0], buckets.slice(0, 1)],
    ['a list', records, buckets],
    ['a body for /api/v1/snapshots', { records }, buckets],
    ['one record per line', records.map((record) => JSON.stringify(record)).join('\r\n'), buckets],
  ])('are read from %s', (_, value, expected) => {
    expect(read(value)).toEqual({ formats: ['records'], buckets: expected, warnings: [] });
  });

  test('are assigned to their day, counted once, and get recomputed metrics', () => {
    const again = aRecord({
      timestamp: '2026-03-01T23:00:00Z',
      metrics: { ...aRecord().metrics, snr: 0 },
    });
    const both = read([aRecord(), again]);
    expect(both.buckets).toEqual([aBucket()]);
    expect(codes(both)).toEqual(['metrics_recomputed', 'records_repeated']);
  });

  test.each([
    ['contradicts', [aRecord(), composeRecord(aBucket({ output: 1 }))]],
    ['covers more than one UTC day', [aRecord({ context: { window: '30d' } })]],
    [
      'not an Operator Record \\(#/telemetry/input: ',
      [aRecord({ telemetry: { input: -1, output: 1 } })],
    ],
    ['empty', []],
    ['1 of 2 lines', `${JSON.stringify(aRecord())}\n{"type":"user"}`],
  ])('are rejected: %s', (detail, value) => {
    expect(() => read(value)).toThrow(unreadable(new RegExp(detail)));
  });
});

describe('four token counts', () => {
  const all = { input: 1200, output: 34, cache_write: 0, cache_read: 5_600_000 };
  const unknown = { provider: 'unknown', model: 'unknown', tool: 'unknown', day: TODAY };

  test.each<[string, Partial<Bucket>]>([
    ['1200 34 0 5600000', all],
    ["1'200 34\n0 5,600,000", all],
    ['1200, 34, 0, 5600000', all],
    ['1200,34,0,5600000', all],
    ['1200;34;0;5_600_000\n', all],
    ['Input tokens: 1,200\nOutput tokens: 34\nCache creation: 0\nCache read: 5,600,000', all],
    ['cache_read=5600000 ; cache_write=0; output=34; input=1200', all],
    [
      '{"input_tokens":1200,"output_tokens":34,"cache_creation_input_tokens":0,"cache_read_input_tokens":5600000}',
      all,
    ],
    ['input 1200\noutput 34', { ...all, cache_write: null, cache_read: null }],
    ['{"input":1200,"output":34,"cache_write":0,"cache_read":null}', { ...all, cache_read: null }],
  ])('are read from %j', (text, counts) => {
    const { formats, buckets, warnings } = read(text);
    expect(formats).toEqual(['counts']);
    expect(buckets).toEqual([{ ...unknown, ...counts }]);
    expect(warnings).toMatchObject([{ code: 'source_unknown' }]);
  });

  test.each([
    ['Found 1 numbers', '100,200,300,400'],
    ['Found 1 numbers', '5'],
    ['3 numbers', '1 2 3'],
    ['5 numbers', '1 2 3 4 5'],
    ['Both input and output', 'input: 5\ncache read: 6'],
    ['input appears twice', 'input: 5\noutput: 6\ninput: 7'],
    ['only input, output', 'input: 5\noutput: 6\nreasoning: 7'],
    ['not a whole number', 'input: 1,2\noutput: 6'],
    ['not a whole number', 'input: 1.5\noutput: 6'],
    ['2\\^53-1', '9007199254740992 0 0 0'],
    ['2\\^53-1', '{"input":-1,"output":3}'],
  ])('are rejected if unclear: %s', (detail, text) => {
    expect(() => read(text)).toThrow(unreadable(new RegExp(`These are token counts.*${detail}`)));
  });

  test.each([
    '',
    ' ',
    'hello',
    'hello 5 world',
    '"text"',
    'null',
    'true',
    '1.5',
    '0x10 1 2 3',
    '[1,2,3,4]',
  ])('are not read from %j', (text) => {
    expect(() => read(text)).toThrow(unreadable(/./));
  });
});

describe('hostile text', () => {
  const MIB = 1024 * 1024;
  const line = (id: number, extra = '') =>
    `{"type":"assistant","timestamp":"2026-03-01T00:00:00Z","message":{"id":"msg_${id}","model":"m${id}","usage":{"input_tokens":1,"output_tokens":1}${extra}}}`;

  test.each<[string, string]>([
    ['deep arrays', '['.repeat(MIB)],
    ['deep objects', '{"a":'.repeat(MIB / 5)],
    ['spaces', ' '.repeat(MIB)],
    ['digits', '1'.repeat(MIB)],
    ['commas', '1,'.repeat(MIB / 2)],
    ['a label that never ends', `input${' '.repeat(MIB)}`],
    ['short lines', '{\n'.repeat(MIB / 2)],
    ['needles', '"input_tokens"\n'.repeat(MIB / 15)],
    ['braces and needles', '{"input_tokens"\n'.repeat(MIB / 16)],
    ['a long string', JSON.stringify('x'.repeat(MIB - 2))],
    ['many models', Array.from({ length: 7_500 }, (_, id) => line(id)).join('\n')],
    ['many session headers', '{"type":"session_meta","payload":{"id":"a"}}\n'.repeat(MIB / 45)],
    ['many rows', JSON.stringify({ daily: Array.from({ length: 60_000 }, () => ({ date: 1 })) })],
    ['a rewritten prototype', '{"__proto__":{"spec":1,"telemetry":1},"daily":[{"__proto__":1}]}'],
  ])('of %s is processed within a second', (_, text) => {
    const ms = cpuMsOf(() => {
      try {
        read(text);
      } catch (error) {
        expect(error).toMatchObject({ name: 'DomainError' });
      }
    });
    expect(ms).toBeLessThan(1000);
  });
});
