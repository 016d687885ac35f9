/** That the page describes what each reader does, continued from `tool-mapping.test.ts`. */
import { expect, test } from 'vitest';
import { antigravity } from '#core/readers/antigravity.ts';
import { grokBuild } from '#core/readers/grok-build.ts';
import { kimiCli } from '#core/readers/kimi-cli.ts';
import { kimiCode } from '#core/readers/kimi-code.ts';
import { AT, countsOf, fieldsIn } from '#tests/support/logs/mappings.ts';
import { digitsOf } from '#tests/support/logs/protobuf.ts';

test('Kimi CLI', () => {
  const { input, output, cache_write, cache_read } = kimiCli.mapping;
  const [fresh = '', out = '', write = '', read = ''] = [
    ...[input, output, cache_write, cache_read].flatMap(fieldsIn),
  ];
  const token_usage = { [fresh]: 1000, [out]: 20, [write]: 100, [read]: 800 };
  const message = { type: 'StatusUpdate', payload: { token_usage } };

  expect(countsOf(kimiCli, [{ timestamp: Date.parse(AT) / 1000, message }])).toEqual({
    ...{ input: 1000, output: 20 },
    ...{ cache_write: 100, cache_read: 800 },
  });
});

test('Kimi Code', () => {
  const { input, output, cache_write, cache_read } = kimiCode.mapping;
  const [fresh = '', out = '', write = '', read = ''] = [
    ...[input, output, cache_write, cache_read].flatMap(fieldsIn),
  ];
  const usage = { [fresh]: 1000, [out]: 20, [write]: 100, [read]: 800 };

  expect(countsOf(kimiCode, [{ type: 'usage.record', time: Date.parse(AT), usage }])).toEqual({
    ...{ input: 1000, output: 20 },
    ...{ cache_write: 100, cache_read: 800 },
  });
});

test('Grok Build', () => {
  const { input, output, cache_write, cache_read } = grokBuild.mapping;
  const [whole = '', ...parts] = fieldsIn(input);
  const [write = ''] = fieldsIn(cache_write);
  const [read = ''] = fieldsIn(cache_read);
  const usage = { [whole]: 1000, [fieldsIn(output)[0] ?? '']: 20, [write]: 100, [read]: 800 };
  const update = { sessionUpdate: 'turn_completed', usage };

  expect(parts).toEqual([read, write]);
  expect(countsOf(grokBuild, [{ timestamp: Date.parse(AT) / 1000, params: { update } }])).toEqual({
    input: 100,
    output: 20,
    cache_write: 100,
    cache_read: 800,
  });
});

test('Antigravity', () => {
  const { input, output, cache_write, cache_read } = antigravity.mapping;
  const names = [input, output, cache_write, cache_read].flatMap(fieldsIn);
  const fields = {
    input_tokens: 2,
    output_tokens: 3,
    cache_write_tokens: 4,
    cache_read_tokens: 5,
  };
  const usage = digitsOf(
    names.map((name, at) => [fields[name as keyof typeof fields], [1000, 20, 100, 800][at] ?? 0]),
  );
  const start = digitsOf([[4, digitsOf([[1, Date.parse(AT) / 1000]])]]);
  const data = digitsOf([
    [
      1,
      digitsOf([
        [4, usage],
        [9, start],
      ]),
    ],
  ]);

  expect(names).toEqual(Object.keys(fields));
  expect(countsOf(antigravity, [{ table: 'gen_metadata', idx: 0, data }])).toEqual({
    ...{ input: 1000, output: 20 },
    ...{ cache_write: 100, cache_read: 800 },
  });
});
