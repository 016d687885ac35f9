import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBundle, encodeBundle } from '#core/domain/tlog/bundle.ts';
import { nodesIn } from '#core/domain/tlog/tile.ts';
import { leafHash, rootOf } from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import { readTile } from '#server/public-log/tiles.ts';
import { forge, signAnew } from '#tests/support/board/public-log.ts';
import { type Lie, flip } from '#tests/support/tlog/lying-board.ts';
import { aLongBoard, aMirrorOf, grow, passOf, wrongIn } from '#tests/support/tlog/mirror-scene.ts';

const LIES: readonly [what: string, path: RegExp | string, lie: Lie, found: RegExp][] = [
  ['the checkpoint', 'log/checkpoint', flip, /^checkpoint: \/log\/checkpoint cannot be trusted/],
  ['a tile of entries', 'log/tile/0/000', flip, /^tree: \/log\/tile\/0\/000 does not have/],
  [
    'a partial tile',
    /^log\/tile\/0\/001\.p/,
    flip,
    /^tree: \/log\/tile\/0\/001\.p\/\d+ does not give/,
  ],
  ['a tile above', /^log\/tile\/1/, flip, /^tree: .*log\/tile\/1\/000\.p\/1/],
  ['a bundle', 'log/tile/entries/000', flip, /^tree: \/log\/tile\/entries\/000 /],
  ['a partial bundle', /^log\/tile\/entries\/001/, flip, /^tree: \/log\/tile\/entries\/001\.p/],
  ['a missing bundle', 'log/tile/entries/000', () => null, /entries\/000 is missing$/],
  ['payloads', 'log/payload/000', flip, /^payloads: \/log\/payload\/000 /],
  ['missing payloads', 'log/payload/001', () => null, /^payloads: \/log\/payload\/001 is missing$/],
  ['a huge file', 'log/tile/0/000', () => Buffer.alloc(9000), /0\/000 has more than 8192 bytes/],
  ['the files of boards', /ndjson\.gz$/, flip, /^standings: \/log\.ndjson\.gz /],
];

describe('a mirror of a lying board', () => {
  test.each(LIES)('finds and names %s', async (_what, path, lie, found) => {
    const { board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    board.lie(path, lie);

    const wrong = await passOf(open);
    board.confess();

    expect(wrong).toEqual([expect.stringMatching(found)]);
    expect(await passOf(open)).toEqual([]);
  });

  test.each(['log/tile/0/000', 'log/tile/entries/000', 'log/payload/000', 'log/payload/001'])(
    'finds a flipped bit anywhere in %s',
    async (path) => {
      const { board } = await aLongBoard();
      const { open } = aMirrorOf(board);
      let at = 0;
      board.lie(path, (bytes) => flip(bytes, Math.floor(at * bytes.length)));

      for (at = 0; at < 1; at += 0.13) {
        expect([at, await passOf(open)]).toEqual([
          at,
          [expect.stringMatching(new RegExp(`^(tree|payloads): /${path} `))],
        ]);
      }
    },
  );

  test('waits as long as the board asks, and no longer than a minute', async () => {
    const { board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    let busy = 3;
    board.lie('log/tile/0/000', (bytes) => (busy-- > 0 ? 503 : bytes));

    const patient = await passOf(open);
    busy = 1000;
    board.lie('log/checkpoint', () => 503);
    const [given = ''] = await passOf(open);

    expect(patient).toEqual([]);
    expect(given).toContain(
      'board: / /log/checkpoint is not available, and asks to wait 1 seconds',
    );
  });

  test('finds a receipt that the board did not sign', async () => {
    const { board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    board.lie('log/payload/000', (bytes) =>
      bytes.toString().replace(/"sig":"(.)/, (_, sign) => `"sig":"${sign === 'A' ? 'B' : 'A'}`),
    );

    expect(await passOf(open)).toEqual([
      expect.stringMatching(/^payloads: \/log\/payload\/000 has a wrong receipt of entry \d+/),
    ]);
  });

  test('finds standings that do not follow from the log', async () => {
    const { ctx, board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    board.lie(/ndjson\.gz$/, (bytes) => {
      const lines = gunzipSync(bytes)
        .toString()
        .split(/(?<=\n)/);
      const forged = lines.map((text) =>
        text.startsWith('{"line":"standing"') ? text.replace(/"yield":\[1,/, '"yield":[2,') : text,
      );
      const whole = forged.map((text, at) =>
        text === lines[at] ? text : forge(text, () => undefined),
      );
      return gzipSync(signAnew(ctx, whole).join(''));
    });

    const [first = ''] = await passOf(open);

    expect(first).toMatch(/^standings: \/log\.ndjson\.gz line \d+: the current board/);
  });

  test('finds a history whose entries were reordered before it was signed', async () => {
    const { ctx, board } = await aLongBoard();
    const { open } = aMirrorOf(board);
    const leaves = decodeBundle(readTile(ctx, 'tile/entries/000')).slice(0, 100);
    [leaves[4], leaves[5]] = [leaves[5] as Uint8Array, leaves[4] as Uint8Array];
    const tile = Buffer.concat(leaves.map((leaf) => leafHash(leaf, sha256)));
    const root = rootOf(
      100,
      nodesIn(() => tile, sha256),
      sha256,
    );
    board.lie('log/checkpoint', () => board.sign({ size: 100, root }));
    board.lie('log/tile/0/000.p/100', () => tile);
    board.lie('log/tile/entries/000.p/100', () => Buffer.from(encodeBundle(leaves)));

    expect(await passOf(open)).toEqual([
      'payloads: /log/tile/entries/000 does not have entry 5 in its place',
    ]);
  });

  test('keeps its checkpoint and the evidence if the log is rewound, split or forked', async () => {
    const { ctx, board } = await aLongBoard();
    const { folder, open } = aMirrorOf(board);
    await passOf(open);
    const size = ctx.store.tiles.size();
    const kept = readFileSync(join(folder, 'log', 'checkpoint'), 'utf8');
    const root = (of: number) => rootOf(of, ctx.store.tiles.node, sha256);
    const show = async (note: string) => {
      board.confess();
      board.lie('log/checkpoint', () => note);
      return passOf(open);
    };

    const rewound = await show(board.sign({ size: size - 5, root: root(size - 5) }));
    const split = await show(board.sign({ size, root: root(size - 1) }));

    expect(rewound).toEqual([expect.stringContaining(`history: /log/checkpoint was rewound`)]);
    expect(split).toEqual([expect.stringContaining(`is another history of ${size} entries`)]);
    expect(readFileSync(join(folder, 'log', 'checkpoint'), 'utf8')).toBe(kept);
    expect(readdirSync(join(folder, 'evidence'))).toHaveLength(2);
    board.confess();
    expect(await passOf(open)).toEqual([]);
  });

  test('finds a longer history that does not contain the one that it has', async () => {
    const { ctx, board } = await aLongBoard();
    const { folder, open } = aMirrorOf(board);
    await passOf(open);
    const other = await aLongBoard();
    grow(other.ctx, 10);
    other.board.advance();
    const { size } = other.ctx.checkpoints.shown ?? expect.fail();
    const root = rootOf(size, other.ctx.store.tiles.node, sha256);
    for (const kind of [/^log\/tile\//, /^log\/payload\//]) {
      board.lie(kind, () => 0);
    }
    board.lie('log/checkpoint', () => board.sign({ size, root }));
    const answers = new Map<string, Buffer>();
    for (const path of ['tile/0/001.p', 'tile/1/000.p']) {
      const width = path === 'tile/1/000.p' ? 1 : size % 256;
      const response = await fetch(`${other.board.url}/log/${path}/${width}`);
      answers.set(`log/${path}/${width}`, Buffer.from(await response.arrayBuffer()));
    }
    for (const [path, bytes] of answers) board.lie(path, () => bytes);

    const wrong = await passOf(open);

    expect(wrong).toEqual([
      expect.stringMatching(/^history: .* its first \d+ entries differ\. Both/),
    ]);
    const [name = ''] = readdirSync(join(folder, 'evidence'));
    expect(readdirSync(join(folder, 'evidence', name)).sort()).toEqual([
      'checkpoint',
      'earlier-checkpoint',
      'log',
    ]);
    expect(ctx.store.tiles.size()).toBeLessThan(size);
  });

  test('reports payloads that disappear without a reason in the log, after an hour', async () => {
    const { board } = await aLongBoard();
    const { folder, clock, open } = aMirrorOf(board);
    const mirror = await open();
    await mirror.pass();
    clock.ms += 180_000;
    await mirror.pass();
    board.lie('log/payload/000', (bytes) =>
      bytes
        .toString()
        .split(/(?<=\n)/)
        .slice(0, -1)
        .join(''),
    );
    clock.ms += 25 * 3_600_000;

    await mirror.pass();
    const early = wrongIn(mirror);
    clock.ms += 3_600_000;
    await mirror.pass();

    expect(early).toEqual([]);
    expect(wrongIn(mirror)).toEqual([
      expect.stringMatching(/^withheld: \/log\/payload\/000 does not show 1 of its payloads/),
    ]);
    const lines = readFileSync(join(folder, 'log', 'payload', '000'), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(255);
  });
});
