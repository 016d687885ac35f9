import { setTimeout as setTimer } from 'node:timers/promises';
import type { Marks } from '#db/engine/leftovers.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Written } from '../context.ts';
import type { Logger } from '../process/logger.ts';
import { prepareResponse } from '../http/response/prepared-response.ts';
import { logFailure } from '../process/storage-fault.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { ClockWatch } from './clock-watch.ts';
import { Pages } from './pages.ts';
import {
  KeptPublications,
  type Publication,
  publicationOf,
  type PublicationOptions,
} from './read/publication.ts';
import { ProjectingThread, type ThreadOptions } from './project/projecting-thread.ts';

/** A publication with its prepared pages. They become visible together, and more are added on first request. */
export interface Edition {
  publication: Publication;
  pages: Pages;
}

/** Renders one address from a publication, which may not be visible yet. Null if its content depends on none. */
export type Render = (address: string, publication: Publication | null) => Promise<Response>;

export interface PublisherOptions extends ThreadOptions, PublicationOptions {
  /** The addresses that are prepared with an edition, if somebody has read them from the one before. */
  addresses: (publication: Publication) => readonly string[];
  render: Render;
  /** As in the lookup: changes with what all pages contain. */
  siteVersion?: () => string;
  now: () => Date;
  /** A monotonic clock in milliseconds; the process's own if absent. */
  steadyMs?: () => number;
  /** Waits for some milliseconds; uses a timer if absent. */
  wait?: (ms: number) => Promise<unknown>;
  logger: Logger;
  /** Called when readers get a publication, with the time that it took in milliseconds. */
  onPublic?: (publication: Publication, tookMs: number) => void;
  /** Called when readers get a publication, or the current one was found to be up to date. */
  onChecked?: () => void;
}

interface Run {
  isPlanned: boolean;
  /** Texts to erase, in addition to all earlier publications; null if nothing must be erased. */
  toForget: Marks | null;
  /** Whether to publish even if nothing has changed. */
  isForced: boolean;
}

/** The page that every edition contains from the beginning. */
const FRONT = '/';

/** The longest pause between two urgent publications, in milliseconds. */
const MAX_PAUSE_MS = 2_000;

/** How long to wait before retrying while nothing is public, in milliseconds. */
const RETRY_MS = 5_000;

/** Publishes the board repeatedly. Readers only see complete editions. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #thread: ProjectingThread;
  readonly #clock = new ClockWatch();
  #timer: NodeJS.Timeout | undefined;
  readonly #kept = new KeptPublications();
  #edition: Edition | null = null;
  #running: Promise<void> | null = null;
  /** The publication after the current one, for everyone who requested one since the current one began. */
  #next: Promise<void> | null = null;
  /** Whether a publication was requested since the last one began. */
  #isAsked = false;
  /** When the last urgent publication ended, and how long it took. */
  #asked = { endedMs: Number.NEGATIVE_INFINITY, tookMs: 0 };
  /** Texts that the next publication must erase, in addition to all earlier publications; null if none. */
  #toForget: Marks | null = null;
  #closed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#thread = new ProjectingThread(options);
  }

  /** The edition that is public now; null before the first publication, and while the last one must not be shown. */
  get edition(): Edition | null {
    return this.#edition;
  }

  /** Takes a publication's own number, or the number of a board's version. */
  publication(id: number, as_of?: string): Publication | undefined {
    return this.#kept.byId(id, as_of);
  }

  /** Publishes, and continues to do so. */
  async start(): Promise<void> {
    await this.publish();
    this.#schedule();
  }

  /**
   * Publishes now. A call during a run waits for that run.
   *
   * @param isPlanned Whether it is one of the regular runs every `refreshMs`, which do nothing if nothing has
   * changed.
   */
  publish(isPlanned = true): Promise<void> {
    this.#running ??= this.#publish(isPlanned).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Publishes what was written before this call, even if a run is in progress. Concurrent calls share one run after
   * the current one, after a pause as long as the last such run took. If the run hides something, earlier
   * publications are deleted from the database. In memory, they lose every operator that the new one shows
   * differently. Once the publisher is closed, nobody reads from it, and the next process publishes the change.
   *
   * @throws {DomainError} `service_unavailable` if it fails. If something must be hidden, nothing is public until it
   * succeeds.
   */
  async publishNow({ hides, marks = [] }: Written): Promise<void> {
    if (hides) this.#forgetNext(marks);
    this.#isAsked = true;
    try {
      await this.#publishNext().catch(() => this.publish(false));
    } catch (error) {
      if (hides) this.#hide();
      if (this.#closed) return;
      logFailure(this.#options.logger, 'publication_failed', error);
      const outcome = hides
        ? 'It could not be published yet. Until then, the board is not available'
        : 'It will appear with the next update';
      throw new DomainError('service_unavailable', `The change is stored. ${outcome}`);
    }
  }

  /** Ends the current run, which takes half a minute on a large board, and begins no other. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#thread.close();
    await this.#running?.catch(() => undefined);
  }

  /** One publication for all who call before it begins. */
  #publishNext(): Promise<void> {
    this.#next ??= this.#whenDue().then(() => {
      this.#next = null;
      return this.#publishAsked();
    });
    return this.#next;
  }

  async #whenDue(): Promise<void> {
    const { endedMs, tookMs } = this.#asked;
    const pauseMs = Math.min(tookMs, MAX_PAUSE_MS) - (performance.now() - endedMs);
    if (pauseMs > 0) await (this.#options.wait ?? setTimer)(pauseMs);
    while (this.#running && this.#isAsked) await this.#running.catch(() => undefined);
  }

  /** Skips the run if one that began since the last call already shows the change. */
  async #publishAsked(): Promise<void> {
    if (!this.#isAsked && !this.#running) return;
    const startedMs = performance.now();
    await this.publish(false).finally(() => {
      const endedMs = performance.now();
      this.#asked = { endedMs, tookMs: endedMs - startedMs };
    });
  }

  /** Hides the whole edition, because it shows something that must be hidden. */
  #hide(): void {
    this.#edition = null;
    this.#kept.clear();
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(
      () => {
        this.publish()
          .catch((error: unknown) => {
            if (!this.#closed) logFailure(this.#options.logger, 'publication_failed', error);
          })
          .finally(() => this.#schedule());
      },
      this.#edition ? this.#options.refreshMs : RETRY_MS,
    );
  }

  async #publish(isPlanned: boolean): Promise<void> {
    const toForget = this.#toForget;
    const isForced = !isPlanned || this.#isAsked || toForget !== null || this.#edition === null;
    this.#toForget = null;
    this.#isAsked = false;
    try {
      const isClean = await this.#publishAnew({ toForget, isForced, isPlanned });
      this.#options.onChecked?.();
      if (!isClean) this.#forgetLater(toForget ?? []);
    } catch (error) {
      if (toForget) this.#forgetNext(toForget);
      this.#isAsked = true;
      throw error;
    }
  }

  #forgetNext(marks: Marks): void {
    this.#toForget = [...(this.#toForget ?? []), ...marks];
  }

  /**
   * Deleted data that cannot be read any more may still be in the file. The next publication tries again to erase it.
   */
  #forgetLater(marks: Marks): void {
    this.#forgetNext(marks);
    const reason =
      'Deleted data could not be overwritten yet. Another process may be using the file';
    this.#options.logger.error('erasure_incomplete', new Error(reason));
  }

  /** Returns whether everything that had to be erased is gone from the database's files. */
  async #publishAnew({ toForget, isForced, isPlanned }: Run): Promise<boolean> {
    const startedMs = performance.now();
    const nowMs = this.#options.now().getTime();
    const { data, earlier, isClean, failures } = await this.#thread.ask({
      nowMs,
      isClockSure: this.#isClockSure(nowMs),
      isForced,
      toForget,
    });
    for (const failure of failures) {
      this.#options.logger.error('check_failed', new Error(failure));
    }
    if (!data) {
      this.#edition?.publication.noteChecked(nowMs);
      return isClean;
    }
    const projectedMs = performance.now();
    if (!this.#edition)
      for (const one of earlier) this.#kept.add(publicationOf(one, this.#options), true);
    const publication = publicationOf(data, this.#options);
    // Callers who hide something do not wait for pages that can be prepared on first request.
    const read = toForget ? [] : this.#readAddresses(publication);
    const pages = await this.#finishPages(publication, [FRONT, ...read]);
    this.#edition = { publication, pages };
    if (toForget) this.#kept.withhold(publication);
    this.#kept.add(publication, isPlanned);
    this.#options.onPublic?.(publication, performance.now() - startedMs);
    this.#options.logger.info('published', {
      publication: publication.id,
      log_index: publication.log_index,
      projected_ms: Math.round(projectedMs - startedMs),
      rendered_ms: Math.round(performance.now() - projectedMs),
    });
    return isClean;
  }

  #isClockSure(nowMs: number): boolean {
    const { steadyMs = () => performance.now(), logger } = this.#options;
    const { jumpedSeconds, isSettled } = this.#clock.look(nowMs, steadyMs());
    if (jumpedSeconds !== 0) logger.warn('clock_jumped', { seconds: jumpedSeconds });
    return isSettled;
  }

  /** The addresses that readers of the current edition have read, so they will probably read them again. */
  #readAddresses(publication: Publication): string[] {
    return this.#options.addresses(publication).filter((address) => {
      return address !== FRONT && this.#edition?.pages.isRead(address);
    });
  }

  /** Prepares one page in each turn of the event loop, so that requests are answered in between. */
  async #finishPages(publication: Publication, addresses: readonly string[]): Promise<Pages> {
    const pages = new Pages(this.#options.siteVersion?.());
    for (const address of addresses) {
      await yieldToEventLoop();
      this.#refuseIfClosed();
      const response = await this.#options.render(address, publication);
      if (response.status === 200) pages.add(address, await prepareResponse(response));
      else this.#leaveOut(address, response);
    }
    return pages;
  }

  /** A page that fails must not prevent the others, but the front page must succeed. */
  #leaveOut(address: string, { status }: Response): void {
    const failure = new Error(`Rendering ${address} answered ${status}`);
    if (address === FRONT) throw failure;
    this.#options.logger.error('page_failed', failure, { address });
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The publisher is closed');
  }
}
