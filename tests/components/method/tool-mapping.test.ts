import { describe, expect, test } from 'vitest';
import { claudeCode } from '#core/readers/claude-code.ts';
import { codex } from '#core/readers/codex.ts';
import { copilotCli } from '#core/readers/copilot-cli.ts';
import { deepSeekHarness } from '#core/readers/deepseek-harness.ts';
import { geminiCli } from '#core/readers/gemini-cli.ts';
import { goose } from '#core/readers/goose.ts';
import { hermes } from '#core/readers/hermes.ts';
import { openClaw } from '#core/readers/openclaw.ts';
import { openCode } from '#core/readers/opencode.ts';
import { pi } from '#core/readers/pi.ts';
import { readPasted } from '#core/readers/pasted/pasted.ts';
import { readers } from '#core/readers/readers.ts';
import { zCode } from '#core/readers/zcode.ts';
import { toolMappings } from '#components/method/tool-mapping.ts';
import { AT, countsOf, fieldsIn } from '#tests/support/logs/mappings.ts';

/** The texts about pasted reports. */
function ccusageTexts(): string[] {
  const mapping = toolMappings([]).find(({ title }) => title.includes('ccusage'));
  return (mapping?.rows ?? []).map(([, text]) => text);
}

function claudeCounts(usage: object) {
  const message = { id: 'msg_1', model: 'claude-x', usage };
  return countsOf(claudeCode, [{ type: 'assistant', timestamp: AT, message }]);
}

function codexCounts(usage: object) {
  const payload = { type: 'token_count', info: { last_token_usage: usage } };
  return countsOf(codex, [{ type: 'event_msg', timestamp: AT, payload }]);
}

function ccusageCounts(counts: object) {
  const row = { date: '2026-03-01', modelBreakdowns: [{ modelName: 'claude-x', ...counts }] };
  const [bucket] = readPasted(JSON.stringify({ daily: [{ ...row, ...counts }] }), '').buckets;
  const { input, output, cache_write, cache_read } = bucket ?? {};
  return { input, output, cache_write, cache_read };
}

describe('the page describes what each reader does', () => {
  test('Claude Code', () => {
    const { input, output, cache_write, cache_read } = claudeCode.mapping;
    const [flat = '', ...lifetimes] = fieldsIn(cache_write);
    const usage = {
      [fieldsIn(input)[0] ?? '']: 1,
      [fieldsIn(output)[0] ?? '']: 20,
      [flat]: 300,
      cache_creation: Object.fromEntries(lifetimes.map((name) => [name, 250])),
      [fieldsIn(cache_read)[0] ?? '']: 4000,
    };

    expect(claudeCounts(usage)).toEqual({
      input: 1,
      output: 20,
      cache_write: 500,
      cache_read: 4000,
    });
    expect(claudeCounts({ ...usage, [flat]: 600 }).cache_write).toBe(600);
    expect(claudeCounts({ input_tokens: 1, output_tokens: 2 })).toMatchObject({
      cache_write: null,
      cache_read: null,
    });
  });

  test('Codex', () => {
    const { input, output, cache_write, cache_read } = codex.mapping;
    const [whole = '', ...parts] = fieldsIn(input);
    const usage = {
      [whole]: 1000,
      [fieldsIn(output)[0] ?? '']: 20,
      [fieldsIn(cache_write)[0] ?? '']: 100,
      [fieldsIn(cache_read)[0] ?? '']: 800,
    };

    expect(parts).toEqual([...fieldsIn(cache_read), ...fieldsIn(cache_write)]);
    expect(codexCounts(usage)).toEqual({
      input: 100,
      output: 20,
      cache_write: 100,
      cache_read: 800,
    });
    expect(codexCounts({ input_tokens: 1000, cached_input_tokens: 800 })).toMatchObject({
      input: 200,
      cache_write: null,
    });
  });

  test('Gemini CLI', () => {
    const { input, output, cache_write, cache_read } = geminiCli.mapping;
    const [whole = '', cached = '', tool = ''] = fieldsIn(input);
    const [visible = '', thoughts = ''] = fieldsIn(output);
    const tokens = { [whole]: 1000, [cached]: 800, [tool]: 5, [visible]: 20, [thoughts]: 3 };
    const message = { type: 'gemini', id: 'a', timestamp: AT, tokens };

    expect(fieldsIn(cache_write)).toEqual([]);
    expect(fieldsIn(cache_read)).toEqual([cached]);
    expect(countsOf(geminiCli, [message])).toEqual({
      input: 205,
      output: 23,
      cache_write: null,
      cache_read: 800,
    });
  });

  test('OpenCode', () => {
    const { input, output, cache_write, cache_read } = openCode.mapping;
    const [visible, reasoning, , total] = fieldsIn(output) as [string, string, string, string];
    const [write, read] = [cache_write, cache_read].map((text) => fieldsIn(text)[0]?.split('.'));
    const counts = { [String(fieldsIn(input)[0])]: 10, [visible]: 20, [reasoning]: 5 };
    const cache = { [String(write?.[1])]: 300, [String(read?.[1])]: 4000 };
    const tokens = { ...counts, [String(write?.[0])]: cache };
    const message = { role: 'assistant', id: 'a', time: { created: AT }, tokens };
    const known = { input: 10, cache_write: 300, cache_read: 4000 };

    expect(countsOf(openCode, [message])).toEqual({ ...known, output: 25 });
    expect(countsOf(openCode, [{ ...message, tokens: { ...tokens, [total]: 4330 } }])).toEqual({
      ...known,
      output: 20,
    });
  });

  test('pi', () => {
    const { input, output, cache_write, cache_read } = pi.mapping;
    const [whole = '', , cached = ''] = fieldsIn(input);
    const [read = ''] = fieldsIn(cache_read);
    const usage = {
      [whole]: 1000,
      [fieldsIn(output)[0] ?? '']: 20,
      [fieldsIn(cache_write)[0] ?? '']: 300,
      [read]: 800,
    };
    const lineOf = (provider: string, totalTokens: number) => {
      const message = { role: 'assistant', provider, usage: { ...usage, totalTokens } };
      return { type: 'message', timestamp: AT, message };
    };
    const counts = { input: 1000, output: 20, cache_write: 300, cache_read: 800 };

    expect(cached).toBe(read);
    expect(countsOf(pi, [{ type: 'session' }, lineOf('anthropic', 1020)])).toEqual(counts);
    expect(countsOf(pi, [{ type: 'session' }, lineOf('google', 1020)])).toEqual({
      ...counts,
      input: 200,
    });
  });

  test('Copilot CLI', () => {
    const { input, output, cache_write, cache_read } = copilotCli.mapping;
    const [whole = '', read = '', write = '', ...ended] = fieldsIn(input);
    const [out = '', outEnded = ''] = fieldsIn(output);
    const [wholeEnded = '', readEnded = '', writeEnded = ''] = ended;
    const row = { table: 'assistant_usage_events', session_id: 's', created_at: AT };
    const counts = { input: 100, output: 20, cache_write: 100, cache_read: 800 };
    const usage = { [wholeEnded]: 1000, [outEnded]: 20, [writeEnded]: 100, [readEnded]: 800 };
    const data = { modelMetrics: { 'gpt-x': { usage } } };

    expect([fieldsIn(cache_write), fieldsIn(cache_read)]).toEqual([
      [write, writeEnded],
      [read, readEnded],
    ]);
    expect(
      countsOf(copilotCli, [{ ...row, [whole]: 1000, [out]: 20, [write]: 100, [read]: 800 }]),
    ).toEqual(counts);
    expect(countsOf(copilotCli, [{ type: 'session.shutdown', timestamp: AT, data }])).toEqual(
      counts,
    );
  });

  test('OpenClaw', () => {
    const { input, output, cache_write, cache_read } = openClaw.mapping;
    const [fresh = '', total = '', cached = ''] = fieldsIn(input);
    const [read = ''] = fieldsIn(cache_read);
    const counts = { [fresh]: 1000, [fieldsIn(output)[0] ?? '']: 20 };
    const usage = { ...counts, [fieldsIn(cache_write)[0] ?? '']: 100, [read]: 800 };
    const message = { role: 'assistant', timestamp: AT };
    const known = { output: 20, cache_write: 100, cache_read: 800 };

    expect(cached).toBe(read);
    expect(countsOf(openClaw, [{ type: 'message', message: { ...message, usage } }])).toEqual({
      ...known,
      input: 1000,
    });
    const within = { ...message, usage: { ...usage, [total]: 1020 } };
    expect(countsOf(openClaw, [{ type: 'message', message: within }])).toEqual({
      ...known,
      input: 200,
    });
  });

  test('Hermes Agent', () => {
    const { input, output, cache_write, cache_read } = hermes.mapping;
    const [fresh = '', out = '', write = '', read = ''] = [
      ...[input, output, cache_write, cache_read].flatMap(fieldsIn),
    ];
    const counts = { [fresh]: 1000, [out]: 20, [write]: 100, [read]: 800, reasoning_tokens: 7 };
    const row = { table: 'session_model_usage', session_id: 's', first_seen: AT, last_seen: AT };

    expect(countsOf(hermes, [{ ...row, ...counts }])).toEqual({
      ...{ input: 1000, output: 20 },
      ...{ cache_write: 100, cache_read: 800 },
    });
  });

  test('Goose', () => {
    const { input, output, cache_write, cache_read } = goose.mapping;
    const [whole = '', ...parts] = fieldsIn(input);
    const [write = ''] = fieldsIn(cache_write);
    const [read = ''] = fieldsIn(cache_read);
    const counts = { [whole]: 1000, [fieldsIn(output)[0] ?? '']: 20, [write]: 100, [read]: 800 };
    const row = { table: 'usage_ledger', id: 1, session_id: 's', created_timestamp: AT };

    expect(parts).toEqual([read, write]);
    expect(countsOf(goose, [{ ...row, ...counts }])).toEqual({
      ...{ input: 100, output: 20 },
      ...{ cache_write: 100, cache_read: 800 },
    });
  });

  test('ZCode', () => {
    const { input, output, cache_write, cache_read } = zCode.mapping;
    const [whole = '', ...parts] = fieldsIn(input);
    const [write = ''] = fieldsIn(cache_write);
    const [read = ''] = fieldsIn(cache_read);
    const counts = { [whole]: 1000, [fieldsIn(output)[0] ?? '']: 20, [write]: 100, [read]: 800 };
    const row = { table: 'model_usage', id: 'a', started_at: AT, reasoning_tokens: 7 };

    expect(parts).toEqual([write, read]);
    expect(countsOf(zCode, [{ ...row, ...counts }])).toEqual({
      ...{ input: 100, output: 20 },
      ...{ cache_write: 100, cache_read: 800 },
    });
  });

  test('DeepSeek Harness', () => {
    const { input, output, cache_write, cache_read } = deepSeekHarness.mapping;
    const [fresh = '', out = '', reasoning = '', write = '', read = ''] = [
      ...[input, output, cache_write, cache_read].flatMap(fieldsIn),
    ];
    const usage = { [fresh]: 1000, [out]: 20, [reasoning]: 7, [write]: 100, [read]: 800 };

    expect(reasoning).toBe('reasoningTokens');
    expect(
      countsOf(deepSeekHarness, [
        { type: 'assistant/message', time: Date.parse(AT), data: { usage } },
      ]),
    ).toEqual({ input: 1000, output: 20, cache_write: 100, cache_read: 800 });
  });

  test('every tool that is read, by name', () => {
    const titles = toolMappings(readers).flatMap(({ title, tool }) => (tool === null ? [] : title));

    expect(titles).toEqual(
      readers.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en')),
    );
  });

  test('ccusage', () => {
    const [input, output, cache_write, cache_read] = ccusageTexts();
    const [fresh = '', cached = ''] = fieldsIn(input);
    const [write = ''] = fieldsIn(cache_write);
    const [read = ''] = fieldsIn(cache_read);
    const counts = { [fresh]: 10, [fieldsIn(output)[0] ?? '']: 20, [write]: 300, [read]: 4000 };

    expect(ccusageCounts(counts)).toEqual({
      ...{ input: 10, output: 20 },
      ...{ cache_write: 300, cache_read: 4000 },
    });
    expect(fieldsIn(cache_read)).toContain(cached);
    expect(ccusageCounts({ [fresh]: 10, outputTokens: 20, [cached]: 4 })).toMatchObject({
      input: 6,
      cache_read: 4,
    });
  });
});
