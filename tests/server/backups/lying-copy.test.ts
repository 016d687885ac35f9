/** A restore finds each lie in a copy of the log. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { decodeBundle, encodeBundle } from '#core/domain/tlog/bundle.ts';
import { checkpointPath } from '#server/config/config.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { checkpointsOf } from '#tests/support/tlog/board-checkpoints.ts';
import { aLogCopy } from '#tests/support/tlog/log-copy.ts';
import {
  type Published,
  aPublishedBoard,
  filesIn,
  growTo,
} from '#tests/support/tlog/published-board.ts';

let board: Published;
beforeEach(async () => {
  board = await aPublishedBoard();
});

describe('a copy that lies is refused and named, and changes nothing', () => {
  const FIRST = 'tile/entries/001';
  const LAST = 'tile/entries/002.p/88';

  /** Changes one bundle. */
  const inBundle = (path: string, lie: (entries: Buffer[]) => Buffer[]) => (folder: string) => {
    const file = join(folder, path);
    const entries = decodeBundle(readFileSync(file)).map((entry) => Buffer.from(entry));
    writeFileSync(file, encodeBundle(lie(entries)));
  };
  const inEntry = (path: string, at: number, [from, to]: [string, string]) =>
    inBundle(path, (entries) =>
      entries.map((entry, place) =>
        place === at ? Buffer.from(entry.toString().replace(from, to)) : entry,
      ),
    );
  /** Changes the first digit of the payload's digest, which nothing but a hash shows. */
  const inDigest = (path: string, at: number) =>
    inBundle(path, (entries) =>
      entries.map((entry, place) => {
        const lines = entry.toString().split('\n');
        lines[4] = (lines[4]?.startsWith('0') ? '1' : '0') + lines[4]?.slice(1);
        return place === at ? Buffer.from(lines.join('\n')) : entry;
      }),
    );

  test.each<[name: string, lie: (folder: string) => void, told: RegExp]>([
    ['a changed hash', inDigest(FIRST, 100), /entry 358 in .* does not continue entry 357/],
    ['a changed hash of the last entry', inDigest(LAST, 87), /root that .*checkpoint states/],
    [
      'another kind',
      inEntry(FIRST, 99, ['ruleset', 'restore']),
      /entry 357 in .* does not continue/,
    ],
    ['an unknown kind', inEntry(FIRST, 99, ['ruleset', 'rules']), /001 was changed: entry 356/],
    ['an impossible time', inEntry(LAST, 3, ['T', 'X']), /002.* was changed: entry 516/],
    [
      'entries in another order',
      inBundle(LAST, ([first, second, ...rest]) => [second, first, ...rest] as Buffer[]),
      /was changed: entry 513 in it/,
    ],
    [
      'fewer entries than it should have',
      inBundle(LAST, (entries) => entries.slice(0, -1)),
      /root that .*checkpoint states/,
    ],
    [
      'a bundle that is cut off',
      (folder) => writeFileSync(join(folder, LAST), readFileSync(join(folder, LAST)).subarray(9)),
      /002\.p\/88 was changed/,
    ],
    [
      'a bundle that is missing',
      (folder) => rmSync(join(folder, FIRST)),
      /has no tile\/entries\/001, so it is incomplete/,
    ],
    [
      'no checkpoint',
      (folder) => rmSync(join(folder, 'checkpoint')),
      /has no file checkpoint, so it is not a published log/,
    ],
    [
      'a checkpoint of another size',
      (folder) => replaceIn(join(folder, 'checkpoint'), '600', '599'),
      /checkpoint is not signed by this board|has no tile/,
    ],
    [
      'a damaged checkpoint',
      (folder) => writeFileSync(join(folder, 'checkpoint'), 'board.example/log\n600\n'),
      /checkpoint is not a checkpoint/,
    ],
  ])('%s', async (_name, lie, told) => {
    const dataDir = board.folder();
    const before = filesIn(dataDir);
    const copy = aLogCopy(board.ctx);
    lie(copy);

    // A lie is no reason to begin a new log.
    const { status, stderr } = await board.restore(dataDir, '--log', copy, '--new-log');

    expect([status, stderr]).toEqual([3, expect.stringMatching(told)]);
    expect(stderr).toContain('Nothing was changed');
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('the log of another board, in either form', async () => {
    const other = await aPublishedBoard();
    const dataDir = board.folder();
    const before = filesIn(dataDir);
    const file = join(aDataDir(), 'log.ndjson');
    writeFileSync(file, exportOf(other.ctx).join(''));
    for (const copy of [aLogCopy(other.ctx), file]) {
      const { status, stderr } = await board.restore(dataDir, '--log', copy);
      expect([status, stderr]).toEqual([3, expect.stringContaining('it is from another log')]);
    }
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('an older copy, which says how much it lacks', async () => {
    const dataDir = board.folder();
    const copy = aLogCopy(board.ctx);
    growTo(board.ctx, 700);
    checkpointsOf(board.ctx).advance();
    copyFileSync(checkpointPath(board.ctx.config), checkpointPath({ dataDir }));

    const { status, stderr } = await board.restore(dataDir, '--log', copy);

    expect([status, stderr]).toEqual([3, expect.stringContaining('published 700. Missing: 100')]);
  });
});

function replaceIn(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}
