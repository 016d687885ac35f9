/** Follows the log of a board: fetches what is new, checks everything, and drops what the board dropped. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import { bareEntry } from '#core/domain/log/bare-entry.ts';
import { SEEN_OTHERWISE } from '#core/domain/log/board-pins.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { type NoteKey, parseVkey } from '#core/domain/tlog/note-key.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import { sha256 } from '../process/crypto.ts';
import type { BoardClient } from './board-client.ts';
import { type CheckName, type MirrorFinding, resultAfter } from './checks.ts';
import { EntriesAudit } from './entries-audit.ts';
import { keepEvidence } from './evidence.ts';
import type { MirrorFolder } from './folder.ts';
import { BoardUnavailable, MirrorFault } from './mirror-error.ts';
import { PayloadPull } from './payload-pull.ts';
import { publishedVkey } from './published-vkey.ts';
import { type MirrorReport, reportOf } from './report.ts';
import { checkStandings } from './standings-check.ts';
import { type MirrorPin, type MirrorState, readState, writePin, writeState } from './state.ts';
import { TreeFiles, isSameHash, payloadFile } from './tree-files.ts';
import { ForkedLog, TreePull } from './tree-pull.ts';
import {
  CHECKPOINT_FILE,
  type SignedHead,
  readTrusted,
  verifyHead,
  writeTrusted,
} from './trusted-checkpoint.ts';

/** How often the mirror checks its own files, and asks for all payloads though the log names no reason. */
const EVERY_MS = DAY_MS;
/** Caches can show what the board dropped for a minute, so it is asked again after this time. */
const AGAIN_MS = 2 * 60 * 1000;
/** How long the board's next checkpoint may take to explain why payloads disappeared. */
const EXPLAINED_MS = 60 * 60 * 1000;
/** Kinds of entries after which a board shows other payloads. */
const EXPLAINS = [...SEEN_OTHERWISE, 'lost'];
const MAX_NOTE_BYTES = 1024 * 1024;

interface MirrorOptions {
  folder: MirrorFolder;
  client: BoardClient;
  /** The pinned log; null if the first pass pins the one that the board names. */
  pin: MirrorPin | null;
  now: () => Date;
}

export class Mirror {
  readonly #folder: MirrorFolder;
  readonly #client: BoardClient;
  readonly #now: () => Date;
  readonly #payloads: PayloadPull;
  readonly #audit: EntriesAudit;
  readonly #state: MirrorState;
  #pin: MirrorPin | null;
  #head: SignedHead | null = null;
  #files: TreeFiles | null = null;
  /** When the mirror's own files were checked last. */
  #checkedAt: number | null = null;
  /** Bundles whose payloads could not be brought. */
  readonly #left = new Set<number>();

  constructor({ folder, client, pin, now }: MirrorOptions) {
    this.#folder = folder;
    this.#client = client;
    this.#pin = pin;
    this.#now = now;
    this.#state = readState(folder);
    this.#payloads = new PayloadPull(folder, client);
    this.#audit = new EntriesAudit(folder, client.url);
  }

  /** The checkpoint that the mirror shows; null before the first one. */
  get head(): SignedHead | null {
    return this.#head;
  }

  /** The tree of the checkpoint. */
  get files(): TreeFiles | null {
    return this.#files;
  }

  get report(): MirrorReport {
    return reportOf(this.#client.url, { pin: this.#pin, head: this.#head, state: this.#state });
  }

  /**
   * Reads what the mirror has.
   *
   * @throws {BoardUnavailable} if its checkpoint is damaged.
   */
  async open(): Promise<void> {
    if (!this.#pin) return;
    this.#head = await readTrusted(this.#folder, this.#key);
    this.#files = this.#head && new TreeFiles(this.#folder, this.#head);
  }

  /** Has the mirror's own files checked with the next pass. */
  suspect(): void {
    this.#checkedAt = null;
  }

  /** Brings the mirror up to date. What goes wrong is in the report. */
  async pass(): Promise<MirrorReport> {
    this.#client.begin();
    const found = new Findings<MirrorFinding>();
    try {
      await this.#follow();
    } catch (error) {
      if (!(error instanceof BoardUnavailable)) throw error;
      found.add({ file: '', message: error.message });
    }
    this.#set('board', found);
    writeState(this.#folder, this.#state);
    this.#folder.sync();
    return this.report;
  }

  async #follow(): Promise<void> {
    const head = await this.#attempt('checkpoint', () => this.#newest());
    const isDue = this.#isDue(this.#checkedAt);
    const files = head && (await this.#pull(head, isDue));
    const shown = files ?? this.#files;
    if (!shown) return;
    const isOther = await this.#bringPayloads(shown, isDue);
    if (head && files) this.#show(head, files);
    await this.#checkEntries(shown, isOther);
    await this.#checkStandings(shown);
    if (!files || this.#left.size > 0) return;
    if (isDue) this.#checkedAt = this.#now().getTime();
    this.#state.complete_at = this.#now().toISOString();
  }

  /** The board's newest checkpoint, signed by the pinned key. */
  async #newest(): Promise<SignedHead> {
    const asked = { maxBytes: MAX_NOTE_BYTES };
    const bytes = (await this.#client.read(CHECKPOINT_FILE, asked))?.bytes ?? new Uint8Array();
    const pin = this.#pin ?? { board: this.#client.url, vkey: await publishedVkey(this.#client) };
    const head = await verifyHead(bytes, parseVkey(pin.vkey, sha256));
    if (!this.#pin) writePin(this.#folder, pin);
    this.#pin = pin;
    this.#state.board_size = head.size;
    return head;
  }

  /** The tree of a checkpoint, complete and checked. Null if it is not, or does not extend the mirror's. */
  async #pull(head: SignedHead, isDue: boolean): Promise<TreeFiles | null> {
    const trusted = this.#head;
    const files = new TreeFiles(this.#folder, head);
    const pull = new TreePull(this.#folder, this.#client, files);
    const found = await this.#attempt('tree', async () => {
      try {
        if (trusted) compareHeads(trusted, head);
        await pull.extend(trusted);
      } catch (error) {
        if (!(error instanceof ForkedLog) || !trusted) throw error;
        const kept = keepEvidence(this.#folder, { trusted, other: head, files });
        throw new ForkedLog(error.file, `${error.message}. Both checkpoints are in ${kept}`);
      }
      await pull.bring(isDue || !trusted ? 0 : trusted.size);
      return files;
    });
    for (const file of pull.repaired) this.#noteRepair(file);
    if (found) this.#set('history', new Findings());
    return found;
  }

  /** Returns whether payloads of entries that were there before changed. */
  async #bringPayloads(files: TreeFiles, isDue: boolean): Promise<boolean> {
    const { size } = files.head;
    const plan = this.#planAsking(files);
    const found = new Findings<MirrorFinding>();
    const first = Math.floor((this.#head?.size ?? 0) / TILE_WIDTH);
    let isOther = plan.isSaid;
    for (let number = 0; number * TILE_WIDTH < size; number += 1) {
      const isWanted = plan.isAsked || isDue || number >= first || this.#left.has(number);
      if (!isWanted) continue;
      try {
        const how = { isAsked: plan.isAsked, isChecked: isDue };
        const change = await this.#payloads.bring(files, number, how);
        this.#left.delete(number);
        isOther ||= change.isOther || change.dropped.length > 0;
        if (change.isRepaired) this.#noteRepair(payloadFile(number));
        if (!plan.isSaid) this.#noteMissing(payloadFile(number), change.dropped.length, size);
      } catch (error) {
        if (!(error instanceof MirrorFault)) throw error;
        this.#left.add(number);
        found.add(findingOf(error));
      }
    }
    this.#set('payloads', found);
    Object.assign(this.#state, plan.next);
    this.#checkMissing(files);
    return isOther;
  }

  /** Whether the board is asked for all payloads, and what the state is afterwards. */
  #planAsking(files: TreeFiles) {
    const { asked_at, asked_size, again_at } = this.#state;
    const now = this.#now();
    const isNews = this.#isExplained(files, asked_size);
    const isAgain = again_at !== null && now.getTime() >= Date.parse(again_at);
    const isSaid = isNews || isAgain;
    const isAsked = isSaid || this.#isDue(asked_at === null ? null : Date.parse(asked_at));
    const later = isAgain ? null : again_at;
    const next = {
      asked_at: isAsked ? now.toISOString() : asked_at,
      asked_size: files.head.size,
      again_at: isNews ? new Date(now.getTime() + AGAIN_MS).toISOString() : later,
    };
    return { isSaid, isAsked, next };
  }

  #noteMissing(file: string, entries: number, size: number): void {
    if (entries === 0) return;
    const since = this.#now().toISOString();
    const { missing } = this.#state;
    this.#state.missing = missing
      ? { ...missing, entries: missing.entries + entries }
      : { since, size, entries, file };
  }

  #checkMissing(files: TreeFiles): void {
    const { missing } = this.#state;
    const found = new Findings<MirrorFinding>();
    if (missing && this.#isExplained(files, missing.size)) this.#state.missing = null;
    else if (missing && this.#now().getTime() - Date.parse(missing.since) >= EXPLAINED_MS) {
      const { file, entries, since } = missing;
      const message = `does not show ${entries} of its payloads since ${since}, and the log does not say why`;
      found.add({ file, message });
    }
    this.#set('withheld', found);
  }

  /** Whether an entry after a size of the log explains that payloads disappeared. */
  #isExplained(files: TreeFiles, size: number): boolean {
    if (size >= files.head.size) return false;
    for (let at = Math.floor(size / TILE_WIDTH); at * TILE_WIDTH < files.head.size; at += 1) {
      const leaves = (files.bundle(at) ?? []).map((leaf) => bareEntry(leaf, sha256));
      if (leaves.some((entry) => entry && entry.log_index > size && EXPLAINS.includes(entry.kind)))
        return true;
    }
    return false;
  }

  async #checkEntries(files: TreeFiles, isOther: boolean): Promise<void> {
    try {
      this.#set('entries', await this.#audit.run(files, isOther));
    } catch (error) {
      if (!(error instanceof MirrorFault)) throw error;
      this.#fail('entries', error);
    }
  }

  async #checkStandings(files: TreeFiles): Promise<void> {
    const { log_file, checks } = this.#state;
    const tools = { folder: this.#folder, client: this.#client, files };
    try {
      const etag = checks.standings.ok === null ? null : log_file.etag;
      const checked = await checkStandings(tools, etag);
      if (checked) {
        const { findings, ...file } = checked;
        this.#state.log_file = file;
        this.#set('standings', findings);
      }
    } catch (error) {
      // The board has no file while it writes another one.
      if (error instanceof MirrorFault) this.#fail('standings', error);
      else if (!(error instanceof BoardUnavailable)) throw error;
    }
  }

  #show(head: SignedHead, files: TreeFiles): void {
    if (this.#head?.note !== head.note) writeTrusted(this.#folder, head);
    this.#head = head;
    this.#files = files;
  }

  async #attempt<Result>(
    name: CheckName,
    work: () => Promise<Result>,
  ): Promise<Result | null> {
    try {
      const result = await work();
      this.#set(name, new Findings());
      return result;
    } catch (error) {
      if (!(error instanceof MirrorFault)) throw error;
      this.#fail(error instanceof ForkedLog ? 'history' : name, error);
      return null;
    }
  }

  #fail(name: CheckName, error: MirrorFault): void {
    const found = new Findings<MirrorFinding>();
    found.add(findingOf(error));
    this.#set(name, found);
  }

  #set(name: CheckName, found: Findings<MirrorFinding>): void {
    const { checks } = this.#state;
    checks[name] = resultAfter(checks[name], found, this.#now());
  }

  #noteRepair(file: string): void {
    const { files } = this.#state.repaired;
    this.#state.repaired = { files: files + 1, last: file };
  }

  #isDue(at: number | null): boolean {
    return at === null || this.#now().getTime() - at >= EVERY_MS;
  }

  get #key(): NoteKey {
    return parseVkey(this.#pin?.vkey ?? '', sha256);
  }
}

function findingOf({ file, message }: MirrorFault): MirrorFinding {
  return { file, message };
}

/** @throws {ForkedLog} if one of two checkpoints cannot extend the other. */
function compareHeads(trusted: SignedHead, head: SignedHead): void {
  if (head.size < trusted.size) {
    const message = `was rewound: it has ${head.size} entries, and had ${trusted.size}`;
    throw new ForkedLog(CHECKPOINT_FILE, message);
  }
  if (head.size === trusted.size && !isSameHash(head.root, trusted.root)) {
    const message = `is another history of ${head.size} entries than this mirror has`;
    throw new ForkedLog(CHECKPOINT_FILE, message);
  }
}
