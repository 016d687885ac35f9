/** A second thread that takes its part of the logs to read. */
import { Worker, parentPort, workerData } from 'node:worker_threads';
import type { FileUsage } from '#core/readers/reader.ts';
import { parseEntry } from './kept-entry.ts';
import { paceOf } from './pace.ts';
import { type Outcome, type SharedTasks, readTaken, taskReader } from './tasks.ts';

/** What the thread sends: the entry as text, which takes less time than a structured clone of it. */
interface Message {
  index: number;
  outcome: { reason: string } | { text: string; usage: FileUsage | null };
}

/** Enough for lines that are held one after the other, so that the thread costs little memory. */
const YOUNG_MB = 4;

/** A thread that does tasks and sends their outcomes. */
export class SecondThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  /** @param program Runs {@linkcode serveTasks}: a file, or its text. */
  constructor(
    program: URL | string,
    shared: SharedTasks,
    take: (index: number, outcome: Outcome) => void,
  ) {
    this.#worker = new Worker(program, {
      eval: typeof program === 'string',
      workerData: shared,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', ({ index, outcome }: Message) => take(index, unfold(outcome)));
    this.#ended = new Promise((resolve) => {
      // Whatever it fails at is left to the main thread.
      this.#worker.on('error', () => resolve()).on('exit', () => resolve());
    });
  }

  /** Waits until it has sent all that it took. */
  ended(): Promise<void> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** What the second thread does. */
export async function serveTasks(): Promise<void> {
  const shared = workerData as SharedTasks;
  for await (const [index, outcome] of readTaken(shared, taskReader(paceOf(shared.read)))) {
    const message: Message = { index, outcome: fold(outcome) };
    parentPort?.postMessage(message);
  }
}

/** Leaves out what can be made again: the entry, and a usage that is the entry's. */
function fold(outcome: Outcome): Message['outcome'] {
  if ('reason' in outcome) return outcome;
  const { entry, usage, text } = outcome;
  return { text, usage: usage === entry.usage ? null : usage };
}

function unfold(outcome: Message['outcome']): Outcome {
  if ('reason' in outcome) return outcome;
  const { text, usage } = outcome;
  const entry = parseEntry(text);
  return { entry, usage: usage ?? entry.usage, text };
}
