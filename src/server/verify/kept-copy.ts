/** What somebody kept of a board's log, compared with the log as it is now: nothing that was there may be missing. */
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
  /** The last entry that it holds; 0 for none. */
  log_index: number;
  /** How many of its entries the board has with the same hash. */
  same: number;
}

/** Whether a log reaches an entry and has it with that hash. */
export function checkHead(board: Board, past: LogHead, findings: WholeFindings): void {
  const { log_index, entry_hash } = past;
  const last = board.head()?.log_index ?? 0;
  if (log_index > last) {
    const missing = { count: log_index - last, from: last + 1, to: log_index };
    report(findings, 'the head', { missing });
  } else if (board.hashAt(log_index) !== entry_hash) {
    report(findings, 'the head', { different: spanOf([log_index]) });
  }
}

/**
 * Compares every entry of a saved public log, which may be older. One that is not as a board wrote and signed it proves
 * nothing: lines may have been taken out.
 *
 * @returns Null if the copy is damaged, which is a finding.
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
  report(findings, 'the copy', { missing: spanOf(missing), different: spanOf(different) });
  return compared;
}

function whyInvalid(isPublicLog: boolean, { kept, total }: Findings): string {
  const [first] = kept;
  if (!isPublicLog || !first) return 'the copy is no public log, so it proves nothing';
  const at = first.line === null ? '' : `line ${first.line}: `;
  const more = total === 1 ? '' : `, and ${total - 1} more`;
  return `the copy is not as a board wrote it, so it proves nothing (${at}${first.message}${more}): take another copy`;
}

/** How many entries, the first and the last of them. */
interface Span {
  count: number;
  from: number;
  to: number;
}

function spanOf(places: readonly number[]): Span {
  return { count: places.length, from: places[0] ?? 0, to: places.at(-1) ?? 0 };
}

/** Tells of entries that the board's log ends before, and of those that it has otherwise. */
function report(
  findings: WholeFindings,
  whose: string,
  { missing, different }: { missing?: Span; different?: Span },
): void {
  if (missing && missing.count > 0) {
    const { count, from, to } = missing;
    const which = count === 1 ? `1 entry is` : `${count} entries are`;
    const message = `${which} missing that ${whose} knows: ${from} to ${to}`;
    findings.add({ code: 'entry_missing', message, log_index: from });
  }
  if (different && different.count > 0) {
    const { count, from } = different;
    const which = count === 1 ? `entry ${from} has` : `${count} entries, from ${from} on, have`;
    const message = `${which} another hash than ${whose} says: this is another board, or another history of it`;
    findings.add({ code: 'copy_differs', message, log_index: from });
  }
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');

/**
 * Checks all that stands in a copy, packed or not.
 *
 * @param take Takes each entry as it is read; what the copy tells holds only if nothing was found.
 * @throws {StoreError} `missing` or `wrong_kind` if it is no text, `damaged` if what is packed cannot be unpacked.
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

/** The lines one at a time; a last one without line feed was cut off, and is left out. */
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
    if (code.startsWith('Z_')) throw damaged(`it cannot be unpacked (${message})`);
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? damaged('a line of it is no text') : error;
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
    throw new StoreError('missing', `There is no file ${path}`);
  });
  try {
    if (!(await file.stat()).isFile()) {
      throw new StoreError('wrong_kind', `${path} is a folder or a device, no file`);
    }
    const { buffer } = await file.read({ buffer: Buffer.alloc(16), position: 0 });
    if (!SQLITE_MAGIC.equals(buffer)) return buffer;
    const message = `${path} is a database, as opbench-board backup writes it: opbench-board restore ${path} takes it`;
    throw new StoreError('wrong_kind', message);
  } finally {
    await file.close();
  }
}

function damaged(what: string): StoreError {
  return new StoreError('damaged', `The file is damaged: ${what}. Copy it again`);
}
