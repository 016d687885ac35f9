/** What this device knows of a board's log: its key, the last checkpoint, proofs of own entries, and evidence. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Checkpoint, parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type NoteKey, parseVkey } from '#core/domain/tlog/note-key.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { EXIT, Failure } from '../failure.ts';
import { listFolder, readJson, writePrivate } from '../state/atomic-file.ts';
import { sha256 } from '../state/sha256.ts';

const Stored = z.object({
  board_public_key: z.string(),
  /** Newest first. Earlier ones verify earlier proofs. */
  keys: z.array(z.string()).min(1),
  /** The last good checkpoint, as a signed note; null before the first one. */
  checkpoint: z.string().nullable(),
  checked_at: z.string().nullable(),
  /** Hashes of lost entries, which the person has accepted. */
  given_up: z.array(z.string()),
});

export interface TrustedCheckpoint extends Checkpoint {
  /** The signed note. */
  note: string;
}

export type TrustedKey = NoteKey & { vkey: string };

export interface TrustedLog extends Omit<z.infer<typeof Stored>, 'checkpoint' | 'keys'> {
  keys: readonly [TrustedKey, ...TrustedKey[]];
  checkpoint: TrustedCheckpoint | null;
}

/** Files of evidence by name. */
export type Evidence = Readonly<Record<string, string>>;

/** The most folders of evidence. A board that lies each time must not fill the disk. */
const MAX_EVIDENCE = 20;

const PROOF = /^([1-9]\d{0,15})\.tlog-proof$/;

export class KeptLog {
  readonly folder: string;

  /** @param board The folder of the board. */
  constructor(board: string) {
    this.folder = join(board, 'log');
  }

  /** Null if there is none, or if the file is damaged. */
  read(): TrustedLog | null {
    const stored = readJson(this.#path, Stored);
    if (!stored) return null;
    try {
      const [newest, ...earlier] = stored.keys.map(trustedKey);
      if (!newest) return null;
      const checkpoint = stored.checkpoint === null ? null : trusted(stored.checkpoint);
      return { ...stored, keys: [newest, ...earlier], checkpoint };
    } catch (error) {
      if (error instanceof NoteError) return null;
      throw error;
    }
  }

  /** @throws {Failure} if it cannot be written. */
  save({ keys, checkpoint, ...rest }: TrustedLog): void {
    const texts = { keys: keys.map(({ vkey }) => vkey), checkpoint: checkpoint?.note ?? null };
    writePrivate(this.#path, `${JSON.stringify({ ...rest, ...texts }, null, 2)}\n`);
  }

  /** Whether the state is there but cannot be read. */
  get isDamaged(): boolean {
    return listFolder(this.folder).includes('log.json') && this.read() === null;
  }

  /** The entries with a proof. */
  proven(): Set<number> {
    const names = listFolder(join(this.folder, 'proofs')).map((name) => PROOF.exec(name)?.[1]);
    return new Set(names.filter((name) => name !== undefined).map(Number));
  }

  keepProof(log_index: number, text: string): void {
    writePrivate(join(this.folder, 'proofs', `${log_index}.tlog-proof`), text);
  }

  /** The folders of evidence, oldest first. */
  evidence(): string[] {
    return listFolder(this.#evidenceFolder)
      .sort()
      .map((name) => join(this.#evidenceFolder, name));
  }

  /**
   * Saves files of evidence. The same case is saved only once.
   *
   * @param about What identifies the case.
   * @returns Its folder.
   * @throws {Failure} if they cannot be written.
   */
  keepEvidence(
    name: string,
    about: string,
    { at, files }: { at: string; files: Evidence },
  ): string {
    const ending = `-${name}-${sha256(about).toString('hex').slice(0, 8)}`;
    const kept = this.evidence();
    const known = kept.find((path) => path.endsWith(ending));
    if (known !== undefined) return known;
    if (kept.length >= MAX_EVIDENCE) return this.#evidenceFolder;
    const folder = join(this.#evidenceFolder, `${stampOf(at)}${ending}`);
    for (const [file, text] of Object.entries(files)) writePrivate(join(folder, file), text);
    return folder;
  }

  /**
   * Renames the folder, so that the next check trusts the log on first use again. Proofs and evidence stay.
   *
   * @throws {Failure} if it cannot be renamed.
   */
  setAside(at: string): void {
    const aside = `${this.folder}-${stampOf(at)}`;
    try {
      renameSync(this.folder, aside);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      throw new Failure(EXIT.usage, `${this.folder} cannot be renamed: ${message}`);
    }
  }

  get #path(): string {
    return join(this.folder, 'log.json');
  }

  get #evidenceFolder(): string {
    return join(this.folder, 'evidence');
  }
}

/** @throws {NoteError} if it is not a checkpoint. */
export function trusted(note: string): TrustedCheckpoint {
  return { note, ...parseCheckpoint(parseNote(note).text) };
}

/** @throws {NoteError} if it is not a key. */
export function trustedKey(vkey: string): TrustedKey {
  return { ...parseVkey(vkey, sha256), vkey };
}

/** An instant as a part of a file name. */
function stampOf(at: string): string {
  return at.replaceAll(/[^\dT]/g, '');
}
