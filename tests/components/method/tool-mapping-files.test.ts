import { describe, expect, test } from 'vitest';
import { cline } from '#core/readers/cline.ts';
import { droid } from '#core/readers/droid.ts';
import { qwenCode } from '#core/readers/qwen-code.ts';
import { rooCode } from '#core/readers/roo-code.ts';
import { AT, countsOf, fieldsIn } from '#tests/support/logs/mappings.ts';

const known = { input: 100, output: 20, cache_write: 100, cache_read: 800 };

type FourNames = [string, string, string, string];

describe('the page describes what each reader with several kinds of files does', () => {
  test('Qwen Code', () => {
    const { input, output, cache_read } = qwenCode.mapping;
    const [whole, cached, prompt, content] = fieldsIn(input) as FourNames;
    const [out, thoughts, type, google] = fieldsIn(output) as FourNames;
    const counts = { [whole]: 1000, [cached]: 800, [out]: 20, [thoughts]: 7 };
    const request = { localMonth: '2026-03', timestamp: AT, ...counts };
    const counted = { input: 200, output: 20, cache_write: null, cache_read: 800 };

    expect(fieldsIn(cache_read)).toEqual([cached, content]);
    expect(prompt).toBe('promptTokenCount');
    expect(countsOf(qwenCode, [request])).toEqual(counted);
    expect(countsOf(qwenCode, [{ ...request, [type]: google }])).toEqual({
      ...counted,
      output: 27,
    });
  });

  test('chats of Qwen Code', () => {
    const [, , prompt, content] = fieldsIn(qwenCode.mapping.input) as FourNames;
    const [candidates, thoughts, total] = fieldsIn(qwenCode.mapping.output).slice(-3) as FourNames;
    const usageMetadata = { [prompt]: 1000, [content]: 800, [candidates]: 20, [thoughts]: 7 };
    const message = { type: 'assistant', timestamp: AT };
    const counted = { input: 200, output: 20, cache_write: null, cache_read: 800 };

    expect(countsOf(qwenCode, [{ ...message, usageMetadata }])).toEqual(counted);
    expect(
      countsOf(qwenCode, [{ ...message, usageMetadata: { ...usageMetadata, [total]: 1027 } }]),
    ).toEqual({ ...counted, output: 27 });
  });

  test('Cline', () => {
    const { input, output, cache_write, cache_read } = cline.mapping;
    const [whole, read, write] = fieldsIn(input) as FourNames;
    const [out] = fieldsIn(output) as FourNames;
    const metrics = { [whole]: 1000, [out]: 20, [write]: 100, [read]: 800 };
    const message = { role: 'assistant', ts: Date.parse(AT), metrics };

    expect([fieldsIn(cache_write)[0], fieldsIn(cache_read)[0]]).toEqual([write, read]);
    expect(countsOf(cline, [{ messages: [message] }])).toEqual(known);
  });

  test('tasks of Cline', () => {
    const { input, output, cache_write, cache_read } = cline.mapping;
    const [, , , whole] = fieldsIn(input) as FourNames;
    const [, out] = fieldsIn(output) as FourNames;
    const [, write] = fieldsIn(cache_write) as FourNames;
    const [, read] = fieldsIn(cache_read) as FourNames;
    const text = JSON.stringify({ [whole]: 1000, [out]: 20, [write]: 100, [read]: 800 });
    const request = { type: 'say', say: 'api_req_started', ts: Date.parse(AT), text };
    const modelInfo = { providerId: 'anthropic' };

    expect(countsOf(cline, [request])).toEqual(known);
    expect(countsOf(cline, [{ ...request, modelInfo }])).toEqual({ ...known, input: 1000 });
  });

  test('Roo Code', () => {
    const { input, output, cache_write, cache_read } = rooCode.mapping;
    const [whole = '', ...parts] = fieldsIn(input);
    const [write = ''] = fieldsIn(cache_write);
    const [read = ''] = fieldsIn(cache_read);
    const counts = { [whole]: 1000, [fieldsIn(output)[0] ?? '']: 20, [write]: 100, [read]: 800 };
    const linesOf = (info: object) => [
      { type: 'say', say: 'api_req_started', ts: Date.parse(AT), text: JSON.stringify(info) },
    ];

    expect(parts).toEqual([read, write]);
    expect(countsOf(rooCode, linesOf(counts))).toEqual(known);
    expect(countsOf(rooCode, linesOf({ ...counts, [whole]: 899 }))).toEqual({
      ...known,
      input: 899,
    });
  });

  test('Factory Droid', () => {
    const { input, output, cache_write, cache_read, missing } = droid.mapping;
    const [fresh = '', out = '', write = '', read = '', thinking = ''] = [
      ...[input, output, cache_write, cache_read, missing].flatMap(fieldsIn),
    ];
    const tokenUsage = { [fresh]: 1000, [out]: 20, [write]: 100, [read]: 800, [thinking]: 7 };

    expect(thinking).toBe('thinkingTokens');
    expect(countsOf(droid, [{ tokenUsage }, { type: 'message', timestamp: AT }])).toEqual({
      ...known,
      input: 1000,
    });
  });
});
