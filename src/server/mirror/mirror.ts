/** Follows the log of a board: fetches what is new, checks everything, and drops what the board dropped. */
import { Findings } from '#core/domain/log/log-finding.ts';
import { logPathOf } from '#core/domain/tlog/log-path.ts';
import { type NoteKey, parseVkey } from '#core/domain/tlog/note-key.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import type { BoardClient } from './board-client.ts';
import { type CheckName, type MirrorFinding, resultAfter } from './checks.ts';
import { EntriesAudit } from './entries-audit.ts';
import { keepEvidence } from './evidence.ts';
import type { MirrorFolder } from './folder.ts';
import { BoardUnavailable, MirrorFault, findingOf } from './mirror-error.ts';
import { PayloadFollow, isDayAgo } from './payload-follow.ts';
import { PayloadPull } from './payload-pull.ts';
import { publishedVkey } from './published-vkey.ts';
import { type MirrorReport, reportOf } from './report.ts';
import { checkStandings } from './standings-check.ts';
import {
  type MirrorPin,
  type MirrorState,
  readPin,
  readState,
  writePin,
  writeState,
} from './state.ts';
import { TreeFiles, isSameHash } from './tree-files.ts';
import { ForkedLog, TreePull } from './tree-pull.ts';
import {
  CHECKPOINT_FILE,
  type SignedHead,
  readTrusted,
  verifyHead,
  writeTrusted,
} from './trusted-checkpoint.ts';

const MAX_NOTE_BYTES = 1024 * 1024;

interface MirrorOptions {
  folder: MirrorFolder;
  client: BoardClient;
  /** The log that is trusted; null if it is the one that the board names. The first checkpoint pins it. */
  pin: MirrorPin | null;
  now: () => Date;
}

export class Mirror {
  readonly #folder: MirrorFolder;
  readonly #client: BoardClient;
  readonly #now: () => Date;
  readonly #payloads: PayloadFollow;
  readonly #audit: EntriesAudit;
  /** Shared with the part that follows payloads. */
  readonly #state: MirrorState;
  #pin: MirrorPin | null;
  #isPinned: boolean;
  #head: SignedHead | null = null;
  #files: TreeFiles | null = null;
  /** Whether payloads changed since the entries were checked. */
  #isOther = false;
  /** When the mirror's own files were checked last. */
  #checkedAt: number | null = null;

  constructor({ folder, client, pin, now }: MirrorOptions) {
    this.#folder = folder;
    this.#client = client;
    this.#pin = pin;
    this.#isPinned = readPin(folder) !== null;
    this.#now = now;
    this.#state = readState(folder);
    this.#payloads = new PayloadFollow(new PayloadPull(folder, client), this.#state, now);
    this.#audit = new EntriesAudit(folder, client.url);
  }

  /** The path of the log on the board, and on the mirror. */
  get log(): string {
    return this.#client.log;
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
   * @throws {StoreError} if its checkpoint is damaged.
   */
  async open(): Promise<void> {
    if (!this.#pin) return;
    this.#client.log = logPathOf(this.#key.name);
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
      if (this.#client.isStopped) return this.report;
      found.add({ file: '', message: error.message });
    }
    this.#set('board', found);
    writeState(this.#folder, this.#state);
    this.#folder.sync();
    return this.report;
  }

  async #follow(): Promise<void> {
    const head = await this.#attempt('checkpoint', () => this.#newest());
    const isDue = isDayAgo(this.#checkedAt, this.#now());
    const files = head && (await this.#pull(head, isDue));
    const shown = files ?? this.#files;
    if (!shown) return;
    const isComplete = await this.#bringPayloads(shown, isDue);
    if (head && files) this.#show(head, files);
    // Without some payloads, such as those with keys, later entries would seem wrong.
    if (!isComplete) return;
    await this.#checkEntries(shown);
    await this.#checkStandings(shown);
    if (!files) return;
    if (isDue) this.#checkedAt = this.#now().getTime();
    this.#state.complete_at = this.#now().toISOString();
  }

  /** The board's newest checkpoint, signed by the pinned key. */
  async #newest(): Promise<SignedHead> {
    const pin = this.#pin ?? { board: this.#client.url, vkey: await publishedVkey(this.#client) };
    const key = parseVkey(pin.vkey, sha256);
    this.#client.log = logPathOf(key.name);
    const asked = { maxBytes: MAX_NOTE_BYTES };
    const bytes = (await this.#client.read(CHECKPOINT_FILE, asked))?.bytes ?? new Uint8Array();
    const head = await verifyHead(bytes, key);
    if (!this.#isPinned) writePin(this.#folder, pin);
    this.#isPinned = true;
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
    pull.repaired.forEach((file) => this.#noteRepair(file));
    if (found) this.#set('history', new Findings());
    return found;
  }

  /** Returns whether the mirror has all payloads that the board shows. */
  async #bringPayloads(files: TreeFiles, isChecked: boolean): Promise<boolean> {
    const from = this.#head?.size ?? 0;
    const followed = await this.#payloads.follow(files, { from, isChecked });
    this.#set('payloads', followed.payloads);
    this.#set('withheld', followed.withheld);
    followed.repaired.forEach((file) => this.#noteRepair(file));
    this.#isOther ||= followed.isOther;
    return followed.isComplete;
  }

  async #checkEntries(files: TreeFiles): Promise<void> {
    try {
      this.#set('entries', await this.#audit.run(files, this.#isOther));
      this.#isOther = false;
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
      if (!checked) return;
      const { findings, ...file } = checked;
      this.#state.log_file = file;
      if (findings.total > 0) await this.#compareKey();
      this.#set('standings', findings);
    } catch (error) {
      // The board has no file while it writes another one.
      if (error instanceof MirrorFault) this.#fail('standings', error);
      else if (!(error instanceof BoardUnavailable)) throw error;
    }
  }

  /** @throws {MirrorFault} if the board restored a backup that could not continue the log of the mirror. */
  async #compareKey(): Promise<void> {
    const { name } = parseVkey(await publishedVkey(this.#client), sha256);
    if (logPathOf(name) === this.#client.log) return;
    const message = `is of another log, ${name}, which the board began after a restore. Mirror it in another folder`;
    throw new MirrorFault(PUBLIC_LOG_PATH.slice(1), message);
  }

  #show(head: SignedHead, files: TreeFiles): void {
    writeTrusted(this.#folder, head);
    this.#head = head;
    this.#files = files;
  }

  async #attempt<Result>(name: CheckName, work: () => Promise<Result>): Promise<Result | null> {
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
    const result = resultAfter(checks[name], found, this.#now());
    const findings = result.findings.map(({ file, message }) => {
      return { file: this.#client.pathOf(file), message };
    });
    checks[name] = { ...result, findings };
  }

  #noteRepair(file: string): void {
    const { files } = this.#state.repaired;
    this.#state.repaired = { files: files + 1, last: file };
  }

  get #key(): NoteKey {
    return parseVkey(this.#pin?.vkey ?? '', sha256);
  }
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
