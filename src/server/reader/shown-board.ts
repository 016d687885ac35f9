import { DomainError } from '#core/domain/text/errors.ts';
import type { ReaderConfig } from '../config/reader-config.ts';
import { migrationsPath } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import type { BuiltProgram } from '../cli-release/release.ts';
import { FactsError } from '../facts/facts-error.ts';
import { readIndex } from '../facts/facts-index.ts';
import { WorkingCopy } from '../facts/working-copy.ts';
import type { HttpLayerOptions } from '../http/http-layer.ts';
import { type PreparedResponse, prepareResponse } from '../http/response/prepared-response.ts';
import type { Listener } from '../http/server.ts';
import type { ToMarkdown } from '../markdown/markdown-thread.ts';
import type { Current } from '../object-store/current.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';
import type { Logger } from '../process/logger.ts';
import { preparedAddresses } from '../publication/addresses.ts';
import { createLookup } from '../publication/lookup.ts';
import { Pages } from '../publication/pages.ts';
import type { Edition } from '../publication/publisher.ts';
import { earlierRanksIn } from '../publication/read/earlier-ranks.ts';
import {
  KeptPublications,
  type Publication,
  publicationOf,
} from '../publication/read/publication.ts';
import { siteVersionOf } from '../publication/site-version.ts';
import type { ReadPublication } from '../publication/stored/stored-publications.ts';
import { type RenderPage, createFront, renderFrom } from '../wiring.ts';
import { FollowedSettings, type Site } from './followed-settings.ts';
import { LoadedPublications } from './loaded-publications.ts';
import { WriterAssets, isStored, logPart } from './stored-files.ts';

interface ShownBoardOptions {
  store: ObjectStore;
  config: ReaderConfig;
  program: BuiltProgram;
  /** The version of this program. */
  version: string;
  render: RenderPage;
  toMarkdown: ToMarkdown;
  /** Has the writer answer a request. */
  passOn: NonNullable<HttpLayerOptions['passOn']>;
  onPublic: (tookMs: number) => void;
  logger: Logger;
  now: () => Date;
}

interface Shown {
  edition: Edition;
  listener: Listener;
  files: Map<string, PreparedResponse>;
  prepare: (address: string) => unknown;
}

const FRONT = '/';
/** How long a reader waits after a failure. Each one doubles it, because what was downloaded is lost. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** The board that readers see, loaded from the object store. Replaced as a whole with each publication. */
export class ShownBoard {
  readonly #options: ShownBoardOptions;
  readonly #copy: WorkingCopy;
  readonly #publications: LoadedPublications;
  readonly #assets: WriterAssets;
  #kept = new KeptPublications();
  #shown: Shown | null = null;
  readonly #settings: FollowedSettings;
  #wanted: Current | null = null;
  #loaded: Current | null = null;
  /** Whether the next publication must remove operators from those that are kept. */
  #mustWithhold = false;
  /** Grows when something must not be shown any more. */
  #era = 0;
  #loading: Promise<void> | null = null;
  #pauseMs = 0;
  #pausedUntilMs = 0;

  constructor(options: ShownBoardOptions) {
    const { store, config, version, now } = options;
    this.#options = options;
    this.#copy = new WorkingCopy({
      migrations: migrationsPath(config),
      now,
      get: async (key) => (await store.get(key))?.bytes ?? null,
    });
    this.#settings = new FollowedSettings({ ...options, copy: this.#copy });
    this.#publications = new LoadedPublications(store);
    this.#assets = new WriterAssets(store, version);
  }

  /** Null until the first publication is loaded, and while nothing may be shown. */
  get edition(): Edition | null {
    return this.#shown?.edition ?? null;
  }

  /** Answers requests from the edition; null while there is none. */
  get listener(): Listener | null {
    return this.#shown && this.#answer;
  }

  /** Shows what the store names as current. What must not be shown any more is gone when this returns. */
  show(current: Current): void {
    const id = this.edition?.publication.id ?? Infinity;
    if (current.access === 'members') this.#forget();
    else if (id < current.least) this.#hide();
    this.#wanted = current;
    this.#pause(0);
    this.retry();
  }

  /** Loads what is wanted, unless it is loaded or being loaded, or failed a moment ago. */
  retry(): void {
    this.#noteChecked();
    if (this.#wanted === this.#loaded || performance.now() < this.#pausedUntilMs) return;
    this.#loading ??= this.#loadWanted().finally(() => {
      this.#loading = null;
    });
  }

  async close(): Promise<void> {
    this.#wanted = this.#loaded;
    await this.#loading;
    this.#copy.close();
  }

  readonly #answer: Listener = (request, response, requestId) => {
    const shown = this.#shown as Shown;
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (!this.#assets.has(path) || shown.files.has(path)) {
      return shown.listener(request, response, requestId);
    }
    const load = this.#assets.load(path).then((file) => file && shown.files.set(path, file));
    void load
      .catch((error: unknown) => this.#options.logger.error('asset_failed', error))
      .then(() => shown.listener(request, response, requestId));
  };

  #hide(): void {
    this.#era += 1;
    this.#shown = null;
    this.#mustWithhold = true;
  }

  #forget(): void {
    this.#era += 1;
    this.#shown = null;
    this.#kept.clear();
    this.#publications.forget();
    this.#copy.forget();
  }

  /** The writer looks for changes at intervals, and publishes nothing if there are none. */
  #noteChecked(): void {
    const { publication } = this.edition ?? {};
    if (!publication) return;
    const nextMs = Date.parse(publication.next_refresh_at);
    if (nextMs <= this.#options.now().getTime()) publication.noteChecked(nextMs);
  }

  async #loadWanted(): Promise<void> {
    const { logger } = this.#options;
    while (this.#wanted && this.#wanted !== this.#loaded) {
      const current = this.#wanted;
      try {
        const before = this.edition?.pages ?? null;
        const shown = await this.#load(current);
        this.#loaded = current;
        if (shown && before) await this.#prepareRead(shown, before);
      } catch (error) {
        // The objects of a publication are deleted when the next one is there.
        if (this.#wanted !== current) continue;
        logger.error('load_failed', error, { publication: current.publication });
        return this.#pause(Math.min(2 * this.#pauseMs || FIRST_PAUSE_MS, MAX_PAUSE_MS));
      }
    }
  }

  #pause(forMs: number): void {
    this.#pauseMs = forMs;
    this.#pausedUntilMs = performance.now() + forMs;
  }

  /** Returns null if nothing may be shown. */
  async #load(current: Current): Promise<Shown | null> {
    const { logger, onPublic } = this.#options;
    // What was loaded meanwhile may belong to the board as it was.
    if (current.access === 'members') this.#forget();
    if (current.facts === null || current.publication < current.least) return null;
    const startedMs = performance.now();
    this.#settings.serve(current.base_url);
    const [publications] = await Promise.all([
      this.#publications.load(current),
      this.#useFacts(current.facts),
      this.#assets.follow(current.version),
    ]);
    const loadedMs = performance.now();
    const site = await this.#settings.follow({
      current: () => this.edition?.publication ?? null,
      byId: (id, as_of) => this.#kept.byId(id, as_of),
    });
    const publication = this.#add(publications, site.ctx);
    const shown = await this.#prepare(site, publication);
    if (publication.id < (this.#wanted?.least ?? 0) || this.#wanted?.access === 'members')
      return null;
    this.#shown = shown;
    const shownMs = performance.now();
    onPublic(shownMs - startedMs);
    logger.info('published', {
      publication: publication.id,
      log_index: publication.log_index,
      loaded_ms: Math.round(loadedMs - startedMs),
      rendered_ms: Math.round(shownMs - loadedMs),
    });
    return shown;
  }

  /** Pages of the edition before may read newer facts, as they do on the writer. */
  async #useFacts(key: string): Promise<void> {
    const found = await this.#options.store.get(key);
    await this.#copy.use(readIndex(key, found?.bytes ?? null));
  }

  /** Adds publications that are not kept yet, and returns the newest. */
  #add(read: readonly ReadPublication[], { config, store }: AppContext): Publication {
    const earlier = (as_of: string) => earlierRanksIn(store, as_of);
    const added = read
      .filter(({ data }) => this.#kept.byId(data.head.id)?.id !== data.head.id)
      .map(({ data }) => publicationOf(data, { refreshMs: config.refreshMs, earlier }));
    const newest = added.at(-1);
    if (newest && this.#mustWithhold) this.#kept.withhold(newest);
    this.#mustWithhold = false;
    for (const publication of added) this.#kept.add(publication, true);
    const id = read.at(-1)?.data.head.id ?? 0;
    const current = this.#kept.byId(id);
    if (current) return current;
    throw new Error(`There is no publication ${id}`);
  }

  /** Prepares an edition whose front page works. */
  async #prepare(site: Site, publication: Publication): Promise<Shown> {
    const { toMarkdown, passOn } = this.#options;
    const { ctx } = site;
    const siteVersion = () => siteVersionOf(ctx);
    const edition = { publication, pages: new Pages(siteVersion()) };
    const renderPublished = renderFrom(ctx, this.#render);
    const finish = async (address: string, of: Publication | null) => {
      return prepareResponse(await renderPublished(address, of));
    };
    const [front, files] = await Promise.all([finish(FRONT, publication), site.prepareFiles()]);
    if (front.status !== 200) throw new Error(`Rendering ${FRONT} answered ${front.status}`);
    edition.pages.add(FRONT, front);
    const lookup = createLookup({
      baseUrl: ctx.config.baseUrl,
      edition: () => this.edition,
      assets: files,
      finish,
      toMarkdown,
      siteVersion,
    });
    const listener = createFront(ctx, { render: this.#render, lookup, toMarkdown, passOn });
    return { edition, listener, files, prepare: lookup };
  }

  /** Prepares what was read from the edition before, because it will probably be read again. */
  async #prepareRead(shown: Shown, before: Pages): Promise<void> {
    for (const address of preparedAddresses(shown.edition.publication)) {
      if (this.#shown !== shown || this.#wanted !== this.#loaded) return;
      if (address !== FRONT && before.isRead(address)) await shown.prepare(address);
    }
  }

  /** Renders a page, as often as it needs facts that are not loaded. */
  readonly #render: RenderPage = async (ctx, request, visitor) => {
    const { store, render } = this.#options;
    const { pathname } = new URL(request.url);
    if (isStored(pathname)) return logPart(store, pathname);
    const era = this.#era;
    try {
      const rendered = await this.#copy.complete(
        async () => whole(await render(ctx, new Request(request), visitor)),
        ({ status }) => status >= 400,
      );
      if (era === this.#era) return rendered;
      throw new DomainError('service_unavailable', 'The board is being updated');
    } catch (error) {
      if (!(error instanceof FactsError || error instanceof ObjectStoreError)) throw error;
      if (error instanceof FactsError && error.fault === 'live') throw error;
      this.#options.logger.warn('facts_missing', { reason: error.message });
      throw new DomainError(
        'service_unavailable',
        'The object store does not have what this needs',
      );
    }
  };
}

/** A response whose body is made. */
async function whole(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status, headers } = response;
  return new Response(await response.arrayBuffer(), { status, headers });
}
