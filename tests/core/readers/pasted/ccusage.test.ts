import { describe, expect, test } from 'vitest';
import { readPasted } from '#core/readers/pasted/pasted.ts';
import { aBucket } from '#tests/support/board/builders.ts';

const read = (report: object) => readPasted(JSON.stringify(report), '2026-03-10');
const codes = (report: object) => read(report).warnings.map(({ code }) => code);

const unreadable = (detail: RegExp) =>
  expect.objectContaining({
    code: 'ingest_unreadable',
    message: expect.stringMatching(detail) as unknown,
  }) as Error;

const counts = (input: number, output: number, write: number, cached: number) => ({
  inputTokens: input,
  outputTokens: output,
  cacheCreationTokens: write,
  cacheReadTokens: cached,
});

const OPUS = { ...counts(3, 1, 5, 7), modelName: 'claude-opus-5', cost: 0.1 };
const HAIKU = { ...counts(10, 20, 30, 40), modelName: 'claude-haiku-4-5', cost: 0.1 };

/** A day in the format of ccusage 18. */
const DAY = {
  date: '2026-03-02',
  ...counts(13, 21, 35, 47),
  totalTokens: 116,
  totalCost: 0.2,
  modelsUsed: ['claude-opus-5', 'claude-haiku-4-5'],
  modelBreakdowns: [OPUS, HAIKU],
};
const TOTALS = { ...counts(13, 21, 35, 47), totalCost: 0.2, totalTokens: 116 };

const pillars = (
  input: number,
  output: number,
  cache_write: number | null,
  cache_read: number,
) => ({
  input,
  output,
  cache_write,
  cache_read,
});
const opus = aBucket({ day: '2026-03-02', ...pillars(3, 1, 5, 7) });
const haiku = aBucket({ day: '2026-03-02', model: 'claude-haiku-4-5', ...pillars(10, 20, 30, 40) });

describe('a report by day', () => {
  test('of ccusage 18 is for Claude Code, by model', () => {
    const report = { daily: [DAY], totals: TOTALS };

    expect(read(report)).toMatchObject({ formats: ['ccusage'], buckets: [haiku, opus] });
    expect(codes(report)).toEqual(['days_by_local_clock', 'tool_assumed']);
  });

  test('by project is added up', () => {
    const report = { projects: { '-home-a': [DAY], '-home-b': [DAY] }, totals: {} };
    expect(read(report).buckets[1]).toEqual({ ...opus, ...pillars(6, 2, 10, 14) });
  });

  test('of ccusage 20 names its agent', () => {
    const { date: period, ...row } = DAY;
    const report = { daily: [{ ...row, period, agent: 'all', metadata: { agents: ['claude'] } }] };
    expect(read(report).buckets).toEqual([haiku, opus]);
    expect(codes(report)).toEqual(['days_by_local_clock']);
  });

  test('of several agents is split; counts that Codex does not report stay unknown', () => {
    const gpt = { ...counts(900, 200, 0, 100), modelName: 'gpt-5' };
    const agents = [
      { agent: 'claude', ...counts(3, 1, 5, 7), modelBreakdowns: [OPUS] },
      { agent: 'codex', ...counts(900, 200, 0, 100), modelBreakdowns: [gpt] },
    ];
    const report = { daily: [{ period: '2026-03-02', agent: 'all', agents, monthly: [] }] };
    const codex = { ...opus, tool: 'codex', provider: 'openai', model: 'gpt-5' };

    expect(read(report).buckets).toEqual([opus, { ...codex, ...pillars(900, 200, null, 100) }]);
    expect(codes(report)).toContain('zero_as_unreported');
  });

  test('in the shape for Codex subtracts cached tokens from the input', () => {
    const before20 = { inputTokens: 1000, cachedInputTokens: 100, outputTokens: 200 };
    const from20 = { inputTokens: 900, cacheReadTokens: 100, outputTokens: 200 };
    const report = (told: object) => ({
      daily: [{ date: '2026-03-02', ...told, models: { 'gpt-5': { ...told, isFallback: false } } }],
    });
    const codex = { ...opus, tool: 'codex', provider: 'openai', model: 'gpt-5' };

    for (const told of [before20, from20]) {
      expect(read(report(told)).buckets).toEqual([{ ...codex, ...pillars(900, 200, null, 100) }]);
    }
  });

  test('assigns remaining tokens to an unknown model', () => {
    const report = { daily: [{ ...DAY, ...counts(14, 21, 35, 49) }] };
    const rest = { ...opus, provider: 'unknown', model: 'unknown', ...pillars(1, 0, 0, 2) };
    expect(read(report).buckets).toContainEqual(rest);
    expect(codes(report)).toContain('model_unknown');
  });
});

describe('a report by session', () => {
  const session = (firstActivity: unknown, lastActivity: unknown) => ({
    sessions: [{ ...DAY, date: undefined, sessionId: 's', firstActivity, lastActivity }],
  });

  test('uses the UTC day on which each session started and ended', () => {
    const report = session('2026-03-01T23:30:00.000-02:00', '2026-03-02T23:59:59.999Z');
    expect(read(report).buckets).toEqual([haiku, opus]);
    expect(codes(report)).toEqual(['tool_assumed']);
  });

  test.each([
    ['runs over midnight', '2026-03-02T23:00:00Z', '2026-03-03T00:00:00Z'],
    ['has only its end', undefined, '2026-03-02T10:00:00Z'],
    ['has a day as its time', '2026-03-02', '2026-03-02'],
  ])('is rejected if one %s', (_, first, last) => {
    expect(() => read(session(first, last))).toThrow(unreadable(/within one UTC day/));
  });
});

describe('a report', () => {
  const several = { ...DAY, date: undefined, period: '2026-03-02', agent: 'all' };
  const foreign = { ...OPUS, modelName: 'gpt-5' };

  test.each<[RegExp, object]>([
    [/more than one UTC day/, { monthly: [{ ...DAY, month: '2026-03' }], totals: TOTALS }],
    [/more than one UTC day/, { weekly: [DAY] }],
    [/more than one UTC day/, { blocks: [{ startTime: '2026-03-02T10:00:00Z' }] }],
    [/no rows/, { daily: [], totals: TOTALS }],
    [/not an object/, { daily: [3] }],
    [/YYYY-MM-DD/, { daily: [{ ...DAY, date: 'Mar 2, 2026' }] }],
    [/YYYY-MM-DD/, { daily: [{ ...DAY, date: '2026-02-30' }] }],
    [/several agents/, { daily: [{ ...several, metadata: { agents: ['claude', 'codex'] } }] }],
    [/several agents/, { daily: [several] }],
    [
      /does not name the tool/,
      { daily: [{ ...DAY, ...counts(3, 1, 5, 7), modelBreakdowns: [foreign] }] },
    ],
    [/does not name the tool/, { daily: [{ ...DAY, messageCount: 3 }] }],
    [/no counts by model/, { daily: [{ ...DAY, modelBreakdowns: undefined }] }],
    [/add up to more/, { daily: [{ ...DAY, inputTokens: 12 }] }],
    [/A count is missing/, { daily: [{ ...DAY, inputTokens: 1.5 }] }],
    [/A count is missing/, { daily: [{ ...DAY, outputTokens: undefined }] }],
  ])('is rejected: %s', (detail, report) => {
    expect(() => read(report)).toThrow(unreadable(detail));
    expect(() => read(report)).toThrow(unreadable(/^This is a report of ccusage\. /));
  });
});
