import { describe, expect, test } from 'vitest';
import { Elements } from '#agent/logs/elements.ts';
import { LogReader } from '#agent/logs/read-log.ts';
import type { FileReader, Reader } from '#core/readers/shared/reader.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const LIST = [{ n: '],"\\' }, [1, { n: 2 }], 'n', { other: [{ n: 3 }] }];

/** The lines of a text that is split in chunks of a size. */
function split(text: string, size: number): string[] {
  const bytes = Buffer.from(text);
  const elements = new Elements();
  for (let at = 0; at < bytes.length; at += size) elements.split(bytes.subarray(at, at + size));
  return bytes.toString().split('\n');
}

describe('Elements', () => {
  test.each([1, 2, 7, 1000])('separates elements in chunks of %i bytes', (size) => {
    for (const text of [JSON.stringify(LIST), JSON.stringify(LIST, null, 2)]) {
      const lines = split(text, size).filter((line) => line.trim() !== '');

      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(LIST);
    }
  });
});

describe('a reader of arrays', () => {
  async function linesOf(text: string, arrays?: true): Promise<string[]> {
    const lines: string[] = [];
    const file = { line: (line: string) => void lines.push(line.trim()), finish: () => ({}) };
    const reader = { needles: ['"n"'], open: () => file as unknown as FileReader, arrays };
    const logs = new LogReader(reader as unknown as Reader, () => undefined);
    await logs.read(`${aFolder({ 'm.json': text })}/m.json`);
    return lines;
  }

  test('gets the elements that contain a needle, also those before a torn end', async () => {
    const lines = await linesOf(`\uFEFF ${JSON.stringify([...LIST, { m: 4 }], null, 1)}`, true);

    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(LIST);
    expect(await linesOf('[{"n":1},{"n":2},{"n"', true)).toEqual(['{"n":1}', '{"n":2}']);
    expect(await linesOf('[]', true)).toEqual([]);
  });

  test('gets the whole document if it is an object', async () => {
    expect(await linesOf('{"n":[{"n":1}]}', true)).toEqual(['{"n":[{"n":1}]}']);
  });

  test('is a choice', async () => {
    expect(await linesOf('[{"n":1},{"n":2}]')).toEqual(['[{"n":1},{"n":2}]']);
  });
});
