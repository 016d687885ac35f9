/** The logs of a board by their addresses. There is only `/log`, unless a restored board had to begin a new one. */
import { DomainError } from '#core/domain/text/errors.ts';
import { checkpointPath } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import { type EarlierLog, earlierLogs } from '../identity/log-key.ts';
import { readLargest } from './checkpoint-file.ts';
import { readCheckpoint } from './proofs.ts';
import { shownSize } from './tiles.ts';

type Ctx = Pick<AppContext, 'checkpoints' | 'store'>;

/** The part of an address after `/log/` that names a later log, such as `2`; undefined for the first log. */
type LaterLog = string | undefined;

/**
 * The newest checkpoint of a log, as a note.
 *
 * @throws {DomainError} `not_found` if there is none, `service_unavailable` if the current log has none yet.
 */
export function readLogNote(ctx: Ctx & Pick<AppContext, 'config'>, name: LaterLog): string {
  const earlier = earlierLog(ctx, name);
  if (!earlier) return readCheckpoint(ctx).note;
  const last = readLargest(checkpointPath(ctx.config, earlier.generation));
  if (last) return last.note;
  throw new DomainError('not_found', 'The last checkpoint of this log is not known');
}

/**
 * How many entries of a log readers see. An earlier log may have had more than the board still has.
 *
 * @throws {DomainError} `not_found` if the board has no such log.
 */
export function sizeOfLog(ctx: Ctx, name: LaterLog): number {
  const earlier = earlierLog(ctx, name);
  return earlier ? earlier.size : shownSize(ctx);
}

/** Null for the current log. */
function earlierLog({ store }: Pick<Ctx, 'store'>, name: LaterLog): EarlierLog | null {
  const earlier = earlierLogs(store);
  const generation = name === undefined ? 1 : Number(name);
  const isCanonical = name === undefined || /^(?:[2-9]|[1-9]\d{1,5})$/.test(name);
  if (isCanonical && generation <= earlier.length + 1) return earlier[generation - 1] ?? null;
  throw new DomainError('not_found', 'The board has no such log');
}
