/** The objects of the public log: at the same paths as under `/log/`, so that the bucket has a log that others can read. */
import type { Store } from '#db/store.ts';
import { visibilityOf } from '#core/domain/board/visibility.ts';
import { generationOf } from '#core/domain/tlog/log-path.ts';
import { TILE_WIDTH, type Tile, payloadPath, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import { ErasePayload, VisibilityPayload } from '#core/schema/log-payload.ts';
import { checkpointPath } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import { earlierLogs } from '../identity/log-key.ts';
import { readLargest } from '../public-log/checkpoint-file.ts';
import { LOG } from './keys.ts';

/** A log of the board, in the store below its prefix. */
export interface LogPlace {
  prefix: string;
  /** How many entries readers see. */
  size: number;
  /** The newest checkpoint; null if it is not known. */
  note: string | null;
}

type Ctx = Pick<AppContext, 'checkpoints' | 'config' | 'store'>;

/** The number of the current log, and all logs, the current one last. Null while no checkpoint can be signed. */
export function logsOf({ checkpoints, config, store }: Ctx) {
  const { key, signed } = checkpoints;
  if (!key || !signed) return null;
  const earlier = earlierLogs(store).map(({ generation, size }): LogPlace => {
    const note = readLargest(checkpointPath(config, generation))?.note ?? null;
    return { prefix: prefixOf(generation), size, note };
  });
  const generation = generationOf(key.origin);
  const { size, note } = signed;
  const current = { prefix: prefixOf(generation), size, note };
  return { generation, places: [...earlier, current], signed };
}

/** Where the logs of a board are in the store, also while no checkpoint can be signed. */
export function prefixesOf(store: Store): string[] {
  const earlier = earlierLogs(store).map(({ generation }) => generation);
  return [...earlier, earlier.length + 1].map(prefixOf);
}

function prefixOf(generation: number): string {
  return generation === 1 ? LOG : `${LOG}${generation}/`;
}

/** The tiles and bundles that a log of `to` entries has, and one of `from` entries does not. */
export function* newTiles(from: number, to: number): Generator<Tile> {
  yield* newTilesAt('entries', from, to);
  for (let level = 0; tileWidth({ level, number: 0 }, to) > 0; level += 1) {
    yield* newTilesAt(level, from, to);
  }
}

function* newTilesAt(level: Tile['level'], from: number, to: number): Generator<Tile> {
  const span = TILE_WIDTH ** (level === 'entries' ? 1 : level + 1);
  for (let number = Math.floor(from / span); ; number += 1) {
    const width = tileWidth({ level, number }, to);
    if (width === 0) return;
    if (width > tileWidth({ level, number }, from)) yield { level, number, width };
  }
}

/** The folder of the partial tiles that a full tile replaces. */
export function partialFolder(tile: Tile): string {
  return `${tilePath({ ...tile, width: TILE_WIDTH })}.p/`;
}

/** The numbers of the bundles that a log of `to` entries has, and one of `from` entries does not have completely. */
export function newBundles(from: number, to: number): number[] {
  const first = Math.floor(from / TILE_WIDTH);
  const length = Math.max(0, Math.ceil(to / TILE_WIDTH) - first);
  return to > from ? Array.from({ length }, (_, at) => first + at) : [];
}

/** The number of a bundle in its path, such as `x001/234`. */
export function bundleName(number: number): string {
  return payloadPath(number).slice('payload/'.length);
}

/**
 * The numbers of bundles whose payloads are shown otherwise since an entry, because operators were hidden, shown or
 * deleted.
 *
 * @param isExact False to include all operators with such entries, if objects may be newer than that entry.
 */
export function changedBundles(store: Store, since: number, isExact: boolean): number[] {
  const { log, publicLog } = store;
  const operators = publicLog.seenOtherwiseSince(since).filter((id) => {
    return !isExact || wasShown(store, id, since) !== isShown(store, id);
  });
  const erased = log.ofKind('erase', since).flatMap(({ payload }) => erasedRanges(payload));
  return [
    ...new Set([
      ...operators.flatMap((operator_id) => publicLog.bundlesOf(operator_id, since)),
      ...erased.flatMap(([first, last]) => newBundles(first - 1, Math.min(last, since))),
    ]),
  ];
}

/** Whether the public log showed an operator's submissions after an entry. */
function wasShown({ publicLog }: Store, operator_id: number, last: number): boolean {
  const { payload = null, hiding = null } = publicLog.visibilityAt(operator_id, last) ?? {};
  if (payload === null) return false;
  const { privacy_mode, data_opt_out, codename } = VisibilityPayload.parse(jsonIn(payload));
  const names = { codename, alias: '', isHidden: hiding === 'hide' };
  return visibilityOf(privacy_mode, names).is_open && !data_opt_out;
}

function isShown({ log, publicLog }: Store, operator_id: number): boolean {
  return publicLog.visibilityAt(operator_id, log.head()?.index ?? 0)?.is_shown === 1;
}

function erasedRanges(payload: Uint8Array | null): [number, number][] {
  return payload === null ? [] : ErasePayload.parse(jsonIn(payload)).entries;
}

function jsonIn(payload: Uint8Array): unknown {
  return JSON.parse(Buffer.from(payload).toString('utf8'));
}
