/** The logs of a board by their addresses. There is only `/log`, unless a restored board had to begin a new one. */
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';
import { earlierLogs } from '../identity/log-key.ts';
import { readCheckpoint } from './proofs.ts';

type Ctx = Pick<AppContext, 'checkpoints' | 'store'>;

/** The address of a log below `/log/`: the number of its generation; undefined for the first one. */
type Address = string | undefined;

/**
 * The newest checkpoint of a log, as a note.
 *
 * @throws {DomainError} `not_found` if there is none, `service_unavailable` if the current log has none yet.
 */
export function readLogNote(ctx: Ctx, address: Address): string {
  const generation = generationAt(ctx, address);
  if (generation === ctx.checkpoints.generation) return readCheckpoint(ctx).note;
  const last = ctx.checkpoints.ofEarlier(generation);
  if (last) return last.note;
  throw new DomainError('not_found', 'The last checkpoint of this log is not known');
}

/**
 * How many entries of a log the board has. An earlier log may have had more.
 *
 * @throws {DomainError} `not_found` if the board has no such log.
 */
export function sizeOfLog(ctx: Ctx, address: Address): number {
  const generation = generationAt(ctx, address);
  if (generation === ctx.checkpoints.generation) return ctx.store.tiles.size();
  return earlierLogs(ctx.store).find((log) => log.generation === generation)?.size ?? 0;
}

function generationAt({ checkpoints }: Ctx, address: Address): number {
  const generation = address === undefined ? 1 : Number(address);
  const isCanonical = address === undefined || /^(?:[2-9]|[1-9]\d{1,5})$/.test(address);
  if (isCanonical && generation <= checkpoints.generation) return generation;
  throw new DomainError('not_found', 'The board has no such log');
}
