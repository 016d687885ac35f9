/** The checkpoint that readers see, and proofs for it. */
import { DomainError } from '#core/domain/text/errors.ts';
import { consistencyText, logProofText } from '#core/domain/tlog/log-proof.ts';
import { TILE_WIDTH, nodesIn } from '#core/domain/tlog/tile.ts';
import { type ReadNode, consistencyPath, inclusionPath } from '#core/domain/tlog/tree.ts';
import type { ConsistencyQuery, LogProofQuery } from '#core/contract/log-proofs.ts';
import type { AppContext } from '../context.ts';
import { sha256 } from '../process/crypto.ts';
import type { SignedCheckpoint } from './checkpoint-file.ts';

type Ctx = Pick<AppContext, 'checkpoints' | 'store'>;

/**
 * The signed checkpoint that readers see.
 *
 * @throws {DomainError} `service_unavailable` if there is none.
 */
export function readCheckpoint({ checkpoints }: Pick<Ctx, 'checkpoints'>): SignedCheckpoint {
  const { shown } = checkpoints;
  if (shown) return shown;
  throw new DomainError('service_unavailable', 'The log has no checkpoint yet. Try again later');
}

/**
 * The proof that an entry is in the checkpoint that readers see, or in the newest one that witnesses cosigned, with the
 * entry's text.
 *
 * @throws {DomainError} `not_found` if the checkpoint does not have the entry, or witnesses cosigned none.
 */
export function readLogProof(ctx: Ctx, { log_index, cosigned }: LogProofQuery): string {
  const { note, size } = cosigned === 'true' ? cosignedCheckpoint(ctx) : readCheckpoint(ctx);
  if (log_index > size) throw tooSmall(size, `entry ${log_index}`);
  const index = log_index - 1;
  const extra = entryAt(ctx, index);
  return logProofText({
    extra,
    index,
    path: inclusionPath(index, size, nodesOf(ctx), sha256),
    checkpoint: note,
  });
}

/**
 * The proof that the checkpoint that readers see extends an earlier tree.
 *
 * @throws {DomainError} `not_found` if the earlier tree is larger.
 */
export function readConsistency(ctx: Ctx, { from }: ConsistencyQuery): string {
  const checkpoint = readCheckpoint(ctx);
  if (from > checkpoint.size) throw tooSmall(checkpoint.size, `a tree of ${from} entries`);
  return consistencyWith(ctx, from, checkpoint);
}

function cosignedCheckpoint({ checkpoints: { cosigned } }: Ctx): SignedCheckpoint {
  if (cosigned) return cosigned;
  throw new DomainError('not_found', 'No quorum of witnesses has cosigned a checkpoint yet');
}

/** The consistency proof that a witness gets with a checkpoint of this log. */
export function consistencyWith(
  ctx: Pick<Ctx, 'store'>,
  oldSize: number,
  { note, size }: SignedCheckpoint,
): string {
  const path = consistencyPath(oldSize, size, nodesOf(ctx), sha256);
  return consistencyText({ oldSize, path, checkpoint: note });
}

function tooSmall(size: number, what: string): DomainError {
  return new DomainError('not_found', `The checkpoint has ${size} entries, and not ${what}`);
}

function entryAt({ store }: Ctx, index: number): Uint8Array {
  const number = Math.floor(index / TILE_WIDTH);
  const entry = store.tiles.entries(number, (index % TILE_WIDTH) + 1).at(-1);
  if (!entry) throw new Error(`The log has no entry for the leaf ${index}`);
  return entry;
}

/** Reads each tile once. The last tile is hashed when it is read, and a proof needs several of its nodes. */
function nodesOf({ store }: Pick<Ctx, 'store'>): ReadNode {
  const tiles = new Map<string, Uint8Array>();
  return nodesIn((level, number) => {
    const name = `${level}/${number}`;
    const tile = tiles.get(name) ?? store.tiles.tile(level, number);
    tiles.set(name, tile);
    return tile;
  }, sha256);
}
