import { setTimeout as setTimer } from 'node:timers/promises';
import type { Marks } from '#db/engine/leftovers.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Written } from '../context.ts';
import type { Logger } from '../process/logger.ts';
import { type PreparedResponse, prepareResponse } from '../http/response/prepared-response.ts';
import { logFailure } from '../process/storage-fault.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { ClockWatch } from './clock-watch.ts';
import { KeptPublications, type Publication, publicationOf } from './read/publication.ts';
import { ProjectingThread, type ThreadOptions } from './project/projecting-thread.ts';

/** A publication with its finished pages, by address. They are swapped in together. */
export interface Edition {
  publication: Publication;
  pages: ReadonlyMap<string, PreparedResponse>;
}

/** Renders one address of an edition that nobody sees yet. */
export type Render = (address: string, publication: Publication) => Promise<Response>;

export interface PublisherOptions extends ThreadOptions {
  refreshMs: number;
  /** The addresses that an edition finishes in advance; one that hides something, the front page only. */
  addresses: (publication: Publication) => readonly string[];
  render: Render;
  now: () => Date;
  /** A clock that nobody can set, in milliseconds; the process's own if absent. */
  steadyMs?: () => number;
  /** Waits for some milliseconds; with a timer if absent. */
  wait?: (ms: number) => Promise<unknown>;
  logger: Logger;
  onPublic?: (publication: Publication) => void;
  /** Called when readers get a publication, or have one that shows all as it is. */
  onChecked?: () => void;
}

interface Run {
  isPlanned: boolean;
  /** What it must forget besides all earlier ones; null if it may leave them. */
  toForget: Marks | null;
  /** Whether it is made though nothing has changed. */
  isForced: boolean;
}

/** The page that every edition holds. */
const FRONT = '/';

/** The longest pause between two publications that could not wait, in milliseconds. */
const MAX_PAUSE_MS = 2_000;

/** When it is tried again while nothing is public, in milliseconds. */
const RETRY_MS = 5_000;

/** Publishes the board again and again; readers see whole editions only. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #thread: ProjectingThread;
  readonly #clock = new ClockWatch();
  #timer: NodeJS.Timeout | undefined;
  readonly #kept = new KeptPublications();
  #edition: Edition | null = null;
  #running: Promise<void> | null = null;
  /** The publication that begins after the one under way, for all who asked since that one began. */
  #next: Promise<void> | null = null;
  /** Whether somebody asked for a publication since the last one began. */
  #isAsked = false;
  /** When the last publication that could not wait ended, and how long it took. */
  #asked = { endedMs: Number.NEGATIVE_INFINITY, tookMs: 0 };
  /** What the next publication must forget besides all earlier ones; null if it may leave them. */
  #toForget: Marks | null = null;
  #closed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#thread = new ProjectingThread(options);
  }

  /** What is public now; null before the first publication, and where the last one may not be shown. */
  get edition(): Edition | null {
    return this.#edition;
  }

  /** A publication that is still kept, by its own number or by that of a board's version. */
  publication(id: number): Publication | undefined {
    return this.#kept.byId(id);
  }

  /** Publishes and goes on doing so. */
  async start(): Promise<void> {
    await this.publish();
    this.#schedule();
  }

  /**
   * Publishes now; a call during a run waits for that run.
   *
   * @param isPlanned Whether it is one of those that come every `refreshMs`: it is left out if nothing has changed.
   */
  publish(isPlanned = true): Promise<void> {
    this.#running ??= this.#publish(isPlanned).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Publishes what was written before this call, though a run may be under way. However many call at
   * once, one run follows the one under way, after a pause as long as the last such run took. If it hides
   * something, earlier publications leave the database, and in memory they lose every operator that the new
   * one shows differently. Once it is closed nobody reads anything, and what was written is published by
   * the next process.
   *
   * @throws {DomainError} `service_unavailable` if that failed; then nothing is public until it
   *   succeeds, unless nothing had to be hidden.
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
        ? 'It could not be published, so that the board is hidden until it can be'
        : 'It could not be published yet, and shows with the next publication';
      throw new DomainError('service_unavailable', `The change is stored. ${outcome}`);
    }
  }

  /** Stops the publication under way, which takes half a minute on a large board, and begins no other. */
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

  /** A run that began since the last call shows what was written before it. */
  async #publishAsked(): Promise<void> {
    if (!this.#isAsked && !this.#running) return;
    const startedMs = performance.now();
    await this.publish(false).finally(() => {
      const endedMs = performance.now();
      this.#asked = { endedMs, tookMs: endedMs - startedMs };
    });
  }

  /** What is public shows what it must not. */
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

  /** Nobody can read what is left, but it stands in the file: the next publication tries again. */
  #forgetLater(marks: Marks): void {
    this.#forgetNext(marks);
    const reason =
      'What was deleted could not be overwritten yet: another process may use the file';
    this.#options.logger.error('erasure_incomplete', new Error(reason));
  }

  /** Returns whether all that had to be forgotten is gone from the database's files. */
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
    const { refreshMs } = this.#options;
    if (!this.#edition)
      for (const one of earlier) this.#kept.add(publicationOf(one, refreshMs), true);
    const publication = publicationOf(data, refreshMs);
    // Who waits for something to be hidden does not wait for pages that are finished on first request.
    const addresses = toForget ? [FRONT] : this.#options.addresses(publication);
    const pages = await this.#finishPages(publication, addresses);
    this.#edition = { publication, pages };
    if (toForget) this.#kept.withhold(publication);
    this.#kept.add(publication, isPlanned);
    this.#options.onPublic?.(publication);
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

  /** One page a turn of the event loop, so that requests are answered in between. */
  async #finishPages(publication: Publication, addresses: readonly string[]) {
    const pages = new Map<string, PreparedResponse>();
    for (const address of addresses) {
      await yieldToEventLoop();
      this.#refuseIfClosed();
      const response = await this.#options.render(address, publication);
      if (response.status === 200) pages.set(address, await prepareResponse(response));
      else this.#leaveOut(address, response);
    }
    return pages;
  }

  /** One page that fails must not keep the others from the public; the front page shows that all is well. */
  #leaveOut(address: string, { status }: Response): void {
    const failure = new Error(`Rendering ${address} answered ${status}`);
    if (address === FRONT) throw failure;
    this.#options.logger.error('page_failed', failure, { address });
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The publisher is closed');
  }
}
