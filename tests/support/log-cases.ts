import { describe, expect, test } from 'vitest';
import type { FileUsage, Reader } from '#core/readers/reader.ts';
import { logCases, readCase, readInParts, throughJson, totalsOf } from './log-fixtures.ts';

/** Reads every case of a tool, in any order of its files, and compares with what was expected. */
export function describeLogCases<Usage extends FileUsage>(reader: Reader<Usage>): void {
  describe(`the cases of ${reader.tool}`, () => {
    const cases = logCases(reader.tool);

    test.each(cases)('$name: $note', (of) => {
      const { buckets, skipped } = of;

      expect(totalsOf(reader, readCase(reader, of))).toEqual({ buckets, skipped });
    });

    test.each(cases)('$name: files may come in any order and from JSON', (of) => {
      const kept = throughJson(readCase(reader, of).reverse());
      const { buckets, skipped } = of;

      expect(totalsOf(reader, kept)).toEqual({ buckets, skipped });
    });

    test.each(cases)('$name: goes on where an earlier reading ended', (of) => {
      const { buckets, skipped } = of;

      expect(totalsOf(reader, readInParts(reader, of))).toEqual({ buckets, skipped });
    });
  });
}
