/** One upload after the other, and what the next one must know of the last. */
import { isDeepStrictEqual } from 'node:util';
import { PUBLICATION_FORMAT } from '#db/publications.ts';
import { runYielding } from '../process/yield-to-event-loop.ts';
import { uploadAssets } from './assets.ts';
import { hasConditionalWrites } from './conditional.ts';
import { CURRENT_FORMAT, type Current } from './current.ts';
import { CurrentPointer } from './current-pointer.ts';
import { FactsUpload } from './facts-upload.ts';
import type { Fence } from './fence.ts';
import { PUBLICATIONS, PUBLIC_DATA, publicationKey } from './keys.ts';
import { LogUpload } from './log-upload.ts';
import { packPublication } from './publication-object.ts';
import { type ShownPublications, shownPublications } from './shown-publications.ts';
import { sweep } from './sweep.ts';
import { Transfers } from './transfers.ts';
import type { UploadStatus } from './upload-status.ts';
import type { UploaderOptions } from './uploader.ts';

/** Something more urgent must be uploaded first, or the process ends. */
export class Superseded extends Error {}

interface UploadOptions extends UploaderOptions {
  status: UploadStatus;
  fence: Fence;
  isStopped: () => boolean;
  /** Whether there is something newer to upload. */
  isWoken: () => boolean;
}

type Parts = Pick<Current, 'access' | 'chain' | 'facts' | 'kept' | 'publication'>;

const PUBLICATION = { contentType: 'application/octet-stream', cacheControl: 'private, immutable' };
/** An old writer may still be storing publications that `current` does not name. It never gets as far as that. */
const APART = 1_000_000;
const NOTHING = { kept: [], chain: [], facts: null };

export class Upload {
  readonly #options: UploadOptions;
  readonly #pointer: CurrentPointer;
  readonly #log: LogUpload;
  readonly #facts: FactsUpload;
  #isConditional = false;
  #isPrepared = false;
  /** Whether the store may have objects that nothing names. */
  #isUnswept = true;
  /** Publications that `current` names and the store lost. */
  #lost = new Set<number>();
  /** The least publication that may be shown. */
  #least = 0;
  /** Whether the store has a log, with which another machine can take over. */
  #hasLog = false;
  /** What the store has of the log. */
  #logState = NO_LOG;
  /** Whether new publications have numbers that no object had before. */
  #isNumbered = false;
  /** How often something was hidden. */
  #hidings = 0;
  #waiting: (() => void)[] = [];

  constructor(options: UploadOptions) {
    this.#options = options;
    const { ctx, store, fence } = options;
    this.#pointer = new CurrentPointer({
      store,
      isConditional: () => this.#isConditional,
      confirm: () => fence.confirm(),
    });
    this.#log = new LogUpload(ctx, store);
    this.#facts = new FactsUpload(ctx, options.followMs);
  }

  /** Whether there are objects that no reader needs any more. */
  get hasUnneeded(): boolean {
    return this.#facts.hasUnneeded;
  }

  /** Resolves to true once readers can show a publication that hides something. */
  hideBefore(publication: number): Promise<boolean> {
    this.#least = Math.max(this.#least, publication);
    this.#hidings += 1;
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(true));
    });
  }

  /** Makes readers show nothing until the next publication is there. */
  async withdraw(): Promise<void> {
    const chain = this.#pointer.value?.chain ?? [];
    await this.#pointer.write((last) => {
      if (!last || last.publication >= this.#least) return null;
      return this.#next({ ...NOTHING, access: last.access, publication: last.publication });
    });
    this.#isUnswept = true;
    const isWithdrawn = this.#pointer.value?.chain.length === 0;
    if (isWithdrawn) await this.#options.store.delete(chain.map((id) => publicationKey(id)));
  }

  /** Uploads the current state. */
  async run(): Promise<void> {
    const { ctx, fence } = this.#options;
    await fence.confirm();
    await this.#prepare();
    if (ctx.config.access.read === 'members') return this.#closeToPublic();
    await this.#log.withdraw();
    const shown = shownPublications(ctx.store);
    if (!shown || (await this.#isRenumbered(shown)) || shown.newest.id < this.#least) return;
    const transfers = new Transfers(this.#options.store);
    try {
      await this.#publish(shown, transfers);
    } catch (error) {
      this.#isUnswept = true;
      throw error;
    } finally {
      // Nothing of this upload may be stored after what the next one deletes.
      await transfers.ended();
      this.#options.status.count(transfers);
    }
  }

  async #publish(shown: ShownPublications, transfers: Transfers): Promise<void> {
    const hidings = this.#hidings;
    const turn = { transfers, confirm: () => this.#refuseOld(hidings) };
    const before = this.#pointer.value;
    const isHiding = (before?.publication ?? 0) < this.#least;
    const isLogLater = isHiding || this.#log.isLarge;
    if (!isLogLater) await this.#uploadLog(turn);
    const facts = await this.#facts.upload(turn);
    await this.#uploadPublications(shown, turn);
    turn.confirm();
    await this.#write(shown, facts.key);
    this.#facts.accept(facts);
    await this.#prune(before, isHiding);
    if (!isLogLater) return;
    await this.#uploadLog({ transfers, confirm: () => this.#refuseOlder(hidings) });
    await this.#write(shown, facts.key);
  }

  async #uploadLog(turn: { transfers: Transfers; confirm: () => void }): Promise<void> {
    const { fence, ctx } = this.#options;
    const { signed } = ctx.checkpoints;
    // The first upload can take long, and nobody can take over before it is complete.
    if (!this.#hasLog && signed) ctx.checkpoints.show(signed);
    const confirmClaim = () => fence.confirm();
    this.#logState = (await this.#log.upload({ ...turn, confirmClaim })) ?? this.#logState;
    this.#hasLog = this.#logState.log_size > 0;
  }

  async #uploadPublications(
    { chain }: ShownPublications,
    { transfers, confirm }: { transfers: Transfers; confirm: () => void },
  ): Promise<void> {
    const stored = this.#pointer.value?.chain ?? [];
    for (const head of chain.filter(({ id }) => !stored.includes(id) || this.#lost.has(id))) {
      confirm();
      // One at a time, because each can be large.
      await transfers.settled();
      const bytes = await runYielding(packPublication(this.#options.ctx.store, head));
      if (!bytes) throw new Superseded();
      await transfers.put(publicationKey(head.id), bytes, PUBLICATION);
    }
    await transfers.settled();
    this.#lost.clear();
  }

  async #write({ newest, kept, chain }: ShownPublications, facts: string): Promise<void> {
    await this.#pointer.write((last) => {
      if (newest.id < this.#least) throw new Superseded();
      const ids = chain.map(({ id }) => id);
      const parts = { access: 'open' as const, publication: newest.id, kept, chain: ids, facts };
      const next = this.#next(parts);
      return last && isSame(last, next) ? null : next;
    });
    const { status, ctx } = this.#options;
    status.confirmedMs = ctx.now().getTime();
    // This may have begun before something was hidden.
    if ((this.#pointer.value?.publication ?? 0) >= this.#least) this.#tellHidden();
  }

  #tellHidden(): void {
    this.#waiting.splice(0).forEach((tell) => tell());
  }

  #next(parts: Parts): Current {
    const { ctx, fence } = this.#options;
    return {
      format: CURRENT_FORMAT,
      version: ctx.release.version,
      writer: fence.writer ?? '',
      base_url: ctx.config.baseUrl,
      ...parts,
      publication_format: PUBLICATION_FORMAT,
      least: this.#least,
      written_at: this.#writtenAt(ctx.now()),
      ...this.#logState,
    };
  }

  /** Later than the last time, also if the clock was set back, because readers refuse what is older. */
  #writtenAt(now: Date): string {
    const lastMs = Date.parse(this.#pointer.value?.written_at ?? '') || 0;
    return new Date(Math.max(now.getTime(), lastMs + 1)).toISOString();
  }

  async #prune(before: Current | null, isHiding: boolean): Promise<void> {
    const { store } = this.#options;
    const current = this.#pointer.value;
    if (!current) return;
    const old = before?.chain.filter((id) => !current.chain.includes(id)) ?? [];
    const unneeded = this.#facts.takeUnneeded(isHiding);
    await store.delete([...old.map((id) => publicationKey(id)), ...unneeded]);
    if (!this.#isUnswept) return;
    await sweep(store, current, this.#facts);
    this.#isUnswept = false;
  }

  /** A board for members publishes only that it is one. */
  async #closeToPublic(): Promise<void> {
    const { ctx, store } = this.#options;
    const last = this.#pointer.value;
    if (last?.access === 'members' && !this.#isUnswept) return;
    this.#logState = NO_LOG;
    this.#hasLog = false;
    const publication = last?.publication ?? ctx.store.publications.lastId();
    await this.#pointer.write(() => this.#next({ ...NOTHING, access: 'members', publication }));
    this.#tellHidden();
    this.#isUnswept = true;
    for (const prefix of PUBLIC_DATA) await store.delete(await store.list(prefix));
    this.#isUnswept = false;
    await this.#log.resume(null);
    await this.#facts.resume(store, { key: null, isForeign: false });
  }

  /** Reads what earlier uploads left, once. */
  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    const { store, status, assets } = this.#options;
    this.#isConditional = await hasConditionalWrites(store);
    await this.#pointer.load();
    const last = this.#pointer.value;
    if (last) await this.#resume(last);
    const transfers = new Transfers(store);
    await uploadAssets(assets, { store, transfers }).finally(() => status.count(transfers));
    this.#isPrepared = true;
  }

  async #resume(last: Current): Promise<void> {
    const { store } = this.#options;
    const isForeign = this.#isForeign(last);
    this.#hasLog = last.log_size > 0;
    const publications = new Set(await store.list(PUBLICATIONS));
    this.#lost = new Set(last.chain.filter((id) => !publications.has(publicationKey(id))));
    await this.#facts.resume(store, { key: last.facts, isForeign });
    if (last.log_size > 0) await this.#log.resume(last, isForeign);
    if (!isForeign) this.#logState = logStateOf(last);
    this.#least = Math.max(this.#least, last.least);
  }

  #isForeign({ writer }: Current): boolean {
    return writer !== this.#options.fence.writer;
  }

  /**
   * Whether a new publication was made, because the newest one has a number that an object in the store may have, or had,
   * with other content. That is so after the board was restored.
   */
  async #isRenumbered({ newest, kept }: ShownPublications): Promise<boolean> {
    if (this.#isNumbered) return false;
    const { ctx, publishAbove } = this.#options;
    const last = this.#pointer.value;
    if (last && (this.#isForeign(last) || newest.id < last.publication)) {
      const used = Math.max(last.publication, last.least, ctx.store.publications.lastId());
      await publishAbove(used + APART);
      this.#isNumbered = true;
      this.#least = Math.max(this.#least, ctx.store.publications.lastId());
      return true;
    }
    // Something may have been hidden after the last upload of an earlier process.
    const isGone = last !== null && last.chain.length > 0 && !kept.includes(last.publication);
    if (isGone) this.#least = Math.max(this.#least, kept[0] ?? 0);
    this.#isNumbered = true;
    return false;
  }

  /** @throws {Superseded} if something was hidden since, or the process ends. */
  #refuseOld(hidings: number): void {
    if (this.#hidings !== hidings || this.#options.isStopped()) throw new Superseded();
  }

  /** @throws {Superseded} also if there is something newer. */
  #refuseOlder(hidings: number): void {
    this.#refuseOld(hidings);
    if (this.#options.isWoken()) throw new Superseded();
  }
}

type LogState = Pick<Current, 'log_generation' | 'log_size'>;

const NO_LOG: LogState = { log_generation: 1, log_size: 0 };

function logStateOf({ log_generation, log_size }: LogState): LogState {
  return { log_generation, log_size };
}

function isSame({ written_at: _a, ...last }: Current, { written_at: _b, ...next }: Current) {
  return isDeepStrictEqual(last, next);
}
