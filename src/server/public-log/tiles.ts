/** The public log in pieces: tiles and bundles by C2SP tlog-tiles, and their payloads. */
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { encodeBundle } from '#core/domain/tlog/bundle.ts';
import { TILE_WIDTH, parseTileNumber, tileAt, tileWidth } from '#core/domain/tlog/tile.ts';
import { HASH_BYTES } from '#core/domain/tlog/tree.ts';
import type { AppContext } from '../context.ts';
import { entryLine } from './lines.ts';

type Ctx = Pick<AppContext, 'checkpoints' | 'store'>;

/** How many entries readers see: those in the checkpoint that is shown. Without one, all of the tree. */
export function shownSize({ checkpoints, store }: Ctx): number {
  return checkpoints.shown?.size ?? store.tiles.size();
}

/**
 * The bytes of a tile or bundle, which never change.
 *
 * @param path Below the log's prefix, such as `tile/0/x001/234.p/5`.
 * @param size How many entries of the log readers see.
 * @throws {DomainError} `not_found` if the path is not that of a tile, or if readers do not see all of it yet.
 */
export function readTile(ctx: Ctx, path: string, size = shownSize(ctx)): Uint8Array {
  const tile = tileAt(path);
  if (!tile || tile.width > tileWidth(tile, size)) {
    throw new DomainError('not_found', `The tree has no /log/${path}`);
  }
  const { tiles } = ctx.store;
  const { level, number, width } = tile;
  if (level === 'entries') {
    const entries = tiles.entries(number, width);
    if (entries.length === width) return encodeBundle(entries);
  } else {
    const hashes = tiles.tile(level, number).subarray(0, width * HASH_BYTES);
    if (hashes.length === width * HASH_BYTES) return hashes;
  }
  throw new Error(`Entries or hashes of /log/${path} are missing`);
}

/**
 * What the entries of a bundle do not contain, one line of JSON each: salt, payload and receipt. Erased and withheld
 * entries have no line. Each entry is read when its line is sent, so that nothing is sent that was hidden meanwhile.
 *
 * @param number The number of the bundle as in its path, such as `x001/234`.
 * @param size How many entries of the log readers see.
 * @throws {DomainError} `not_found` if readers do not see such a bundle yet.
 */
export function payloadLines(ctx: Ctx, number: string, size = shownSize(ctx)): Iterable<string> {
  const [after, last] = rangeOf(number, size);
  return linesOf(ctx.store, after, last);
}

/**
 * The indexes of the entries that have a line. Entries never change, so the same indexes mean the same lines.
 *
 * @throws {DomainError} as {@linkcode payloadLines}.
 */
export function payloadIndexes(ctx: Ctx, number: string, size = shownSize(ctx)): number[] {
  return ctx.store.publicLog.shownIn(...rangeOf(number, size));
}

/** Both: the lines, and a tag that is the same while they are. It is read first, so that a later change shows. */
export function taggedPayload(ctx: Ctx, number: string, size: number) {
  const tag = payloadIndexes(ctx, number, size).join();
  return { tag, lines: payloadLines(ctx, number, size) };
}

/** The index before the first entry of a bundle, and that of the last one that readers see. */
function rangeOf(number: string, size: number): [after: number, last: number] {
  const bundle = parseTileNumber(number);
  if (bundle === null || bundle * TILE_WIDTH >= size) {
    throw new DomainError('not_found', `The tree has no /log/payload/${number}`);
  }
  const after = bundle * TILE_WIDTH;
  return [after, Math.min(size, after + TILE_WIDTH)];
}

function* linesOf({ publicLog }: Store, after: number, last: number): Generator<string> {
  for (let index = after + 1; index <= last; index += 1) {
    const entry = publicLog.at(index);
    if (!entry) continue;
    const { log_index, salt, payload, receipt } = entryLine(entry, entry.is_shown === 1);
    if (payload !== null) yield `${JSON.stringify({ log_index, salt, payload, receipt })}\n`;
  }
}
