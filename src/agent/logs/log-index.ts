/**
 * The index of earlier scans, so that a scan reads only what is new. It can be deleted at any time: missing or damaged
 * parts are read again from the logs. It contains counts and the IDs of responses and sessions, but no text.
 *
 * @module
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Reader } from '#core/readers/shared/reader.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { SourceReport } from '../device-reports.ts';
import { Failure, orNull } from '../failure.ts';
import { listFolder } from '../state/atomic-file.ts';
import { readSealed, writeSealed } from '../state/sealed-file.ts';
import { sha256 } from '../state/sha256.ts';
import { reasonFor } from './files.ts';
import type { Entry } from './read-log.ts';
import { type StampedLogs, stampText } from './stamp.ts';

/** The format of the index. Files of another format are ignored. */
const FORM = { name: 'opbench-logs', version: 3, isCache: true };

/** The names of index files. Other files belong to other versions, or are being written. */
const FILE = /-(entries|sums)\.json$/;

/** Other files that are older than this are deleted. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;

export type ScanSource = Omit<SourceReport, 'skipped_lines'>;

export interface ToolSums {
  buckets: Bucket[];
  source: ScanSource;
}

/** The ledger that contains the responses of the index, and its run at that time. */
interface LedgerMark {
  id: string;
  run: number;
}

/** The ledger that contains the responses of the index. */
export interface IndexedLedger extends Readonly<LedgerMark> {
  rulesOf(tool: string): number | undefined;
}

/** The ledger with the responses behind a part of the index; null if there is none. */
interface Marked {
  mark: LedgerMark | null;
}

type MarkedSums = ToolSums & Marked;
type MarkedLogs = Marked & { entries: readonly Entry[] };

/** The logs of a tool as they were read, and whether the ledger has all their responses. */
interface KnownLogs {
  entries: readonly Entry[];
  areTold: boolean;
}

export class LogIndex {
  readonly #folder: string;
  readonly #ledger: IndexedLedger | null;
  /** The ledger's id when the index was opened. */
  readonly #ledgerId: string | null;
  #isTidy = false;
  readonly notes: string[] = [];

  /** @param ledger Sums are used only if this ledger has the responses behind them; null to skip that check. */
  constructor(folder: string, ledger: IndexedLedger | null = null) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#ledgerId = ledger?.id ?? null;
  }

  /** The sums of a tool's logs if the logs have not changed; null if unknown. */
  sums(logs: StampedLogs): ToolSums | null {
    const known = this.#read<MarkedSums>(`${logs.reader.tool}-sums`, labelOfSums(logs));
    return known !== null && this.#isInLedger(known, logs.reader) ? known : null;
  }

  /** A ledger that was lost or restored from a backup may lack responses. With other rules, all are counted again. */
  #isInLedger({ mark }: Marked, { tool, rules }: Reader): boolean {
    if (this.#ledger === null) return true;
    const { id, run } = this.#ledger;
    return mark?.id === id && mark.run <= run && this.#ledger.rulesOf(tool) === rules;
  }

  keepSums(logs: StampedLogs, sums: ToolSums): void {
    const marked: MarkedSums = { ...sums, mark: this.#mark() };
    this.#write(`${logs.reader.tool}-sums`, labelOfSums(logs), marked);
  }

  /** A ledger that was created again meanwhile has only the responses of this scan. */
  #mark(): LedgerMark | null {
    const { id, run } = this.#ledger ?? { id: null, run: 0 };
    return id !== null && id === this.#ledgerId ? { id, run } : null;
  }

  /** Deletes sums of other logs, which might be the same logs again later. */
  dropSums({ tool }: Reader): void {
    this.#change(() => rmSync(this.#pathOf(`${tool}-sums`), { force: true }));
  }

  /** The logs of a tool, including deleted ones. */
  logs(reader: Reader): KnownLogs {
    const known = this.#read<MarkedLogs>(nameOf(reader), labelOf(reader));
    if (known === null) return { entries: [], areTold: false };
    return { entries: known.entries, areTold: this.#isInLedger(known, reader) };
  }

  keepLogs(reader: Reader, entries: readonly Entry[]): void {
    if (entries.length === 0) return this.forget(reader);
    const marked: MarkedLogs = { entries, mark: this.#mark() };
    this.#write(nameOf(reader), labelOf(reader), marked);
  }

  /** The next scan reads all logs of the tool. */
  forget(reader: Reader): void {
    this.dropSums(reader);
    this.#change(() => rmSync(this.#pathOf(nameOf(reader)), { force: true }));
  }

  #read<Content>(name: string, label: string): Content | null {
    const sealed = orNull(() => readSealed(this.#pathOf(name), FORM));
    if (sealed?.state !== 'whole') return null;
    const kept = JSON.parse(sealed.body.toString()) as { label: string; content: Content };
    return kept.label === label ? kept.content : null;
  }

  #write(name: string, label: string, content: unknown): void {
    const body = Buffer.from(JSON.stringify({ label, content }));
    this.#change(() => writeSealed(this.#pathOf(name), FORM, body));
  }

  /** Changes the index. After an error, it does not try again. */
  #change(change: () => void): void {
    if (this.notes.length > 0) return;
    try {
      change();
      if (!this.#isTidy) this.#removeLeftBehind();
      this.#isTidy = true;
    } catch (error) {
      const reason = error instanceof Failure ? error.message : reasonFor(this.#folder, error);
      this.notes.push(`The log index cannot be saved, so scans are slow: ${reason}`);
    }
  }

  #removeLeftBehind(): void {
    for (const name of listFolder(this.#folder).filter((name) => !FILE.test(name))) {
      const path = join(this.#folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats && Date.now() - stats.mtimeMs > LEFT_BEHIND_MS) rmSync(path, { force: true });
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

function nameOf({ tool }: Reader): string {
  return `${tool}-entries`;
}

function labelOf({ tool, rules }: Reader): string {
  return `${tool} ${rules}`;
}

/** A label of everything that the sums depend on. */
function labelOfSums({ reader, roots, stamps, unreadable }: StampedLogs): string {
  const stamped = Array.from(stamps, ([path, stamp]) => [path, stampText(stamp)]);
  const text = JSON.stringify([roots, stamped, unreadable]);
  return `${labelOf(reader)} ${sha256(text).toString('base64url')}`;
}
