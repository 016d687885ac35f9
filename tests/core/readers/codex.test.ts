import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codex } from '#core/readers/codex.ts';
import { describeLogCases } from '#tests/support/log-cases.ts';
import { readLines } from '#tests/support/log-fixtures.ts';
import { aCodexCount, aCodexHead } from '#tests/support/log-writers.ts';

describeLogCases(codex);

describe('codex.merge()', () => {
  test('survives sessions that descend from each other', () => {
    const files = [
      readLines(codex, 'a', [aCodexHead('a', 0, 'b'), aCodexCount(1, 1, 1)]),
      readLines(codex, 'b', [aCodexHead('b', 0, 'a'), aCodexCount(1, 2, 2)]),
      readLines(codex, 'c', [aCodexHead('c', 0, 'c'), aCodexCount(1, 4, 4)]),
    ];

    expect(codex.merge(files).reduce((sum, { output }) => sum + output, 0)).toBe(7);
  });

  test('counts each response once in a family of forks, whatever is repeated and however files are ordered', () => {
    const session = fc.record({
      parent: fc.nat(),
      own: fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 }),
      refreshes: fc.nat(2),
      copies: fc.nat(1),
    });
    const scene = fc
      .array(session, { minLength: 1, maxLength: 6 })
      .map(familyOf)
      .chain(({ files, own }) =>
        fc.record({
          own: fc.constant(own),
          files: fc.shuffledSubarray(files, { minLength: files.length }),
        }),
      );

    fc.assert(
      fc.property(scene, ({ files, own }) => {
        const read = files.map(({ path, lines }) => readLines(codex, path, lines));

        expect(codex.merge(read).reduce((sum, { output }) => sum + output, 0)).toBe(own);
      }),
    );
  });
});

interface Sketch {
  parent: number;
  own: number[];
  refreshes: number;
  copies: number;
}

/** Sessions of which each but the first is a fork of an earlier one, replaying all that it held. */
function familyOf(sketches: Sketch[]) {
  const histories: { total: number; last: number }[][] = [];
  const files = sketches.flatMap((sketch, index) => {
    const parent = index === 0 ? -1 : sketch.parent % index;
    const replayed = histories[parent] ?? [];
    const before = replayed.at(-1)?.total ?? 0;
    // Siblings must not have the same counts by chance: the session's number is in each of them.
    const own = sketch.own.map((last) => last * 100 + index);
    const grown = own.map((last, at) => {
      return { last, total: before + own.slice(0, at + 1).reduce((sum, part) => sum + part, 0) };
    });
    const history = [...replayed, ...grown];
    histories.push(history);
    const counts = history.flatMap(({ total, last }, at) =>
      Array.from({ length: 1 + sketch.refreshes }, () =>
        aCodexCount(index * 1e6 + at, total, last),
      ),
    );
    const lines = [
      aCodexHead(idOf(index), index * 1e6, parent < 0 ? undefined : idOf(parent)),
      ...counts,
    ];
    return Array.from({ length: 1 + sketch.copies }, (_, copy) => ({
      path: `${index}-${copy}`,
      lines,
    }));
  });
  const own = sketches.flatMap((sketch, index) => sketch.own.map((last) => last * 100 + index));
  return { files, own: own.reduce((sum, last) => sum + last, 0) };
}

function idOf(index: number): string {
  return `019ca000-0000-7000-8000-00000000000${index}`;
}

describe('codex.open()', () => {
  test('keeps a repeated count once', () => {
    const lines = [aCodexHead('a', 0), aCodexCount(1, 1, 1), aCodexCount(2, 1, 1)];

    expect(readLines(codex, 'f', lines).reports).toHaveLength(1);
  });

  test('does not change what it goes on from', () => {
    const before = readLines(codex, 'f', [aCodexHead('a', 0), aCodexCount(1, 1, 1)]);
    const kept = structuredClone(before);
    readLines(codex, 'f', [aCodexCount(2, 2, 1)], before);

    expect(before).toEqual(kept);
  });
});
