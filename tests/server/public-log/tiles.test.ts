import { describe, expect, test } from 'vitest';
import { entryText, hex } from '#core/domain/log/log-entry.ts';
import { decodeBundle } from '#core/domain/tlog/bundle.ts';
import { hashesOf, nodesIn } from '#core/domain/tlog/tile.ts';
import { leafHash, rootOf } from '#core/domain/tlog/tree.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { sha256 } from '#server/process/crypto.ts';
import { payloadIndexes, payloadLines, readTile } from '#server/public-log/tiles.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';

/** A board on which two operators submitted, and the ID of the first one. */
async function aBoard(): Promise<{ ctx: TestContext; ada: number }> {
  const ctx = testContext();
  for (const codename of ['ada', 'bob']) {
    const device = await anEnrolledDevice(ctx, codename);
    await submit(ctx, device, bucketsOfDays(9, '2026-02-25'));
  }
  publishAndKeep(ctx);
  return { ctx, ada: ctx.store.operators.byCodename('ada')?.id ?? 0 };
}

/** A board whose log has some entries, which are not about anybody. */
function aLongBoard(size: number): TestContext {
  const ctx = testContext();
  const { log, tiles, transaction } = ctx.store;
  const aNewEntry = { kind: 'ruleset', operator_id: null, payload: {}, now: ctx.now() } as const;
  while (tiles.size() < size) transaction(() => log.append(aNewEntry));
  return ctx;
}

const sidecar = (ctx: TestContext) =>
  [...payloadLines(ctx, '000')].map((line) => JSON.parse(line) as { log_index: number });

/** The same from the public log as a file. */
function fromFile(ctx: TestContext) {
  return exportOf(ctx)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ line, payload }) => line === 'entry' && payload !== null)
    .map(({ log_index, salt, payload, receipt }) => ({ log_index, salt, payload, receipt }));
}

describe('tiles and bundles', () => {
  test('let anyone compute the root of the tree, and the hash of each entry', () => {
    const ctx = aLongBoard(600);
    const width = (level: number, number: number) => {
      if (level === 1) return '.p/2';
      return number === 2 ? '.p/88' : '';
    };
    const tile = (level: number, number: number) =>
      readTile(ctx, `tile/${level}/00${number}${width(level, number)}`);

    expect(hex(rootOf(600, nodesIn(tile, sha256), sha256))).toBe(
      hex(rootOf(600, ctx.store.tiles.node, sha256)),
    );
    const last = decodeBundle(readTile(ctx, 'tile/entries/002.p/88')).at(-1) ?? Buffer.alloc(0);
    const { log_index: index, ...entry } = ctx.store.log.at(600) ?? expect.fail();
    expect(Buffer.from(last).toString()).toBe(entryText({ index, ...entry }, entry.payload_digest));
    expect(hex(sha256(last))).toBe(entry.entry_hash);
    expect(hashesOf(tile(0, 2)).at(-1)?.join()).toBe(leafHash(last, sha256).join());
  });

  test('never change: a partial tile is the beginning of the full one', () => {
    const ctx = aLongBoard(600);

    for (const path of ['tile/0/001', 'tile/0/002.p/88', 'tile/entries/001']) {
      const [start = '', width = '256'] = path.split('.p/');
      const shorter = readTile(ctx, `${start}.p/${Number(width) - 1}`);
      expect([...readTile(ctx, path).subarray(0, shorter.length)]).toEqual([...shorter]);
    }
  });

  test.each([
    'tile/0/002',
    'tile/0/002.p/89',
    'tile/0/003.p/1',
    'tile/entries/002',
    'tile/entries/002.p/89',
    'tile/1/000',
    'tile/1/000.p/3',
    'tile/2/000.p/1',
    'tile/63/x009/x007/x199/x254/x740/991',
    'tile/0/0',
  ])('%s does not exist in a tree of 600 entries', (path) => {
    expect(() => readTile(aLongBoard(600), path)).toThrow(`The tree has no /log/${path}`);
  });

  test('are shown as far as the checkpoint goes, and so are payloads', () => {
    const ctx = aLongBoard(600);
    const [note, root] = ['', new Uint8Array(32)];
    ctx.checkpoints = {
      ...ctx.checkpoints,
      shown: { note, origin: '', size: 300, root },
      fault: null,
      cosigned: null,
      key: null,
    };

    for (const path of ['tile/0/001', 'tile/0/001.p/45', 'tile/entries/002.p/1', 'tile/1/000.p/2'])
      expect(() => readTile(ctx, path)).toThrow(`The tree has no /log/${path}`);
    expect(readTile(ctx, 'tile/0/001.p/44')).toHaveLength(44 * 32);
    expect([...payloadLines(ctx, '001')]).toHaveLength(44);
    expect(() => payloadLines(ctx, '002')).toThrow('The tree has no /log/payload/002');
  });

  test('are not sent if entries of them are missing', () => {
    const ctx = aLongBoard(40);
    ctx.store.tiles.entries = () => [];

    expect(() => readTile(ctx, 'tile/entries/000.p/40')).toThrow('are missing');
  });
});

describe('payloads', () => {
  test('are those that the public log has as a file', async () => {
    const { ctx } = await aBoard();

    expect(sidecar(ctx)).toEqual(fromFile(ctx));
    expect(sidecar(ctx).length).toBe(ctx.store.log.head()?.index);
    expect(() => payloadLines(ctx, '001')).toThrow('The tree has no /log/payload/001');
    expect(() => payloadLines(ctx, '0')).toThrow('The tree has no /log/payload/0');
  });

  test.each<[string, (ctx: TestContext, id: number) => unknown]>([
    ['opts out', (ctx, id) => setDataOptOut(ctx, id, { opt_out: true })],
    ['becomes anonymous', (ctx, id) => updateProfile(ctx, id, { privacy_mode: 'anonymous' })],
    ['becomes private', (ctx, id) => updateProfile(ctx, id, { privacy_mode: 'private' })],
    ['is hidden', (ctx) => hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'Spam' })],
    ['is deleted', (ctx, id) => deleteAccount(ctx, id, 'ada')],
  ])('vanish at once if the operator %s, and the tree stays as it is', async (_name, change) => {
    const { ctx, ada } = await aBoard();
    const size = ctx.store.tiles.size();
    const [bundle, tile] = [`tile/entries/000.p/${size}`, `tile/0/000.p/${size}`];
    const before = [readTile(ctx, bundle), readTile(ctx, tile)].map(hex);
    const { public_id } = ctx.store.operators.byId(ada) ?? expect.fail();
    expect(JSON.stringify(sidecar(ctx))).toContain(public_id);

    await change(ctx, ada);

    const shown = sidecar(ctx).filter(({ log_index }) => log_index <= size);
    expect(JSON.stringify(shown)).not.toContain(public_id);
    expect(sidecar(ctx)).toEqual(fromFile(ctx));
    expect(payloadIndexes(ctx, '000')).toEqual(sidecar(ctx).map(({ log_index }) => log_index));
    expect(sidecar(ctx).length).toBeGreaterThan(3);
    expect([readTile(ctx, bundle), readTile(ctx, tile)].map(hex)).toEqual(before);
  });

  test('vanish while they are sent', async () => {
    const { ctx, ada } = await aBoard();
    const lines = payloadLines(ctx, '000')[Symbol.iterator]();
    lines.next();

    await deleteAccount(ctx, ada, 'ada');

    const rest = Array.from({ [Symbol.iterator]: () => lines }).map(
      (line) => JSON.parse(line) as object,
    );
    expect([sidecar(ctx)[0], ...rest]).toEqual(
      sidecar(ctx).filter(({ log_index }) => log_index < (ctx.store.log.head()?.index ?? 0)),
    );
  });
});
