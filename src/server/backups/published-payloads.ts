/** The payloads that a copy of the log has, in a temporary folder, because they can be larger than the memory. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntryRange } from '#db/engine/erasure.ts';
import type { LogLeaf } from '#db/log.ts';
import { fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import { readPayloadLine } from '#core/domain/log/payload-line.ts';
import { TILE_WIDTH, payloadPath } from '#core/domain/tlog/tile.ts';
import type { PayloadLine } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import type { LogSource } from './log-source.ts';

/** The largest file: 256 snapshots of 4 MiB, escaped twice. */
const MAX_FILE_BYTES = 4 * 1024 ** 3;

export class PublishedPayloads {
  readonly #folder: string;
  #erased: readonly EntryRange[] = [];
  #bundle: { number: number; lines: ReadonlyMap<number, PayloadLine> } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Brings the payloads of bundles, as far as the source has them. */
  async bring(source: LogSource, numbers: Iterable<number>): Promise<void> {
    for (const number of numbers) {
      const bytes = await source.read(payloadPath(number), MAX_FILE_BYTES);
      if (bytes) this.#append(number, bytes);
    }
  }

  add(line: PayloadLine): void {
    this.#append(bundleOf(line.log_index), `${JSON.stringify(line)}\n`);
  }

  /** Forgets the payloads of entries that were erased, in case that the copy still has them. */
  drop(erased: readonly EntryRange[]): void {
    this.#erased = erased;
  }

  /** Whether the copy has the payloads of the bundle, but none of this entry, and it was not erased. */
  isWithheld(index: number): boolean {
    const number = bundleOf(index);
    if (this.#isErased(index) || !existsSync(this.#fileOf(number))) return false;
    return !this.#linesOf(number).has(index);
  }

  /** The payload of an entry; null if the copy has none that belongs to it. */
  of({ index, payload_digest }: LogLeaf): PayloadLine | null {
    const line = this.#linesOf(bundleOf(index)).get(index);
    if (!line || this.#isErased(index)) return null;
    const digest = payloadDigest(fromHex(line.salt), Buffer.from(line.payload), sha256);
    return digest === payload_digest ? line : null;
  }

  #isErased(index: number): boolean {
    return this.#erased.some(([first, last]) => first <= index && index <= last);
  }

  #append(number: number, text: Uint8Array | string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    appendFileSync(this.#fileOf(number), text, { mode: 0o600 });
  }

  #linesOf(number: number): ReadonlyMap<number, PayloadLine> {
    if (this.#bundle?.number !== number) {
      const lines = textOf(this.#fileOf(number)).split('\n').map(readPayloadLine);
      const found = lines.filter((line) => line !== null);
      this.#bundle = { number, lines: new Map(found.map((line) => [line.log_index, line])) };
    }
    return this.#bundle.lines;
  }

  #fileOf(number: number): string {
    return join(this.#folder, String(number));
  }
}

export function bundleOf(index: number): number {
  return Math.floor((index - 1) / TILE_WIDTH);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
