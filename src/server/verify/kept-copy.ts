/** Compares a saved copy of a board's log with the current log, which must contain all its entries. */
import type { DatabaseInspection, LogHead } from '#db/engine/inspection.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { type WholeFindings, CHECK_TOOLS } from './log.ts';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { StoreError } from '#db/engine/store-error.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import type { EntryLine } from '#core/schema/public-log.ts';

type Board = Pick<DatabaseInspection, 'hashAt' | 'head'>;

/** A saved copy of the public log that was compared. */
export interface ComparedCopy {
  /** The last entry in the copy; 0 for none. */
  log_index: number;
  /** How many of its entries the board has with the same hash. */
  same: number;
}

/** Checks that a log contains an entry with that hash. */
export function checkHead(board: Board, past: LogHead, findings: WholeFindings): void {
  const { log_index, entry_hash } = past;
  const last = board.head()?.log_index ?? 0;
  if (log_index > last) {
    const missing = { count: log_index - last, from: last + 1, to: log_index };
    report(findings, 'the saved head', { missing });
  } else if (board.hashAt(log_index) !== entry_hash) {
    report(findings, 'the saved head', { different: spanOf([log_index]) });
  }
}

/**
 * Compares every entry of a saved public log, which may be older. A copy that is not exactly as a board signed it
 * proves nothing, because lines may have been removed.
 *
 * @returns Null if the copy is invalid, which is a finding.
 * @throws {StoreError} if the file cannot be read as text.
 */
export async function checkCopy(
  board: Board,
  path: string,
  findings: WholeFindings,
): Promise<ComparedCopy | null> {
  const compared: ComparedCopy = { log_index: 0, same: 0 };
  const missing: number[] = [];
  const different: number[] = [];
  const { isPublicLog, found } = await checkSavedLog(path, ({ log_index, entry_hash }) => {
    const own = board.hashAt(log_index);
    compared.log_index = Math.max(compared.log_index, log_index);
    if (own === entry_hash) compared.same += 1;
    else (own === undefined ? missing : different).push(log_index);
  });
  if (found.total > 0) {
    findings.add({ code: 'copy_invalid', message: whyInvalid(isPublicLog, found) });
    return null;
  }
  report(findings, 'the saved copy', { missing: spanOf(missing), different: spanOf(different) });
  return compared;
}

function whyInvalid(isPublicLog: boolean, { kept, total }: Findings): string {
  const [first] = kept;
  if (!isPublicLog || !first) return 'the copy is not a public log, so it proves nothing';
  const at = first.line === null ? '' : `line ${first.line}: `;
  const more = total === 1 ? '' : `, and ${total - 1} more`;
  return `the copy was damaged or changed, so it proves nothing (${at}${first.message}${more}). Use another copy`;
}

/** A number of entries, with the first and the last. */
interface Span {
  count: number;
  from: number;
  to: number;
}

function spanOf(places: readonly number[]): Span {
  return { count: places.length, from: places[0] ?? 0, to: places.at(-1) ?? 0 };
}

/** Reports entries that the board's log lacks or has with another hash. */
function report(
  findings: WholeFindings,
  whose: string,
  { missing, different }: { missing?: Span; different?: Span },
): void {
  if (missing && missing.count > 0) {
    const { count, from, to } = missing;
    const which = count === 1 ? `1 entry is` : `${count} entries are`;
    const message = `${which} missing that ${whose} contains: ${from}–${to}`;
    findings.add({ code: 'entry_missing', message, log_index: from });
  }
  if (different && different.count > 0) {
    const { count, from } = different;
    const which = count === 1 ? `entry ${from} has` : `${count} entries, from ${from} on, have`;
    const message = `${which} a different hash than in ${whose}: this is another board, or its log was rewritten`;
    findings.add({ code: 'copy_differs', message, log_index: from });
  }
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');

/**
 * Checks everything in a copy, compressed or not.
 *
 * @param take Called with each entry as it is read. Its results are valid only if there are no findings.
 * @throws {StoreError} `missing` or `wrong_kind` if it is not a text file, `damaged` if it cannot be decompressed.
 */
export async function checkSavedLog(path: string, take: (entry: EntryLine) => void) {
  const found = new Findings();
  const check = new LogCheck(CHECK_TOOLS, found);
  for await (const text of linesIn(path)) {
    const line = check.add(text);
    if (line?.line === 'entry') take(line);
  }
  check.finish();
  return { isPublicLog: check.isPublicLog, found };
}

/** Yields the lines one at a time. Skips a last line without a line feed, because it is incomplete. */
async function* linesIn(path: string): AsyncGenerator<string> {
  const isPacked = GZIP_MAGIC.equals((await headOf(path)).subarray(0, 2));
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  try {
    for await (const chunk of isPacked ? unpacked(path) : createReadStream(path)) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) throw damaged(`it cannot be decompressed (${message})`);
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? damaged('a line is not valid UTF-8')
      : error;
  }
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const bytes = createReadStream(path).once('error', (error) => gunzip.destroy(error));
  try {
    yield* bytes.pipe(gunzip) as AsyncIterable<Buffer>;
  } finally {
    gunzip.destroy();
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new StoreError('missing', `The file ${path} does not exist`);
  });
  try {
    if (!(await file.stat()).isFile()) {
      throw new StoreError('wrong_kind', `${path} is a folder or a device, not a file`);
    }
    const { buffer } = await file.read({ buffer: Buffer.alloc(16), position: 0 });
    if (!SQLITE_MAGIC.equals(buffer)) return buffer;
    const message = `${path} is a database backup. To use it, run: opbench-board restore ${path}`;
    throw new StoreError('wrong_kind', message);
  } finally {
    await file.close();
  }
}

function damaged(what: string): StoreError {
  return new StoreError('damaged', `The file is damaged: ${what}. Copy it again`);
}
