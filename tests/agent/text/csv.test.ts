import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csvText } from '#agent/text/csv.ts';

describe('csvText()', () => {
  test('separates lines by CR LF, and leaves cells without a value empty', () => {
    expect(
      csvText(
        ['day', 'input'],
        [
          ['2026-03-10', 1.5],
          ['', null],
        ],
      ),
    ).toBe('day,input\r\n2026-03-10,1.5\r\n,\r\n');
  });

  test('quotes separators, quotes and line breaks, so that readers restore them', () => {
    const cells = ['a,b', 'say "hi"', 'two\nlines', 'cr\rlf', ' space '];

    expect(parse(csvText(cells, [cells]))).toEqual([cells, cells]);
  });

  test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])(
    'gives %j, which a spreadsheet would run, an apostrophe',
    (text) => {
      expect(parse(csvText(['name'], [[text]]))).toEqual([['name'], [`'${text}`]]);
    },
  );

  test('leaves negative numbers as they are', () => {
    expect(csvText(['value'], [[-1]])).toBe('value\r\n-1\r\n');
  });
});
