import { on, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { endThread } from '#db/threads/thread-end.ts';
import type { Logger } from '#server/process/logger.ts';
import type { MoveNotice } from '../move-turns.ts';
import type {
  Carried,
  Queues,
  WorkerAnswer,
  WorkerFailure,
  WorkerMessage,
  WorkerNotice,
  WorkerOptions,
  WorkerRequest,
} from '../worker.ts';

export interface ThreadOptions {
  workerUrl: URL;
  worker: WorkerOptions;
  logger: Logger;
  /** Called when data in memory differed from the database. The next publication computes everything again. */
  onDifference?: () => void;
  /** How long an answer may take, in milliseconds, before the thread is replaced. */
  maxAnswerMs?: number;
  /** Called when the thread reports how much work is left. */
  onQueues?: (queues: Queues) => void;
}

/** 20 minutes. Only a thread that hangs takes this long. */
const MAX_ANSWER_MS = 20 * 60_000;

/** What the first thread knows. */
const NOTHING: Carried = { shown: null, last: null, tip: null, sought: [] };

/** The thread that computes publications. If it was idle, died or hangs, the next request starts a new one. */
export class ProjectingThread {
  readonly #options: ThreadOptions;
  #worker: Worker | null = null;
  #carried = NOTHING;
  #isAsked = false;
  #ended: Promise<unknown> = Promise.resolve();
  /** Notices that were logged. A later thread repeats those of moves that stopped. */
  readonly #noticed = new Set<string>();
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** @throws {Error} if the thread fails, ends, hangs or is closed. */
  async ask(request: WorkerRequest): Promise<WorkerAnswer> {
    if (this.#closed) throw new Error('The projecting thread is closed');
    const worker = (this.#worker ??= this.#start());
    this.#isAsked = true;
    worker.postMessage(request);
    const settled = new AbortController();
    const deadline = this.#endLate(worker);
    try {
      const { signal } = settled;
      const said = await Promise.race([answerOf(worker, signal), endOf(worker, signal)]);
      if ('failed' in said) throw failureFrom(said);
      this.#carried = { ...this.#carried, sought: said.sought };
      return said;
    } finally {
      this.#isAsked = false;
      clearTimeout(deadline);
      settled.abort();
    }
  }

  /** Ends the thread, whatever it is doing. Publications that it has not stored completely are discarded. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#worker && endThread(this.#worker), this.#ended]);
  }

  #endLate(worker: Worker): NodeJS.Timeout {
    const { logger, maxAnswerMs = MAX_ANSWER_MS } = this.#options;
    const end = () => {
      logger.warn('projection_hangs', { after_s: Math.round(maxAnswerMs / 1000) });
      void endThread(worker);
    };
    return setTimeout(end, maxAnswerMs).unref();
  }

  #start(): Worker {
    const { workerUrl, worker: options, logger } = this.#options;
    const data = { ...options, workerUrl: workerUrl.href, carried: this.#carried };
    const worker = new Worker(workerUrl, { workerData: data });
    worker.on('message', (message: WorkerMessage) => {
      if (isNotice(message)) return this.#log(message);
      if ('queues' in message) this.#options.onQueues?.(message.queues);
      // A request that was sent in the meantime needs the thread.
      if (!('idle' in message) || this.#isAsked) return;
      this.#carried = message.idle;
      this.#worker = null;
      this.#ended = endThread(worker);
    });
    worker.once('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      // What it stored last is unknown, so the next one reads it.
      this.#carried = { ...NOTHING, sought: this.#carried.sought };
    });
    worker.on('error', (error) => logger.error('projection_failed', error));
    return worker;
  }

  #log(notice: WorkerNotice): void {
    if ('move' in notice) return this.#logMove(notice);
    const { differing, failed } = notice;
    if (failed !== undefined) return this.#options.logger.warn('spot_check_failed', { failed });
    this.#options.logger.warn('operators_differ', { operators: differing.join(', ') });
    this.#options.onDifference?.();
  }

  #logMove({ state, ...fields }: MoveNotice): void {
    const event = `move_${state}`;
    const key = `${event} ${fields.move}`;
    if (this.#noticed.has(key)) return;
    this.#noticed.add(key);
    this.#options.logger[state === 'stopped' ? 'warn' : 'info'](event, fields);
  }
}

function isNotice(message: WorkerMessage): message is WorkerNotice {
  return 'move' in message || 'differing' in message;
}

function failureFrom({ failed: { message, ...parts } }: WorkerFailure): Error {
  return Object.assign(new Error(message), parts);
}

/** The answer to a request. The thread may have sent a notice, or said that it is idle, before it received the request. */
async function answerOf(
  worker: Worker,
  signal: AbortSignal,
): Promise<WorkerAnswer | WorkerFailure> {
  for await (const [message] of on(worker, 'message', { signal })) {
    const said = message as WorkerMessage;
    if (!('idle' in said) && !('queues' in said) && !isNotice(said)) return said;
  }
  throw new Error('The projecting thread sent no answer');
}

async function endOf(worker: Worker, signal: AbortSignal): Promise<never> {
  const [code] = await once(worker, 'exit', { signal });
  throw new Error(`The projecting thread ended with code ${String(code)}`);
}
