/** Keeps the public log in the object store: first what never changes, then payloads, then the checkpoint. */
import { TILE_WIDTH, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import type { AppContext } from '../context.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { payloadLines, readTile } from '../public-log/tiles.ts';
import type { Current } from './current.ts';
import { LOG } from './keys.ts';
import {
  type LogPlace,
  bundleName,
  changedBundles,
  logsOf,
  newBundles,
  newTiles,
  partialFolder,
  prefixesOf,
} from './log-objects.ts';
import type { ObjectStore } from './object-store.ts';
import type { Transfers } from './transfers.ts';

const NEVER_CHANGES = {
  contentType: 'application/octet-stream',
  cacheControl: 'public, max-age=31536000, immutable',
};
const PAYLOAD = { contentType: 'application/x-ndjson', cacheControl: 'no-cache' };
const CHECKPOINT = { contentType: 'text/plain; charset=utf-8', cacheControl: 'no-cache' };

/** Entries between two points from which an interrupted upload continues. */
const STRIDE_BUNDLES = 16;
const STRIDE = STRIDE_BUNDLES * TILE_WIDTH;

type LogState = Pick<Current, 'log_generation' | 'log_size'>;

interface Turn {
  transfers: Transfers;
  /** Throws if something more urgent must be done. */
  confirm(): void;
  /** Asks whether this machine still is the writer. Throws if not. Returns how many milliseconds a write may take. */
  confirmClaim(): Promise<number>;
}

export class LogUpload {
  readonly #ctx: Pick<AppContext, 'checkpoints' | 'config' | 'store'>;
  readonly #store: ObjectStore;
  /** What the store has; null if that is not known. */
  #stored: LogState | null = null;
  /** Up to which entry it may have payloads. */
  #reach = 0;
  /** Bundles whose payloads must be written again. */
  readonly #open = new Set<number>();
  /** The checkpoints that were written, by log. */
  readonly #notes = new Map<string, string>();
  /** Whether the payloads in the store are as of `#stored`, and not newer. */
  #isExact = false;

  constructor(ctx: Pick<AppContext, 'checkpoints' | 'config' | 'store'>, store: ObjectStore) {
    this.#ctx = ctx;
    this.#store = store;
  }

  /**
   * Continues from what another process stored; null if nothing is there.
   *
   * @param isForeign Whether another machine stored it, so that everything is written again.
   */
  async resume(found: LogState | null, isForeign = false): Promise<void> {
    const stored = isForeign ? null : found;
    this.#stored = stored;
    this.#reach = found?.log_size ?? 0;
    this.#isExact = false;
    this.#open.clear();
    this.#notes.clear();
    if (!stored) return;
    // A process that ended may have deleted payloads and not written them again.
    const prefix = `${LOG}payload/`;
    const names = new Set((await this.#store.list(prefix)).map((key) => key.slice(prefix.length)));
    for (const number of newBundles(0, stored.log_size)) {
      if (!names.has(bundleName(number))) this.#open.add(number);
    }
  }

  /** Deletes payloads with something that must not be shown any more. They are written again with the next upload. */
  async withdraw(): Promise<void> {
    const changed = this.#changed();
    if (changed.length === 0) return;
    changed.forEach((number) => this.#open.add(number));
    await this.#store.delete(
      prefixesOf(this.#ctx.store).flatMap((prefix) =>
        changed.map((number) => payloadKey(prefix, number)),
      ),
    );
  }

  /** Whether writing what is missing takes long. */
  get isLarge(): boolean {
    const size = this.#ctx.checkpoints.signed?.size ?? 0;
    return size - (this.#stored?.log_size ?? 0) > STRIDE || this.#open.size > STRIDE_BUNDLES;
  }

  /**
   * Readers see the checkpoint only when the store has its log, and this machine still is the writer. So a
   * machine that takes over can continue everything that they saw.
   *
   * @returns What the store has then; null while the board signs no checkpoint.
   */
  async upload(turn: Turn): Promise<LogState | null> {
    const logs = logsOf(this.#ctx);
    if (!logs) return null;
    const { generation, places, signed } = logs;
    const stored = this.#stored?.log_generation === generation ? this.#stored : null;
    this.#changed().forEach((number) => this.#open.add(number));
    this.#isExact = false;
    const earlier = places.slice(0, -1);
    for (const place of earlier) await this.#place(place, stored ? place.size : 0, turn);
    const current = places.at(-1) as LogPlace;
    await this.#place(current, Math.min(stored?.log_size ?? 0, current.size), turn, (log_size) => {
      this.#stored = { log_generation: generation, log_size };
      this.#reach = Math.max(this.#reach, log_size);
    });
    this.#open.clear();
    await turn.confirmClaim();
    this.#ctx.checkpoints.show(signed);
    this.#isExact = this.#ctx.store.publicLog.seenOtherwiseSince(current.size).length === 0;
    this.#reach = current.size;
    return { log_generation: generation, log_size: current.size };
  }

  #changed(): number[] {
    const { store } = this.#ctx;
    return this.#reach > 0 ? changedBundles(store, this.#reach, this.#isExact) : [];
  }

  /** @param onStored Called with the size that an interrupted upload continues from. */
  async #place(
    place: LogPlace,
    from: number,
    turn: Turn,
    onStored: (size: number) => void = () => undefined,
  ): Promise<void> {
    if (from === 0) await this.#dropBeyond(place);
    for (const number of this.#open) {
      if (number * TILE_WIDTH < from) await this.#putPayload(place, number, turn);
    }
    await turn.transfers.settled();
    for (let at = from; at < place.size;) {
      const end = Math.min(place.size, (Math.floor(at / STRIDE) + 1) * STRIDE);
      await this.#stretch(place, [at, end], turn);
      onStored(end);
      at = end;
    }
    await turn.transfers.settled();
    const { note, prefix } = place;
    if (note === null || this.#notes.get(prefix) === note) return;
    // It must not arrive after another machine took over, because nobody could continue it.
    const once = { timeoutMs: await turn.confirmClaim(), attempts: 1 };
    await turn.transfers.put(`${prefix}checkpoint`, Buffer.from(note), { ...CHECKPOINT, ...once });
    await turn.transfers.settled();
    this.#notes.set(prefix, note);
  }

  /** Deletes payloads of entries that the log does not have, as after the board was restored without its newest ones. */
  async #dropBeyond({ prefix, size }: LogPlace): Promise<void> {
    const had = new Set(newBundles(0, size).map((number) => payloadKey(prefix, number)));
    const stored = await this.#store.list(`${prefix}payload/`);
    await this.#store.delete(stored.filter((key) => !had.has(key)));
  }

  async #stretch(place: LogPlace, [from, to]: [number, number], turn: Turn): Promise<void> {
    const full: string[] = [];
    for (const tile of newTiles(from, to)) {
      const path = tilePath(tile);
      const bytes = Buffer.from(readTile(this.#ctx, path, to));
      await turn.transfers.put(place.prefix + path, bytes, NEVER_CHANGES);
      const isCompleted = tile.width === TILE_WIDTH && tileWidth(tile, from) > 0;
      if (isCompleted) full.push(place.prefix + partialFolder(tile));
      await this.#pause(turn);
    }
    for (const number of newBundles(from, to)) await this.#putPayload(place, number, turn);
    await turn.transfers.settled();
    // Readers of earlier checkpoints, in which a tile was partial, take the full one.
    for (const folder of full) await this.#store.delete(await this.#store.list(folder));
  }

  async #putPayload({ prefix, size }: LogPlace, number: number, turn: Turn): Promise<void> {
    if (number * TILE_WIDTH >= size) return;
    const lines = [...payloadLines(this.#ctx, bundleName(number), size)];
    await turn.transfers.put(payloadKey(prefix, number), Buffer.from(lines.join('')), PAYLOAD);
    await this.#pause(turn);
  }

  async #pause(turn: Turn): Promise<void> {
    await yieldToEventLoop();
    turn.confirm();
  }
}

function payloadKey(prefix: string, number: number): string {
  return `${prefix}payload/${bundleName(number)}`;
}
