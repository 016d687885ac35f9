import { createHash } from 'node:crypto';
import { stat, open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { type Gunzip, createGunzip } from 'node:zlib';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import { LogReplay } from '#core/domain/log/log-replay.ts';
import { readLine } from '#core/domain/log/public-log-line.ts';
import type { Calibration } from '#core/schema/calibration.ts';
import type { PublicLogLine } from '#core/schema/public-log.ts';
import { EXIT, Failure } from '../failure.ts';
import { sha256 } from '../state/sha256.ts';
import { KeptBoards, type KeptPlaces } from './live-boards.ts';
import { isSoundPublicKey, verifyEd25519 } from '../state/signatures.ts';

export interface ReadLog {
  check: LogCheck;
  boards: readonly CheckedBoard[];
  /** The boards that readers see first. */
  kept: readonly KeptPlaces[];
  /** The hashes of the wanted entries that the file has. */
  hashes: ReadonlyMap<number, string>;
  /** Absent if it is not wanted; null if the file has no current board. */
  calibration?: Calibration | null;
}

/** What is wanted from a log in addition to its check. */
export interface WantedFromLog {
  /** Entries whose hashes are wanted. */
  entries: ReadonlySet<number>;
  calibration: boolean;
}

const TOOLS = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};

/** The file is not a public log. */
export class NoPublicLog extends Failure {}

/**
 * Reads a public log twice: once to check its entries, once to recompute its boards.
 *
 * @throws {NoPublicLog} if the file has no line of a public log.
 * @throws {Failure} if the file cannot be read, or changes during the check.
 */
export async function readLog(
  path: string,
  findings: Findings,
  wanted: WantedFromLog,
): Promise<ReadLog> {
  const before = await changeOf(path);
  const hashes = new Map<number, string>();
  const check = new LogCheck(TOOLS, findings);
  const rejected = new Set<number>();
  let number = 0;
  for await (const line of linesIn(path)) {
    number += 1;
    if ('unreadable' in line) check.addUnreadable(line.unreadable);
    else {
      const read = check.add(line.text);
      if (!read) rejected.add(number);
      if (read?.line === 'entry' && wanted.entries.has(read.log_index)) {
        hashes.set(read.log_index, read.entry_hash);
      }
    }
  }
  check.finish();
  if (!check.isPublicLog) {
    throw new NoPublicLog(EXIT.usage, `${path} is not the public log of a board`, NO_LOG);
  }
  const recomputed = await recompute(path, { check, rejected, findings }, wanted);
  if ((await changeOf(path)) !== before) {
    throw new Failure(EXIT.usage, `${path} was changed during the check`, 'Run the command again.');
  }
  return { check, hashes, ...recomputed };
}

const NO_LOG =
  'Download /log.ndjson.gz from a board, or create a file with: opbench-board export FILE';

/** The result of the first reading. */
interface FirstReading {
  check: LogCheck;
  /** The numbers of the lines that it did not accept. The others need not be checked again. */
  rejected: ReadonlySet<number>;
  findings: Findings;
}

async function recompute(
  path: string,
  { check: { entries, header }, rejected, findings }: FirstReading,
  wanted: Pick<WantedFromLog, 'calibration'>,
): Promise<Pick<ReadLog, 'boards' | 'calibration' | 'kept'>> {
  if (!entries) return { boards: [], kept: [] };
  const kept = new KeptBoards();
  const replay = new LogReplay(entries, findings);
  let number = 0;
  for await (const line of linesIn(path)) {
    number += 1;
    const read = 'text' in line ? readAgain(line.text, rejected.has(number)) : null;
    if (!read) {
      replay.lose();
      continue;
    }
    replay.add(read, number);
    kept.add(read);
  }
  replay.finish();
  const found = { boards: replay.boards, kept: kept.boards };
  if (!wanted.calibration) return found;
  const as_of = header?.as_of ?? null;
  const { log_index } = entries.chain.last;
  const calibration = as_of === null ? null : replay.calibrationOf({ as_of, log_index });
  return { ...found, calibration };
}

function readAgain(text: string, isRejected: boolean): PublicLogLine | null {
  return isRejected ? readLine(text, sha256).line : (JSON.parse(text) as PublicLogLine);
}

async function changeOf(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Failure(EXIT.usage, `There is no file ${path}`, NO_LOG);
    throw new Failure(EXIT.usage, `${path} cannot be read: ${error.message}`);
  });
  if (found.isFile()) return `${found.size} ${found.mtimeMs}`;
  throw new Failure(EXIT.usage, `${path} is not a file`, NO_LOG);
}

/** A line of a file: its text, or why it has none. */
type FileLine = { text: string } | { unreadable: string };

/** The longest line: a snapshot of 4 MiB, escaped twice. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 10;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** The lines of a file, compressed or not, one at a time with bounded memory. */
export async function* linesIn(path: string): AsyncGenerator<FileLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (): FileLine => {
    const line = lineOf(pieces, length);
    pieces = [];
    length = 0;
    return line;
  };
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    else pieces = [];
  };
  try {
    for await (const chunk of await openFile(path)) {
      let from = 0;
      for (let to = chunk.indexOf(LINE_FEED); to >= 0; to = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, to));
        yield take();
        from = to + 1;
      }
      add(chunk.subarray(from));
    }
  } catch (error) {
    if (!isDamage(error)) throw unreadable(path, error);
    // A line that is cut by the damage is lost as well.
    yield { unreadable: `the compressed data is damaged: ${(error as Error).message}` };
    return;
  }
  if (length > 0) yield { unreadable: 'the file ends in the middle of a line' };
}

async function openFile(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: 0 });
    if (GZIP_MAGIC.equals(buffer)) return inflated(path, (await file.stat()).size);
    return createReadStream(path);
  } finally {
    await file.close();
  }
}

function lineOf(pieces: readonly Buffer[], length: number): FileLine {
  if (length > MAX_LINE_BYTES) {
    return { unreadable: `it is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(Buffer.concat(pieces)) };
  } catch {
    return { unreadable: 'it is not UTF-8' };
  }
}

/** Whether the compressed data is damaged, rather than the disk. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function unreadable(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(EXIT.usage, `${path} cannot be read: ${reason}`);
}

/** Compressed data is read in small chunks, so that damage affects little of the rest. */
const PIECE_BYTES = 4096;
/** The checksum and the length at the end of compressed data. */
const TRAILER_BYTES = 8;

/**
 * The bytes of a compressed file. Damage is thrown after everything before it was yielded.
 *
 * @throws {Error} of zlib if the data is damaged, or of the file system.
 */
async function* inflated(path: string, size: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const ready: Buffer[] = [];
  let damage: Error | null = null;
  gunzip.on('data', (chunk: Buffer) => void ready.push(chunk));
  gunzip.on('error', (error) => (damage = error));
  try {
    for await (const piece of piecesOf(path, size)) {
      await write(gunzip, piece);
      yield* ready.splice(0);
      if (damage) break;
    }
    if (!damage) await end(gunzip);
    yield* ready.splice(0);
  } finally {
    gunzip.destroy();
  }
  if (damage) throw damage as Error;
}

/** The trailer comes separately, so that with a wrong checksum all data was yielded before. */
async function* piecesOf(path: string, size: number): AsyncGenerator<Buffer> {
  const body = size - TRAILER_BYTES;
  let at = 0;
  const bytes = createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
  for await (const chunk of bytes) {
    const cut = Math.min(Math.max(body - at, 0), chunk.length);
    at += chunk.length;
    if (cut > 0) yield chunk.subarray(0, cut);
    if (cut < chunk.length) yield chunk.subarray(cut);
  }
}

/** Resolves when the chunk is decompressed, or damaged. */
function write(gunzip: Gunzip, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      gunzip.off('error', done);
      resolve();
    };
    gunzip.once('error', done);
    gunzip.write(piece, done);
  });
}

function end(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once('error', () => resolve());
    gunzip.once('end', () => resolve());
    gunzip.end();
  });
}
