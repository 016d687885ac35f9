import { availableParallelism } from 'node:os';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { NumberHeap } from '../state/blocks.ts';
import { moveSheet } from './move-sheet.ts';
import type { ProjectedOperator } from './project-operator.ts';
import type { Registry } from './registry.ts';
import { COMPUTED, SENT, type Share, type ShareRequest, type StoreAccess } from './share.ts';
import type { IdRange } from './sheet-maker.ts';

/** Threads that help to compute a day's operators. */
export interface HelperOptions {
  /** The file that a helping thread runs: that of the projecting thread. */
  workerUrl: string;
  access: StoreAccess;
  /** The fewest operators for which it is worth starting a thread. */
  fewest?: number;
  patienceMs?: number;
  /** Called if a thread failed. The projecting thread does its work. */
  onFailure: () => void;
}

/** Starting a thread takes as long as computing some hundred operators. */
const WORTH_IT = 4_000;

/** The server needs a processor too, and more threads would wait for the database. */
const MAX_HELPERS = 7;

/** How long a thread may compute nothing before it is given up, in milliseconds. */
const PATIENCE_MS = 30_000;

type Asked = Omit<ShareRequest, 'access' | 'first' | 'last' | 'port' | 'progress'>;

/** A range of operators that a helping thread computes. */
export interface Helper extends IdRange {
  /** Blocks until the share is there. Returns null if the thread failed. */
  wait(): Share | null;
}

/** Starts helping threads. Each takes an equal part of the IDs, and the first part remains. */
export function startHelpers(
  { workerUrl, access, fewest = WORTH_IT, patienceMs = PATIENCE_MS }: HelperOptions,
  { operators, lastId }: { operators: number; lastId: number },
  asked: Asked,
): Helper[] {
  const helpers = Math.min(MAX_HELPERS, availableParallelism() - 1);
  if (operators < fewest || helpers < 1) return [];
  const size = Math.ceil(lastId / (helpers + 1));
  return Array.from({ length: helpers }, (_, index) => {
    const range = { first: (index + 1) * size + 1, last: (index + 2) * size };
    return startHelper({ workerUrl, patienceMs }, { ...asked, ...range, access });
  });
}

function startHelper(
  { workerUrl, patienceMs }: Required<Pick<HelperOptions, 'patienceMs' | 'workerUrl'>>,
  asked: Omit<ShareRequest, 'port' | 'progress'>,
): Helper {
  const { port1, port2: port } = new MessageChannel();
  const progress = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const share: ShareRequest = { ...asked, port, progress };
  const worker = new Worker(new URL(workerUrl), { workerData: { share }, transferList: [port] });
  // A failure is noticed by the share that is missing.
  worker.on('error', () => undefined);
  return {
    first: asked.first,
    last: asked.last,
    wait() {
      waitFor(progress, patienceMs);
      const received = receiveMessageOnPort(port1) as { message: Share | null } | undefined;
      port1.close();
      void worker.terminate();
      return received?.message ?? null;
    },
  };
}

/** Blocks until a share was sent, or nothing more is computed. Events of the thread cannot arrive meanwhile. */
function waitFor(progress: Int32Array, patienceMs: number): void {
  let computed = -1;
  while (Atomics.load(progress, SENT) === 0 && Atomics.load(progress, COMPUTED) !== computed) {
    computed = Atomics.load(progress, COMPUTED);
    Atomics.wait(progress, SENT, 0, patienceMs);
  }
}

/**
 * Takes over what a helping thread computed: its numbers become a part of the memory, with positions and numbers as
 * they are there.
 */
export function takeShare(
  share: Share,
  { heap, registry, challenges }: { heap: NumberHeap; registry: Registry; challenges: number },
): Map<number, ProjectedOperator> {
  const moved = heap.append(share.numbers, share.next);
  const tools = share.tools.map((tool) => registry.toolNumber(tool));
  const sources = share.sources.map((source) => registry.sourceNumber(source));
  const changed = new Set(share.changed);
  const operators = new Map<number, ProjectedOperator>();
  for (const [id, { sheet, ...projected }] of share.operators) {
    if (changed.has(id)) continue;
    if (sheet !== 0) moveSheet(share.numbers, sheet, { moved, tools, sources, challenges });
    operators.set(id, { ...projected, sheet: sheet === 0 ? 0 : sheet + moved });
  }
  return operators;
}
