import { Worker } from 'node:worker_threads';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Logger } from '../process/logger.ts';
import type { MarkdownMessage, MarkdownRequest, PageMarkdown } from './markdown-worker.ts';

interface MarkdownThreadOptions {
  /** The built thread, or its source under test. */
  workerUrl: URL;
  logger: Pick<Logger, 'error' | 'warn'>;
  maxPageMs?: number;
  idleMs?: number;
}

export type ToMarkdown = (request: MarkdownRequest) => Promise<PageMarkdown>;

/** The longest page of a board has 500 kB, and takes a second on a busy machine. */
const MAX_HTML_LENGTH = 2 * 1024 * 1024;
const MAX_PAGE_MS = 10_000;
/** Pages that wait for the thread, including the one being converted. */
const MAX_WAITING = 50;
/** The thread's memory limit in MB. The longest page takes less than half of it. */
const MAX_HEAP_MB = 128;
/** The thread has 20 MB when it is idle, and starts in a tenth of a second. */
const IDLE_MS = 30_000;

/** Converts pages to Markdown in one thread, one after the other. The thread starts with a page and ends when idle. */
export class MarkdownThread {
  readonly #options: MarkdownThreadOptions;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: MarkdownThreadOptions) {
    this.#options = options;
  }

  async convert(request: MarkdownRequest): Promise<PageMarkdown> {
    if (request.html.length > MAX_HTML_LENGTH) throw unavailable('This page is too long');
    if (this.#waiting >= MAX_WAITING)
      throw unavailable('Too many pages are waiting to be converted');
    this.#waiting += 1;
    clearTimeout(this.#idle);
    const turn = this.#last.then(() => this.#convert(request));
    this.#last = turn.catch(() => undefined);
    return turn.finally(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#idle = this.#stopLater();
    });
  }

  stop(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #stopLater(): NodeJS.Timeout {
    return setTimeout(() => this.stop(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  async #convert(request: MarkdownRequest): Promise<PageMarkdown> {
    const worker = (this.#worker ??= this.#start());
    const deadline = this.#endLate(worker);
    const answer = answerOf(worker);
    worker.postMessage(request);
    try {
      const message = await answer;
      if ('failed' in message) throw new Error(message.failed);
      return message;
    } finally {
      clearTimeout(deadline);
    }
  }

  #endLate(worker: Worker): NodeJS.Timeout {
    const { logger, maxPageMs = MAX_PAGE_MS } = this.#options;
    const end = () => {
      logger.warn('markdown_hangs', { after_ms: maxPageMs });
      void worker.terminate();
    };
    return setTimeout(end, maxPageMs).unref();
  }

  #start(): Worker {
    const { workerUrl, logger } = this.#options;
    const worker = new Worker(workerUrl, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.on('error', (error) => logger.error('markdown_failed', error));
    return worker;
  }
}

/** Rejects if the thread ends first, because it was too slow or out of memory. */
function answerOf(worker: Worker): Promise<MarkdownMessage> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(unavailable('This page could not be converted to Markdown'));
    worker.once('exit', ended);
    worker.once('message', (message: MarkdownMessage) => {
      worker.off('exit', ended);
      resolve(message);
    });
  });
}

function unavailable(reason: string): DomainError {
  return new DomainError('service_unavailable', `${reason}. Read it as HTML, or try again later`);
}
