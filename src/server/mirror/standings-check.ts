/** Recomputes the boards that the board published from the log, with the same code as `opbench verify`. */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { LogCheck } from '#core/domain/log/log-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { LogReplay } from '#core/domain/log/log-replay.ts';
import { UnusableParts, composedLog } from '#core/domain/log/composed-log.ts';
import { type NewLine, lineText, readLine } from '#core/domain/log/public-log-line.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import {
  type EntryLine,
  type HeaderLine,
  PUBLIC_BOARDS_PATH,
  PUBLIC_LOG_PATH,
  type PublicLogLine,
} from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import { CHECK_TOOLS } from '../verify/log.ts';
import type { BoardClient } from './board-client.ts';
import type { MirrorFinding } from './checks.ts';
import type { MirrorFolder } from './folder.ts';
import { linesIn } from './lines.ts';
import { BoardUnavailable, MirrorFault } from './mirror-error.ts';
import { entriesOf } from './payload-files.ts';
import type { TreeFiles } from './tree-files.ts';

const FILE = PUBLIC_LOG_PATH.slice(1);
const BOARDS_FILE = PUBLIC_BOARDS_PATH.slice(1);
const MAX_FILE_BYTES = 16 * 1024 ** 3;

export interface StandingsCheck {
  /** The board's tag of the file with the published boards. */
  etag: string | null;
  /** The last entry in the file. */
  log_index: number;
  findings: Findings<MirrorFinding>;
}

interface Tools {
  folder: MirrorFolder;
  client: BoardClient;
  files: TreeFiles;
}

/**
 * Downloads the published boards, and checks them with the entries of the mirror. If they are wrong or there is no such
 * file, the board's whole file decides: payloads may have been hidden since the boards were written.
 *
 * @param etag The tag of the file that was checked last.
 * @returns Null if it is still that file.
 * @throws {MirrorFault} if the whole file cannot be read to its end.
 */
export async function checkStandings(
  tools: Tools,
  etag: string | null,
): Promise<StandingsCheck | null> {
  try {
    const composed = await checkFile(tools, { name: BOARDS_FILE, etag, linesOf: composedLines });
    if (!composed || composed.findings.total === 0) return composed;
    const whole = await checkFile(tools, { ...WHOLE, etag: null });
    return whole && { ...whole, etag: composed.etag };
  } catch (error) {
    const isUseless = error instanceof MirrorFault || error instanceof UnusableParts;
    if (!isUseless || (error instanceof MirrorFault && error.file === FILE)) throw error;
    return checkFile(tools, { ...WHOLE, etag });
  }
}

interface CheckedFile {
  name: string;
  etag: string | null;
  /** The lines of the log, from the downloaded file. */
  linesOf: (path: string, tools: Tools) => AsyncIterable<string>;
}

const WHOLE = { name: FILE, linesOf: (path: string) => linesOfFile(FILE, path) };

/** Downloads a file, checks the log, and deletes the file. */
async function checkFile(
  tools: Tools,
  { name, etag, linesOf }: CheckedFile,
): Promise<StandingsCheck | null> {
  const { client, folder, files } = tools;
  const answer = await client.open(name, { maxBytes: MAX_FILE_BYTES, etag });
  if (!answer) return null;
  const path = folder.draft();
  try {
    const file = await open(path, 'wx', 0o600);
    await pipeline(answer.chunks, file.createWriteStream());
    return { etag: answer.etag, ...(await checkLines(() => linesOf(path, tools), files)) };
  } finally {
    await rm(path, { force: true });
  }
}

/** @throws {UnusableParts} if the mirror and the file do not fit together. */
async function* composedLines(path: string, { folder, files }: Tools): AsyncGenerator<string> {
  yield* composedLog({ others: linesOfFile(BOARDS_FILE, path), entries: entryLines }, sha256);

  async function* entryLines({ log_index }: HeaderLine): AsyncGenerator<string> {
    const { size } = files.head;
    if (log_index > size) {
      throw new BoardUnavailable(`/${BOARDS_FILE} has more entries than the checkpoint`);
    }
    for (let number = 0; number * TILE_WIDTH < log_index; number += 1) {
      for await (const entry of entriesOf(folder, files, number)) {
        yield lineText({ ...entry, check: undefined } as NewLine, sha256);
      }
    }
  }
}

async function checkLines(
  lines: () => AsyncIterable<string>,
  files: TreeFiles,
): Promise<Omit<StandingsCheck, 'etag'>> {
  const found = new Findings();
  const differences = new Findings<MirrorFinding>();
  const check = new LogCheck(CHECK_TOOLS, found);
  const inTree = new TreeEntries(files);
  let number = 0;
  for await (const text of lines()) {
    number += 1;
    const line = check.add(text);
    if (line?.line !== 'entry' || inTree.has(line)) continue;
    const message = `line ${number} has another entry ${line.log_index} than the tree`;
    differences.add({ file: FILE, message });
  }
  check.finish();
  if (check.entries) await replay(lines(), new LogReplay(check.entries, found));
  for (const { line, message } of found.kept) {
    differences.add({ file: FILE, message: line === null ? message : `line ${line}: ${message}` });
  }
  differences.total += found.total - found.kept.length;
  return { log_index: check.entries?.chain.last.log_index ?? 0, findings: differences };
}

async function replay(lines: AsyncIterable<string>, boards: LogReplay): Promise<void> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line: PublicLogLine | null = readLine(text, sha256).line;
    if (line) boards.add(line, number);
    else boards.lose();
  }
  boards.finish();
}

async function* linesOfFile(name: string, path: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const bytes = createReadStream(path).once('error', (error) => gunzip.destroy(error));
  try {
    yield* linesIn(name, bytes.pipe(gunzip));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new MirrorFault(name, `is damaged: ${message}`) : error;
  } finally {
    gunzip.destroy();
  }
}

/** The hashes of entries in the tree, which are asked for in their order. */
class TreeEntries {
  readonly #files: TreeFiles;
  #number = -1;
  #leaves: readonly Uint8Array[] = [];

  constructor(files: TreeFiles) {
    this.#files = files;
  }

  /** Whether the tree has the entry, or ends before it. */
  has({ log_index, entry_hash }: EntryLine): boolean {
    if (log_index > this.#files.head.size) return true;
    const number = Math.floor((log_index - 1) / TILE_WIDTH);
    if (number !== this.#number) this.#leaves = this.#files.bundle(number) ?? [];
    this.#number = number;
    const leaf = this.#leaves[(log_index - 1) % TILE_WIDTH];
    return leaf !== undefined && hex(sha256(leaf)) === entry_hash;
  }
}
