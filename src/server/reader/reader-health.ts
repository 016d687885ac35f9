import type { Health } from '../http/health.ts';
import type { Lifecycle } from '../lifecycle.ts';

/** The health of a reader. It has no database, backups or checkpoints of its own. */
export function readerHealthOf({ isEnding, running }: Lifecycle): Health {
  const { reader, publisher, isServing } = running;
  const age_s = Math.floor((reader?.watch.ageMs ?? 0) / 1000);
  return {
    process: isEnding ? 'stopping' : isServing ? 'ok' : 'starting',
    database: 'ok',
    publication: publisher?.edition ? { age_s, stale: false, differed: false } : null,
    backup: null,
    checkpoint: null,
    witnesses: null,
    object_store: reader ? { state: reader.watch.isConfirmed ? 'ok' : 'failing', age_s } : null,
    reader: reader
      ? {
          passesAll: reader.watch.current?.access === 'members',
          writer: reader.writer && reader.writer.isReachable,
        }
      : null,
  };
}
