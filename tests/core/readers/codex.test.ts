import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codex } from '#core/readers/codex.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';
import { aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';

// A fork of an orphan names only its parent, which is then the oldest known session.
describeLogCases(codex, ['orphan-forked-on']);

describe('codex.merge()', () => {
  test('handles sessions that descend from each other', () => {
    const files = [
      readLines(codex, 'a', [aCodexHead('a', 0, 'b'), aCodexCount(1, 1, 1)]),
      readLines(codex, 'b', [aCodexHead('b', 0, 'a'), aCodexCount(1, 2, 2)]),
      readLines(codex, 'c', [aCodexHead('c', 0, 'c'), aCodexCount(1, 4, 4)]),
    ];

    expect(codex.merge(files).reduce((sum, { output }) => sum + output, 0)).toBe(7);
  });

  test('counts each response once in a family of forks, for any repetition and order of files', () => {
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

/** Sessions, each a fork of an earlier one that it replays, except the first. */
function familyOf(sketches: Sketch[]) {
  const histories: { total: number; last: number }[][] = [];
  const files = sketches.flatMap((sketch, index) => {
    const parent = index === 0 ? -1 : sketch.parent % index;
    const replayed = histories[parent] ?? [];
    const before = replayed.at(-1)?.total ?? 0;
    // The counts contain the session's number, so that siblings do not have equal counts by chance.
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

describe('the keys of codex', () => {
  const keysOf = (...files: ReturnType<typeof readLines>[]) => {
    return codex.merge(files as never).map(({ key }) => key);
  };

  test('stay the same when the parent of a fork is deleted, and are equal for copies', () => {
    const own = [aCodexCount(1, 1, 1), aCodexCount(2, 3, 2)];
    const parent = readLines(codex, '/a/parent', [aCodexHead(idOf(1), 0), ...own]);
    // Replayed slowly, so that it cannot be recognized without the parent.
    const replay = [aCodexCount(9000, 1, 1), aCodexCount(19_000, 3, 2)];
    const lines = [aCodexHead(idOf(2), 5000, idOf(1)), ...replay, aCodexCount(29_000, 7, 4)];
    const fork = readLines(codex, '/a/fork', lines);
    const all = keysOf(parent, fork);

    expect(all).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining(keysOf(fork)));
    expect(all.slice(0, 2)).toEqual(keysOf(parent));
    expect(keysOf(fork, parent)).toEqual(all);
  });

  test('are the same for a record and for the count that follows it', () => {
    const tokens = { input_tokens: 10, cached_input_tokens: 6, output_tokens: 1 };
    const usage = { ...tokens, reasoning_output_tokens: 0, total_tokens: 11 };
    const record = JSON.stringify({
      timestamp: '2026-03-02T00:00:01Z',
      type: 'token_usage_record',
      payload: { response_id: 'r1', usage, thread_token_usage: usage },
    });
    const before = [aCodexHead('a', 0), record];
    const after = [...before, aCodexCount(1002, 1, 1)];

    expect(keysOf(readLines(codex, 'f', after))).toEqual(keysOf(readLines(codex, 'f', before)));
  });

  test('do not contain the folder of a rollout without a session ID', () => {
    const lines = [aCodexCount(1, 1, 1), aCodexCount(2, 3, 2)];
    const [here, there] = ['/home/ada/x', '/home/eve/x'].map((path) => {
      return keysOf(readLines(codex, path, lines));
    });

    expect(new Set(here).size).toBe(2);
    expect(there).toEqual(here);
  });
});

describe('codex.open()', () => {
  test('counts a repeated count once', () => {
    const lines = [aCodexHead('a', 0), aCodexCount(1, 1, 1), aCodexCount(2, 1, 1)];

    expect(readLines(codex, 'f', lines).reports).toHaveLength(1);
  });

  test('does not modify the earlier usage', () => {
    const before = readLines(codex, 'f', [aCodexHead('a', 0), aCodexCount(1, 1, 1)]);
    const kept = structuredClone(before);
    readLines(codex, 'f', [aCodexCount(2, 2, 1)], before);

    expect(before).toEqual(kept);
  });
});
