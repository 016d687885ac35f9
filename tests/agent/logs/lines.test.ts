import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HELD_BYTES, LineFinder } from '#agent/logs/lines.ts';

const needles = ['"needle"', '"other"'];

/** The lines found in bytes that arrive in chunks of this size. */
function find(
  bytes: string | Uint8Array,
  pieceBytes = HELD_BYTES,
  finder = new LineFinder(needles),
) {
  const lines: string[] = [];
  finder.begin((text) => void lines.push(text));
  feed(finder, bytes, pieceBytes);
  return lines;
}

function feed(finder: LineFinder, content: string | Uint8Array, pieceBytes = HELD_BYTES): void {
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length;) {
    const count = bytes.copy(finder.room(), 0, from, from + pieceBytes);
    finder.added(count);
    from += count;
  }
  finder.end();
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

/** A line of JSON of about this many bytes, with its needle after a long text. */
function aLongLine(bytes: number): string {
  return JSON.stringify({ text: 'a "quoted" \\ 日本語 '.repeat(bytes / 24), needle: 1 });
}

describe('LineFinder', () => {
  test('finds the lines with a needle, in order and once each', () => {
    const text = '{"needle":1,"other":2}\n{"none":0}\n\n{"other":3}\n{"a":{"needle":4}}\n';

    expect(find(text)).toEqual(['{"needle":1,"other":2}', '{"other":3}', '{"a":{"needle":4}}']);
  });

  test('finds the same lines in chunks of any size', () => {
    const line = fc.constantFrom(
      '{"needle":1}',
      '{"other":"ä日"}',
      '{"none":0}',
      '',
      '{"needle"',
      aLongLine(3000),
    );
    const scene = fc.record({
      lines: fc.array(line),
      pieceBytes: fc.integer({ min: 1, max: 5000 }),
    });

    fc.assert(
      fc.property(scene, ({ lines, pieceBytes }) => {
        const expected = lines.filter((text) => /"(needle|other)"/.test(text));

        expect(find(lines.map((text) => `${text}\n`).join(''), pieceBytes)).toEqual(expected);
      }),
    );
  });

  test('removes a byte order mark, even if it arrives byte by byte', () => {
    expect(find('\uFEFF{"needle":1}\n{"needle":2}\n', 1)).toEqual(['{"needle":1}', '{"needle":2}']);
    expect(find('\uFEFF')).toEqual([]);
  });

  test('keeps the carriage return of a Windows line end, which JSON allows', () => {
    expect(find('{"needle":1}\r\n{"needle":2}\r\n').map(parse)).toEqual([
      { needle: 1 },
      { needle: 2 },
    ]);
  });

  test.each([
    [
      'accepts a complete last line without a line end',
      '{"needle":2}',
      ['{"needle":1}', '{"needle":2}'],
    ],
    ['leaves an incomplete last line for the next time', '{"needle":', ['{"needle":1}']],
    ['leaves a last line without a needle', '{"none":2}', ['{"needle":1}']],
    [
      'leaves an incomplete last line that is longer than the buffer',
      aLongLine(2 * HELD_BYTES).slice(0, -1),
      ['{"needle":1}'],
    ],
  ])('%s', (_, last, lines) => {
    expect(find(`{"needle":1}\n${last}`)).toEqual(lines);
  });

  test('passes on damaged text unchanged', () => {
    expect(find('\0\0{"needle":1}\n"needle"\n')).toEqual(['\0\0{"needle":1}', '"needle"']);
    expect(find(Buffer.from([0xff, 0xfe, ...Buffer.from('"needle"\n')]))).toHaveLength(1);
  });

  test('finds nothing in nothing', () => {
    expect(find('')).toEqual([]);
    expect(find('\n\n\n')).toEqual([]);
  });

  test('starts again with every stream', () => {
    const finder = new LineFinder(needles);
    find(`{"needle":1}\n${aLongLine(2 * HELD_BYTES)}`, HELD_BYTES, finder);

    expect(find('\uFEFF{"needle":2}\n', HELD_BYTES, finder)).toEqual(['{"needle":2}']);
  });

  test.each([HELD_BYTES - 8, HELD_BYTES, HELD_BYTES + 8, 5 << 20])(
    'finds a line of about %i bytes and its neighbors',
    (bytes) => {
      const text = `{"needle":0}\n${aLongLine(bytes)}\n${'x'.repeat(bytes)}\n{"other":2}`;

      expect(find(text, 60_000).map(parse)).toMatchObject([
        { needle: 0 },
        { needle: 1 },
        { other: 2 },
      ]);
    },
  );

  test('returns an empty text for a line whose structure alone is too long', () => {
    const line = JSON.stringify({ many: Array.from({ length: 2 << 20 }, () => 12345), needle: 1 });

    expect(find(`${line}\n{"needle":2}\n`)).toEqual(['', '{"needle":2}']);
  });
});

describe('LineFinder.unended', () => {
  test.each([
    ['{"needle":1}\n', 0],
    ['{"needle":1}', 12],
    ['{"needle":1}\n{"nee', 5],
    [`{"needle":1}\n${'x'.repeat(3 * HELD_BYTES)}`, 3 * HELD_BYTES],
    [`${'x'.repeat(3 * HELD_BYTES)}\nabc`, 3],
    ['', 0],
  ])('counts the bytes after the last line end: %.20j', (text, bytes) => {
    const finder = new LineFinder(needles);
    find(text, 100_000, finder);

    expect(finder.unended).toBe(bytes);
  });

  test('a stream that starts inside a file has no byte order mark', () => {
    const lines: string[] = [];
    const finder = new LineFinder(needles);
    finder.begin((text) => void lines.push(text), false);
    feed(finder, '\uFEFF{"needle":1}\n');

    expect(lines).toEqual(['\uFEFF{"needle":1}']);
  });
});
