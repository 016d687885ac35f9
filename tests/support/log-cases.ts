import { describe, expect, test } from 'vitest';
import type { Reader } from '#core/readers/reader.ts';
import { logCases, logTexts, readCase, readLines, throughJson, totalsOf } from './log-fixtures.ts';

/** Reads every case of a tool, in any order of its files, and compares with what was expected. */
export function describeLogCases(reader: Reader): void {
  describe(`the cases of ${reader.tool}`, () => {
    const cases = logCases(reader.tool);

    test.each(cases)('$name: $note', (of) => {
      const { buckets, skipped_lines } = of;

      expect(totalsOf(reader, readCase(reader, of))).toEqual({ buckets, skipped_lines });
    });

    test.each(cases)('$name: files may come in any order and from JSON', (of) => {
      const kept = throughJson(readCase(reader, of).reverse());
      const { buckets, skipped_lines } = of;

      expect(totalsOf(reader, kept)).toEqual({ buckets, skipped_lines });
    });

    test.each(cases)('$name: goes on where an earlier reading ended', (of) => {
      const files = logTexts(of).map(([path, text]) => {
        const lines = text.split('\n');
        const middle = Math.ceil(lines.length / 2);
        const before = throughJson(readLines(reader, path, lines.slice(0, middle)));
        return readLines(reader, path, lines.slice(middle), before);
      });
      const { buckets, skipped_lines } = of;

      expect(totalsOf(reader, files)).toEqual({ buckets, skipped_lines });
    });
  });
}
