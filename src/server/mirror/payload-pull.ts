/** Brings payloads into a mirror, and drops those that the board does not show any more. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { BareEntry } from '#core/domain/log/bare-entry.ts';
import { fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import { readPayloadLine } from '#core/domain/log/payload-line.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import type { BoardClient } from './board-client.ts';
import type { MirrorFolder } from './folder.ts';
import { linesIn } from './lines.ts';
import { MirrorFault } from './mirror-error.ts';
import {
  type PayloadSum,
  bareEntriesOf,
  entriesOf,
  isIntact,
  readSum,
  writeSum,
} from './payload-files.ts';
import { ReceiptKeys } from './receipt-keys.ts';
import { type TreeFiles, payloadFile } from './tree-files.ts';

/** The largest file: 256 snapshots of 4 MiB, escaped twice. */
const MAX_FILE_BYTES = 4 * 1024 ** 3;

/** What changed in the payloads of a bundle. */
export interface PayloadChange {
  /** Whether payloads of entries that were complete were fetched again. */
  isOther: boolean;
  /** How many entries lost their payload. */
  dropped: number;
  /** Whether the mirror's own file was damaged. */
  isRepaired: boolean;
}

const UNCHANGED: PayloadChange = { isOther: false, dropped: 0, isRepaired: false };

interface Wanted {
  /** Whether the board is asked for changes, also if the mirror has the payloads of all entries. */
  isAsked: boolean;
  /** Whether the mirror's own file is checked. */
  isChecked: boolean;
}

export class PayloadPull {
  readonly #folder: MirrorFolder;
  readonly #client: BoardClient;
  readonly #keys = new ReceiptKeys();

  constructor(folder: MirrorFolder, client: BoardClient) {
    this.#folder = folder;
    this.#client = client;
  }

  /**
   * Brings the payloads of a bundle.
   *
   * @throws {MirrorFault} if they do not belong to the entries. The mirror then keeps what it has.
   */
  async bring(
    files: TreeFiles,
    number: number,
    { isAsked, isChecked }: Wanted,
  ): Promise<PayloadChange> {
    const entries = bareEntriesOf(files, number);
    const sum = readSum(this.#folder, number);
    const isRepaired = sum !== null && isChecked && !(await this.#isSound(files, number, sum));
    const isComplete = sum?.width === entries.length;
    const isKept = isComplete && !isRepaired;
    if (isKept && !isAsked) return UNCHANGED;
    const taken = await this.#fetch(number, entries, isKept ? sum.etag : null);
    if (!taken) return UNCHANGED;
    const dropped = droppedFrom(sum, taken);
    return { isOther: isComplete || dropped > 0, dropped, isRepaired };
  }

  /** Checks the mirror's own file, and learns the board's keys from it. */
  async #isSound(files: TreeFiles, number: number, sum: PayloadSum): Promise<boolean> {
    if (!(await isIntact(this.#folder, number, sum))) return false;
    for await (const entry of entriesOf(this.#folder, files, number)) this.#keys.add(entry);
    return true;
  }

  /** Replaces the file. Null if the board has the one with the tag. */
  async #fetch(
    number: number,
    entries: readonly BareEntry[],
    etag: string | null,
  ): Promise<PayloadSum | null> {
    const path = payloadFile(number);
    const answer = await this.#client.open(path, { maxBytes: MAX_FILE_BYTES, etag });
    if (!answer) return null;
    const draft = this.#folder.draft();
    try {
      const taken = await this.#take({ path, entries, draft }, answer.chunks);
      this.#folder.place(draft, path);
      const { isAll, ...found } = taken;
      const sum = { ...found, etag: isAll ? answer.etag : null, width: entries.length };
      writeSum(this.#folder, number, sum);
      return sum;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  async #take(
    { path, entries, draft }: { path: string; entries: readonly BareEntry[]; draft: string },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<Pick<PayloadSum, 'rows' | 'sha256'> & { isAll: boolean }> {
    const hash = createHash('sha256');
    const rows: number[] = [];
    const first = entries[0]?.log_index ?? 0;
    let isAll = true;
    let file: FileHandle | null = null;
    try {
      file = await open(draft, 'wx', 0o600);
      for await (const text of linesIn(path, chunks)) {
        const entry = entryOf(path, text, { entries, first, last: rows.at(-1) ?? 0 });
        if (!entry) {
          isAll = false;
          continue;
        }
        this.#check(path, entry);
        rows.push(entry.log_index);
        hash.update(`${text}\n`);
        await file.write(`${text}\n`);
      }
    } finally {
      await file?.close();
    }
    return { rows, sha256: hash.digest('hex'), isAll };
  }

  #check(path: string, entry: EntryLine): void {
    try {
      this.#keys.add(entry);
      this.#keys.check(entry);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new MirrorFault(
        path,
        `has a wrong receipt of entry ${entry.log_index}: ${error.message}`,
      );
    }
  }
}

function droppedFrom(before: PayloadSum | null, after: PayloadSum): number {
  const rows = new Set(after.rows);
  return before?.rows.filter((row) => !rows.has(row)).length ?? 0;
}

/** The entry of a line with its payload. Null for an entry that is not in the checkpoint yet. */
function entryOf(
  path: string,
  text: string,
  { entries, first, last }: { entries: readonly BareEntry[]; first: number; last: number },
): EntryLine | null {
  const line = readPayloadLine(text);
  if (!line) throw new MirrorFault(path, `has a line after entry ${last} that is not a payload`);
  const { log_index, salt, payload } = line;
  if (log_index <= last || log_index < first || log_index >= first + TILE_WIDTH) {
    throw new MirrorFault(path, `has the payload of entry ${log_index} in the wrong place`);
  }
  const entry = entries[log_index - first];
  if (!entry) return null;
  const bytes = new TextEncoder().encode(payload);
  if (payloadDigest(fromHex(salt), bytes, sha256) === entry.payload_digest) {
    return { ...entry, ...line, check: '' };
  }
  throw new MirrorFault(path, `has another salt or payload of entry ${log_index} than the tree`);
}
