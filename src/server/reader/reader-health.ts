import type { Health } from '../http/health.ts';
import type { Lifecycle, Running } from '../lifecycle.ts';

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
    ...(reader ? healthIn(reader) : { object_store: null }),
  };
}

function healthIn({ watch, writer }: NonNullable<Running['reader']>) {
  const { ageMs, current, isConfirmed } = watch;
  const age_s = ageMs === Infinity ? null : Math.floor(ageMs / 1000);
  return {
    object_store: { state: isConfirmed ? ('ok' as const) : ('failing' as const), age_s },
    reader: { passesAll: current?.access === 'members', writer: writer && writer.state },
  };
}
