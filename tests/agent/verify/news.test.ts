import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { publishAndKeep } from '#tests/support/board/context.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { type Wire, aBoard, verify } from '#tests/support/board/verify.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';

type Board = Awaited<ReturnType<typeof aBoard>>;

/** A board that was verified once and has grown over two bundles since. */
async function aGrownBoard(): Promise<Board> {
  const board = await aBoard();
  expect((await verify(board.device, BASE_URL)).report).toMatchObject({ downloaded: 'all' });
  growLog(board.ctx, 300);
  await board.send('2026-03-05');
  write(board);
  return board;
}

function write({ ctx, wire }: Board): void {
  publishAndKeep(ctx);
  wire.file = gzipSync(exportOf(ctx).join(''));
}

const flipped = (bytes: Uint8Array) => {
  const at = Math.floor(bytes.length / 2);
  return bytes.with(at, (bytes[at] ?? 0) ^ 1);
};

/** Counts requests, and changes the answers on paths that begin like this. */
function watched({ wire }: Board, change: Wire['changeBytes'] = (_, bytes) => bytes): string[] {
  const asked: string[] = [];
  wire.changeBytes = (path, bytes) => {
    asked.push(path);
    return change(path, bytes);
  };
  return asked;
}

describe('opbench verify URL, the next time', () => {
  test('downloads the new bundles and their payloads only', async () => {
    const board = await aGrownBoard();
    const asked = watched(board);

    const { exitCode, report } = await verify(board.device, BASE_URL);

    expect([exitCode, report]).toMatchObject([0, { downloaded: 'new', sound: true, findings: [] }]);
    expect(asked.map((path) => path.replace(/\.p\/\d+$/, '.p/W'))).toEqual([
      '/log/boards.ndjson.gz',
      '/log/tile/entries/000',
      '/log/payload/000',
      '/log/tile/entries/001.p/W',
      '/log/payload/001',
    ]);
    growLog(board.ctx, 1);
    write(board);
    asked.length = 0;
    expect((await verify(board.device, BASE_URL)).report).toMatchObject({ downloaded: 'new' });
    expect(asked).toHaveLength(3);
  });

  test.each(['/log/boards', '/log/tile', '/log/payload'])(
    'downloads everything if something is damaged in %s',
    async (of) => {
      const board = await aGrownBoard();
      watched(board, (path, bytes) => (path.startsWith(of) ? flipped(bytes) : bytes));

      const { exitCode, report } = await verify(board.device, BASE_URL);

      expect([exitCode, report]).toMatchObject([0, { downloaded: 'all', sound: true }]);
    },
  );

  test.each([
    ['bundles with fewer entries', '/log/tile', (bytes: Uint8Array) => bytes.subarray(0, 400)],
    ['payloads that are withheld', '/log/payload', () => new Uint8Array()],
  ])('downloads everything from a board with %s', async (_, of, change) => {
    const board = await aGrownBoard();
    watched(board, (path, bytes) => (path.startsWith(of) ? change(bytes) : bytes));

    expect((await verify(board.device, BASE_URL)).report).toMatchObject({ downloaded: 'all' });
  });

  test('reports what is wrong with the whole log', async () => {
    const board = await aGrownBoard();
    const changed = exportOf(board.ctx).join('').replace('"name":"ada"', '"name":"eve"');
    board.wire.file = gzipSync(changed);

    const { exitCode, report } = await verify(board.device, BASE_URL);

    expect(exitCode).toBe(3);
    expect(report).toMatchObject({ downloaded: 'all', sound: false });
  });
});
