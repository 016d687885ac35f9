import type { Store } from '#db/store.ts';
import type { Condition } from './http/health.ts';
import type { Life } from './lifecycle.ts';
import type { PublicationAge } from './publication/publication-age.ts';
import { type StorageFault, storageFaultOf } from './process/storage-fault.ts';

/** How the process is, as probes are told. */
export function conditionOf({ isEnding, running }: Life, age: PublicationAge): Condition {
  const { store, publisher, isServing } = running;
  return {
    process: isEnding ? 'stopping' : isServing ? 'ok' : 'starting',
    database: store ? faultOf(store) : 'ok',
    publication: publisher?.edition ? { age_s: age.seconds, stale: age.isStale } : null,
  };
}

function faultOf(store: Store): StorageFault | 'ok' {
  try {
    store.confirmFile();
    store.log.head();
    return 'ok';
  } catch (error) {
    return storageFaultOf(error) ?? 'failed';
  }
}
