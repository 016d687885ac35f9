import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitted, widthOf, tableLines, wrapped } from '#agent/text/table.ts';

describe('cells', () => {
  test.each([
    ['ada', 3],
    ['日本語', 6],
    ['한글', 4],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['ｱ', 1],
    ['', 0],
  ])('%s takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test('a text is padded or cut to exactly its width', () => {
    expect(fitted('ada', 5)).toBe('ada  ');
    expect(fitted('7', 3, 'right')).toBe('  7');
    expect(fitted('日本語', 4)).toBe('日… ');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        expect(widthOf(fitted(text, width))).toBe(width);
      }),
    );
  });
});

describe('tableLines()', () => {
  test('aligns columns, counts wide characters, and trims line ends', () => {
    const columns = [{ title: 'n', side: 'right' as const }, { title: 'name' }, { title: 'x' }];
    const rows = [
      ['1', '日本', 'a'],
      ['10', 'ada\u001b[2J', ''],
    ];

    expect(tableLines(columns, rows)).toEqual([
      '   n  name    x',
      '   1  日本    a',
      '  10  ada[2J',
    ]);
  });

  test('shrinks the last shrinkable columns first, to 80 columns', () => {
    const columns = [{ title: 'a', least: 5 }, { title: 'b' }, { title: 'c', least: 3 }];

    const [, line = ''] = tableLines(columns, [['A'.repeat(60), 'B'.repeat(20), 'C'.repeat(30)]]);

    expect(widthOf(line)).toBe(80);
    expect(line).toBe(`  ${'A'.repeat(50)}…  ${'B'.repeat(20)}  CC…`);
  });
});

test('wrapped() does not split commands, and wraps all other text', () => {
  const command = 'node ~/.config/opbench/opbench.mjs logout --board http://127.0.0.1:4501';

  expect(wrapped(`Run: ${command}, then enroll`, 4).split('\n')).toEqual([
    '    Run:',
    `    ${command},`,
    '    then enroll',
  ]);
  expect(wrapped(`${'a'.repeat(70)} opbench logs nothing`, 0)).toBe(
    `${'a'.repeat(70)} opbench\nlogs nothing`,
  );
});

test('wrapped() fills lines by columns', () => {
  expect(wrapped(`${'日'.repeat(30)} ${'a'.repeat(18)} b`, 1).split('\n')).toEqual([
    ` ${'日'.repeat(30)} ${'a'.repeat(18)}`,
    ' b',
  ]);
});
