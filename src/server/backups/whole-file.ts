/** A whole board as a text file: written beside a running server, and made a board's database again elsewhere. */
import {
  closeSync,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { lockData } from '#db/engine/data-lock.ts';
import { type DumpNote, dumpDatabase } from '#db/engine/dump.ts';
import { BoardLoad, type LoadOptions } from '#db/engine/dump-load.ts';
import type { WholeBoardHeader } from '#db/engine/dump-text.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { withInspection } from './backup-file.ts';
import { dropStaleDrafts, placeFile, refuseTaken } from '../process/atomic-file.ts';
import { importDraft } from './backups.ts';
import { syncFile, syncFolder } from '../process/fsync.ts';
import { linesIn } from '../verify/file-lines.ts';
import { inPieces } from '../process/chunks.ts';
import { unwritable } from '../process/unwritable.ts';
import { checkChain } from '../verify/log.ts';

export interface WrittenBoard {
  path: string;
  bytes: number;
  head: LogHead | null;
  operators: number;
}

/**
 * Writes a whole board under its final name once it is durable. Rows are read one by one, so memory does not grow.
 *
 * @param draft Where the file grows until it is whole.
 * @param over Whether a file that stands there is replaced.
 * @throws {StoreError} if the database cannot be read.
 * @throws {BackupError} `taken` if something stands there.
 */
export async function writeWholeBoard(
  database: string,
  { path, draft, over, note }: { path: string; draft: string; over: boolean; note: DumpNote },
): Promise<WrittenBoard> {
  if (!over) refuseTaken(path);
  dropStaleDrafts(path);
  const dump = dumpDatabase(database, note);
  try {
    const pieces = Readable.from(inPieces(dump.lines), { highWaterMark: 1 });
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
    if (path.endsWith('.gz')) await pipeline(pieces, createGzip(), file);
    else await pipeline(pieces, file);
    syncFile(draft);
    placeFile(draft, path, over);
    syncFolder(dirname(path));
    const { head, operators } = dump;
    return { path, bytes: statSync(path).size, head, operators };
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    dump.close();
    rmSync(draft, { force: true });
  }
}

export interface ImportedBoard {
  header: WholeBoardHeader;
  head: LogHead | null;
  entries: number;
  operators: number;
}

/**
 * Makes the board of a data folder that has none from a whole board's file. It has the name of a board's database
 * once its log was verified and it is durable, so whatever ends this in between leaves no board.
 *
 * @throws {StoreError} `in_use` if a server has the folder, `taken` if a board is there, else what is wrong with the file.
 */
export async function importWholeBoard(
  file: string,
  {
    folder,
    database,
    ...options
  }: { folder: string; database: string } & Omit<LoadOptions, 'path'>,
): Promise<ImportedBoard> {
  refuseBoard(database);
  const lock = lockData(folder);
  if (!lock) {
    throw new StoreError('in_use', `A server has ${folder}: name another data folder in DATA_DIR`);
  }
  const draft = importDraft({ dataDir: folder });
  try {
    removeDraft(draft);
    const header = await load(file, { path: draft, ...options });
    const found = checkDraft(draft, header);
    syncFile(draft);
    refuseBoard(database);
    // Not by a link, which a crash could leave beside the board as another name of it.
    renameSync(draft, database);
    syncFolder(folder);
    return { header, ...found };
  } finally {
    removeDraft(draft);
    lock.release();
  }
}

/** A board is never merged with another one, and what is left of one may be all that there is of it. */
function refuseBoard(database: string): void {
  for (const path of [database, `${database}-wal`]) {
    if (!existsSync(path)) continue;
    const message = `${path} is there: import makes a board where none is, and merges nothing. Name an empty data folder in DATA_DIR, or replace this board by a backup: opbench-board restore FILE --force`;
    throw new StoreError('taken', message);
  }
}

async function load(file: string, options: LoadOptions): Promise<WholeBoardHeader> {
  closeSync(openSync(options.path, 'wx', 0o600));
  const board = new BoardLoad(options);
  try {
    for await (const line of linesIn(file)) board.add(line);
    return board.finish();
  } finally {
    board.close();
  }
}

/** Reads what was made as a board is read: its log must hold, and end as the file says. */
function checkDraft(draft: string, { log_index, entry_hash }: WholeBoardHeader) {
  return withInspection(draft, (board) => {
    const { head, entries, findings } = checkChain(board.entries());
    const [fault] = [...board.integrity(), ...findings.map(({ message }) => message)];
    const isSame =
      (head?.log_index ?? null) === log_index && (head?.entry_hash ?? null) === entry_hash;
    if (fault !== undefined || !isSame) {
      const why = fault ?? 'its log ends otherwise than it says';
      throw new StoreError('damaged', `The board in the file is not whole: ${why}`);
    }
    return { head, entries, operators: board.operatorCount() };
  });
}

function removeDraft(draft: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
}
