/** The part of a day's operators that another thread computes, while the projecting thread computes the others. */
import type { MessagePort } from 'node:worker_threads';
import type { BucketSource } from '#core/domain/metrics/day-series.ts';
import { openStore } from '#db/store.ts';
import { NumberHeap, type NumberBlocks } from '../state/blocks.ts';
import { slotsOf } from './operator-slots.ts';
import type { ProjectedOperator, Term } from './project-operator.ts';
import type { Projected } from './read-changes.ts';
import { Registry } from './registry.ts';
import { type IdRange, operatorsIn, SheetMaker } from './sheet-maker.ts';

/** The cells of the progress. */
export const SENT = 0;
export const COMPUTED = 1;

/** How a helping thread opens the store. */
export interface StoreAccess {
  databasePath: string;
  migrations: string;
  writeLock?: SharedArrayBuffer;
}

export interface ShareRequest extends IdRange {
  access: StoreAccess;
  term: Term;
  /** What was found on another day. */
  earlier: Projected | null;
  /** The log entries and changes that the projecting thread sees. */
  log_index: number;
  change: number;
  /** Gets the share. */
  port: MessagePort;
  /** Two cells: whether the share was sent, and how many operators are computed. */
  progress: Int32Array<SharedArrayBuffer>;
}

/** What the thread found. Positions and numbers of tools and sources are its own. */
export interface Share {
  numbers: NumberBlocks;
  next: number;
  tools: string[];
  sources: BucketSource[];
  operators: [id: number, projected: ProjectedOperator][];
  /** Operators that changed after what the projecting thread sees. Those of accounts that ended are missing. */
  changed: number[];
}

/** Computes a share in a helping thread, and sends it; null if it failed. */
export function sendShare(request: ShareRequest): void {
  const { port, progress } = request;
  try {
    port.postMessage(shareOf(request));
  } catch {
    port.postMessage(null);
  } finally {
    Atomics.store(progress, SENT, 1);
    Atomics.notify(progress, SENT);
  }
}

function shareOf({ access, term, earlier, progress, ...asked }: ShareRequest): Share {
  const { databasePath: path, ...options } = access;
  const store = openStore({ path, ...options, now: () => new Date() });
  try {
    return store.snapshot(() => {
      const heap = new NumberHeap();
      const registry = new Registry(earlier?.state.toolNames, earlier?.state.sources);
      const before = earlier && { projected: earlier, slots: slotsOf(earlier.state.operators) };
      const maker = new SheetMaker(store, { heap, registry, term }, before);
      const operators: Share['operators'] = [];
      for (const { row, usage } of operatorsIn(store, asked)) {
        operators.push([row.id, maker.make(row, usage)]);
        Atomics.add(progress, COMPUTED, 1);
      }
      const changed = store.operatorChanges.since(asked.log_index, asked.change);
      const { blocks: numbers, next } = heap;
      const { tools, sources } = registry;
      return { numbers, next, tools, sources, operators, changed };
    });
  } finally {
    store.close();
  }
}
