import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../logger.ts';
import type { PublicationData } from './columns.ts';
import { type Finished, finishResponse } from '../finished.ts';
import { type Publication, publicationOf } from './publication.ts';
import type { WorkerOptions, WorkerRequest } from './worker.ts';

/** A publication with its finished pages, by address. They are swapped in together. */
export interface Edition {
  publication: Publication;
  pages: ReadonlyMap<string, Finished>;
}

/** Renders one address of an edition that nobody sees yet. */
export type Render = (address: string, publication: Publication) => Promise<Response>;

export interface PublisherOptions {
  /** The built thread, or its source under test. */
  workerUrl: URL;
  worker: WorkerOptions;
  refreshMs: number;
  /** The addresses that every edition finishes in advance. */
  addresses: readonly string[];
  render: Render;
  now: () => Date;
  logger: Logger;
}

/** Cursors stay good for as many publications. */
const KEPT = 3;

/** Publishes the board again and again; readers see whole editions only. */
export class Publisher {
  readonly #options: PublisherOptions;
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #kept: Publication[] = [];
  #edition: Edition | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** What is public now; null before the first publication. */
  get edition(): Edition | null {
    return this.#edition;
  }

  /** A publication that is still kept. */
  publication(id: number): Publication | undefined {
    return this.#kept.find((publication) => publication.id === id);
  }

  /** Restores what was published before, publishes anew and goes on doing so. */
  async start(): Promise<void> {
    const stored = await this.#ask({ kind: 'restore' });
    this.#kept = stored.map((data) => publicationOf(data, this.#options.refreshMs));
    await this.publish();
    this.#schedule();
  }

  /** Publishes now; a call during a run waits for that run. */
  publish(): Promise<void> {
    this.#running ??= this.#publish().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Publishes what was written before this call, though a run may be under way, and forgets the rest. */
  async publishNow(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.publish();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
    await this.#worker?.terminate();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.publish()
        .catch((error: unknown) => this.#options.logger.error('publication_failed', error))
        .finally(() => this.#schedule());
    }, this.#options.refreshMs);
  }

  async #publish(): Promise<void> {
    const startedMs = performance.now();
    const nowMs = this.#options.now().getTime();
    const [data] = await this.#ask({ kind: 'publish', nowMs });
    if (!data) throw new Error('The projecting thread answered without a publication');
    const projectedMs = performance.now();
    const publication = publicationOf(data, this.#options.refreshMs);
    const pages = await this.#finishPages(publication);
    this.#edition = { publication, pages };
    this.#kept = [publication, ...this.#kept].slice(0, KEPT);
    this.#options.logger.info('published', {
      publication: publication.id,
      log_index: publication.log_index,
      projected_ms: Math.round(projectedMs - startedMs),
      rendered_ms: Math.round(performance.now() - projectedMs),
    });
  }

  /** One page a turn of the event loop, so that requests are answered in between. */
  async #finishPages(publication: Publication): Promise<Map<string, Finished>> {
    const pages = new Map<string, Finished>();
    for (const address of this.#options.addresses) {
      await setImmediate();
      const response = await this.#options.render(address, publication);
      if (response.status !== 200) {
        throw new Error(`Rendering ${address} answered ${response.status}`);
      }
      pages.set(address, await finishResponse(response));
    }
    return pages;
  }

  async #ask(request: WorkerRequest): Promise<PublicationData[]> {
    const worker = (this.#worker ??= this.#startWorker());
    worker.postMessage(request);
    const settled = new AbortController();
    try {
      const { signal } = settled;
      const answer = once(worker, 'message', { signal });
      const [data] = await Promise.race([answer, endOf(worker, signal)]);
      return data as PublicationData[];
    } finally {
      settled.abort();
    }
  }

  /** A thread that died is forgotten, so that the next publication starts another. */
  #startWorker(): Worker {
    const worker = new Worker(this.#options.workerUrl, { workerData: this.#options.worker });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.on('error', (error) => this.#options.logger.error('projection_failed', error));
    return worker;
  }
}

async function endOf(worker: Worker, signal: AbortSignal): Promise<never> {
  const [code] = await once(worker, 'exit', { signal });
  throw new Error(`The projecting thread ended with code ${String(code)}`);
}
