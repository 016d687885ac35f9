/**
 * The largest checkpoint that the board signed, in a file of its own. The database may be replaced by an older copy. The
 * file then says what was already published, so that the board never signs another history.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { type Checkpoint, parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { replaceFile } from '../process/atomic-file.ts';

/** A checkpoint as a signed note. */
export interface SignedCheckpoint extends Checkpoint {
  note: string;
}

/**
 * Reads the largest checkpoint; null if there is none.
 *
 * @throws {NoteError} if the file cannot be read or does not have a checkpoint.
 */
export function readLargest(path: string): SignedCheckpoint | null {
  const note = textOf(path);
  return note === null ? null : { note, ...parseCheckpoint(parseNote(note).text) };
}

function textOf(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new NoteError('note_invalid', message);
  }
}

/**
 * Notes a checkpoint of this board that is known from elsewhere, such as its published log, if it is the largest one.
 * Call it before a restored board starts: the board then signs nothing until it has all entries up to that checkpoint.
 *
 * @param note A checkpoint whose signature was checked.
 */
export function noteKnownCheckpoint(path: string, note: string): void {
  const { size } = parseCheckpoint(parseNote(note).text);
  if (size > (readLargest(path)?.size ?? -1)) replaceFile(path, note);
}

/** The newest log of the board of which a data folder has a checkpoint; 0 if there is none. */
export function newestGeneration(dataDir: string): number {
  const generations = readdirSync(dataDir).map((name) => {
    const [isCheckpoint, number = '1'] = /^log-checkpoint(?:-(\d+))?$/.exec(name) ?? [];
    return isCheckpoint === undefined ? 0 : Number(number);
  });
  return Math.max(0, ...generations);
}
