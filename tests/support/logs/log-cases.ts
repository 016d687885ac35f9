import { describe, expect, test } from 'vitest';
import type { FileUsage, Reader } from '#core/readers/shared/reader.ts';
import {
  logCases,
  readCase,
  readCaseIn,
  readInParts,
  throughJson,
  totalsOf,
} from './log-fixtures.ts';

/**
 * Reads every case of a tool, in any order of its files, and compares the result with the expected one.
 *
 * @param renamed Cases in which a response has another key after one of its logs is gone.
 */
export function describeLogCases<Usage extends FileUsage>(
  reader: Reader<Usage>,
  renamed: readonly string[] = [],
): void {
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

    test.each(cases)('$name: continues where an earlier reading ended', (of) => {
      const { buckets, skipped } = of;

      expect(totalsOf(reader, readInParts(reader, of))).toEqual({ buckets, skipped });
    });

    const byKey = (files: readonly Usage[]) => {
      return new Map(reader.merge(files).map((response) => [response.key, response]));
    };

    test.each(cases)('$name: gives each response one key, wherever its logs are', (of) => {
      const files = readCaseIn('/home/ada', reader, of);
      const moved = readCaseIn('C:\\Users\\ada', reader, of).reverse();

      expect(byKey(files).size).toBe(reader.merge(files).length);
      expect(byKey(moved)).toEqual(byKey(files));
    });

    test.each(cases)('$name: changes no key when one of its logs is gone', (of) => {
      const files = readCase(reader, of);
      const all = byKey(files);
      const unknown = files.flatMap((gone) => {
        const left = byKey(files.filter((file) => file !== gone));
        return [...left.keys()].filter((key) => !all.has(key));
      });

      expect(unknown).toHaveLength(renamed.includes(of.name) ? 1 : 0);
    });
  });
}
