import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { type TestContext, publishAndKeep } from '#tests/support/board/context.ts';
import { flip } from '#tests/support/tlog/lying-board.ts';
import { aLongBoard, aMirrorOf, grow, passOf, wrongIn } from '#tests/support/tlog/mirror-scene.ts';

/** All files of a folder as one text. */
function textOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((name) => name.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

describe('a mirror', () => {
  test('has everything that the board published, and every check passes', async () => {
    const { ctx, board } = await aLongBoard();
    const { folder, open } = aMirrorOf(board);
    const mirror = await open();

    const report = await mirror.pass();

    expect(wrongIn(mirror)).toEqual([]);
    expect(report.checks.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
    expect(report).toMatchObject({ sound: true, vkey: board.vkey, size: ctx.store.tiles.size() });
    const payload = join(folder, 'log', 'payload', '000');
    const shown = await (await fetch(`${board.url}/log/payload/000`)).text();
    expect(readFileSync(payload, 'utf8')).toBe(shown);
    expect(existsSync(join(folder, 'log', 'tile', 'entries', '001'))).toBe(true);
  });

  test('fetches only what is new', async () => {
    const { ctx, board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    const mirror = await open();
    await mirror.pass();
    board.asked.length = 0;

    await mirror.pass();
    const unchanged = board.asked.splice(0);
    grow(ctx, 300);
    board.advance();
    await mirror.pass();

    expect(unchanged).toEqual(['log/checkpoint']);
    expect(wrongIn(mirror)).toEqual([]);
    expect(mirror.report.size).toBe(ctx.store.tiles.size());
    expect(board.asked).not.toContain('log/tile/0/000');
    expect(board.asked).not.toContain('log/payload/000');
    expect(board.asked).toContain('log/boards.ndjson.gz');
    expect(board.asked).not.toContain('log.ndjson.gz');
  });

  test.each([
    ['the file of boards is missing', () => null],
    ['the file of boards is damaged', flip],
    [
      'the file of boards is wrong',
      (bytes: Buffer) =>
        gzipSync(gunzipSync(bytes).toString().replace('"yield":[1,', '"yield":[2,')),
    ],
  ])('checks the whole file if %s', async (_, lie) => {
    const { board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    board.lie('log/boards.ndjson.gz', lie);

    expect(await passOf(open)).toEqual([]);
    expect(board.asked).toContain('log.ndjson.gz');
  });

  test('goes on where it was killed, and fetches no bundle twice', async () => {
    const { board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    let requests = 0;
    board.onRequest = () => {
      requests += 1;
      if (requests % 3 === 0) throw new Error('The connection breaks');
    };
    let tries = 0;
    for (let isDone = false; !isDone && tries < 20; tries += 1) {
      const mirror = await open();
      isDone = (await mirror.pass()).complete_at !== null;
    }
    board.onRequest = () => undefined;

    expect(await passOf(open)).toEqual([]);
    expect(tries).toBeGreaterThan(2);
    const bundles = board.asked.filter((path) => path.startsWith('log/tile/entries/'));
    expect(bundles).toEqual([...new Set(bundles)]);
  });
});

describe('a mirror of a board that hides or erases', () => {
  test.each([
    [
      'hides an operator',
      (ctx: TestContext) => hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'Spam' }),
    ],
    ['deletes an account', (ctx: TestContext, id: number) => deleteAccount(ctx, id, 'ada')],
  ] as const)('drops payloads when it %s, also from the disk', async (_what, remove) => {
    const { ctx, board } = await aLongBoard();
    const { folder, open } = aMirrorOf(board);
    const mirror = await open();
    await mirror.pass();
    const { id, public_id } = ctx.store.operators.byCodename('ada') ?? expect.fail();
    expect(textOf(folder).includes(public_id)).toBe(true);

    await remove(ctx, id);
    publishAndKeep(ctx);
    board.advance();
    await mirror.pass();

    expect(wrongIn(mirror)).toEqual([]);
    expect(mirror.report.size).toBe(ctx.store.tiles.size());
    expect(textOf(folder).includes(public_id)).toBe(false);
  });
});

describe('the own files of a mirror', () => {
  test('cannot be used if nobody knows any more what the mirror has seen', async () => {
    const { board } = await aLongBoard();
    const { folder, open } = aMirrorOf(board);
    await passOf(open);
    for (const name of ['log/checkpoint', 'checkpoint.copy']) {
      writeFileSync(join(folder, name), flip(readFileSync(join(folder, name))));
    }

    await expect(open()).rejects.toThrow('Mirror the board again, in an empty folder');
  });

  const NAMES = [
    'log/checkpoint',
    'checkpoint.copy',
    'log/tile/0/000',
    'log/tile/0/001',
    'log/tile/1/000',
    'log/tile/entries/000',
    'log/tile/entries/001',
    'log/payload/000',
    'sums/000',
    'state.json',
  ];

  test.each(NAMES)('are repaired by the next start: %s', async (name) => {
    const { board } = await aLongBoard();
    const { folder, open } = aMirrorOf(board);
    await passOf(open);
    const path = join(folder, name);
    const before = readFileSync(path);
    writeFileSync(path, flip(before));

    const wrong = await passOf(open);

    expect(wrong).toEqual([]);
    const isText = name === 'state.json' || name.startsWith('sums');
    if (!isText) expect(readFileSync(path).equals(before)).toBe(true);
  });
});
