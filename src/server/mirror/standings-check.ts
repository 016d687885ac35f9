/** Recomputes the boards that the board published from the log, with the same code as `opbench verify`. */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { LogCheck } from '#core/domain/log/log-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { LogReplay } from '#core/domain/log/log-replay.ts';
import { readLine } from '#core/domain/log/public-log-line.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import { type EntryLine, PUBLIC_LOG_PATH, type PublicLogLine } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import { CHECK_TOOLS } from '../verify/log.ts';
import type { BoardClient } from './board-client.ts';
import type { MirrorFinding } from './checks.ts';
import type { MirrorFolder } from './folder.ts';
import { linesIn } from './lines.ts';
import { MirrorFault } from './mirror-error.ts';
import type { TreeFiles } from './tree-files.ts';

const FILE = PUBLIC_LOG_PATH.slice(1);
const MAX_FILE_BYTES = 16 * 1024 ** 3;

export interface StandingsCheck {
  /** The board's tag of the file. */
  etag: string | null;
  /** The last entry in the file. */
  log_index: number;
  findings: Findings<MirrorFinding>;
}

/**
 * Downloads the log's file with the published boards, checks it, and deletes it.
 *
 * @param etag The tag of the file that was checked last.
 * @returns Null if it is still that file.
 * @throws {MirrorFault} if it cannot be read to its end.
 */
export async function checkStandings(
  { folder, client, files }: { folder: MirrorFolder; client: BoardClient; files: TreeFiles },
  etag: string | null,
): Promise<StandingsCheck | null> {
  const answer = await client.open(FILE, { maxBytes: MAX_FILE_BYTES, etag });
  if (!answer) return null;
  const path = folder.draft();
  try {
    const file = await open(path, 'wx', 0o600);
    await pipeline(answer.chunks, file.createWriteStream());
    return { etag: answer.etag, ...(await checkFile(path, files)) };
  } finally {
    await rm(path, { force: true });
  }
}

async function checkFile(path: string, files: TreeFiles): Promise<Omit<StandingsCheck, 'etag'>> {
  const found = new Findings();
  const differences = new Findings<MirrorFinding>();
  const check = new LogCheck(CHECK_TOOLS, found);
  const inTree = new TreeEntries(files);
  let number = 0;
  for await (const text of linesOfFile(path)) {
    number += 1;
    const line = check.add(text);
    if (line?.line !== 'entry' || inTree.has(line)) continue;
    const message = `line ${number} has another entry ${line.log_index} than the tree`;
    differences.add({ file: FILE, message });
  }
  check.finish();
  if (check.entries) await replay(path, new LogReplay(check.entries, found));
  for (const { line, message } of found.kept) {
    differences.add({ file: FILE, message: line === null ? message : `line ${line}: ${message}` });
  }
  differences.total += found.total - found.kept.length;
  return { log_index: check.entries?.chain.last.log_index ?? 0, findings: differences };
}

async function replay(path: string, boards: LogReplay): Promise<void> {
  let number = 0;
  for await (const text of linesOfFile(path)) {
    number += 1;
    const line: PublicLogLine | null = readLine(text, sha256).line;
    if (line) boards.add(line, number);
    else boards.lose();
  }
  boards.finish();
}

async function* linesOfFile(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const bytes = createReadStream(path).once('error', (error) => gunzip.destroy(error));
  try {
    yield* linesIn(FILE, bytes.pipe(gunzip));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new MirrorFault(FILE, `is damaged: ${message}`) : error;
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
