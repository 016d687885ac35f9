/**
 * Downloads what is new of a board's public log: the file without entries, and bundles and payloads of the tree. The
 * entries of the last check are kept.
 *
 * @module
 */
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { bareEntry } from '#core/domain/log/bare-entry.ts';
import { readPayloadLine } from '#core/domain/log/payload-line.ts';
import { UnusableParts, composedLog } from '#core/domain/log/composed-log.ts';
import { lineText } from '#core/domain/log/public-log-line.ts';
import { decodeBundle } from '#core/domain/tlog/bundle.ts';
import { TILE_WIDTH, payloadPath, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import { logPathOf } from '#core/domain/tlog/log-path.ts';
import { TlogError } from '#core/domain/tlog/tlog-error.ts';
import { type HeaderLine, PUBLIC_BOARDS_PATH, type PayloadLine } from '#core/schema/public-log.ts';
import { EXIT, Failure, Refusal, nullIfFailure } from '../failure.ts';
import { sha256 } from '../state/sha256.ts';
import { download } from './download.ts';
import type { KeptLogFile } from './kept-log-file.ts';
import type { LiveBoard } from './live-log.ts';
import { linesIn } from './read-log.ts';

export interface DownloadedLog {
  path: string;
  /** What was downloaded of the log. */
  downloaded: 'all' | 'new' | 'none';
  /** The tag of the file without entries; null if unknown. */
  etag: string | null;
}

/**
 * Downloads what is new since the last check.
 *
 * @returns Null if the whole log must be downloaded.
 * @throws {Failure} if a request fails.
 */
export async function downloadNews(
  live: LiveBoard,
  kept: KeptLogFile,
  folder: string,
): Promise<DownloadedLog | null> {
  if (!existsSync(kept.path)) return null;
  const boards = join(folder, 'boards.ndjson.gz');
  try {
    const found = await live.retrying.ask(() => {
      return download(live.client, live.board + PUBLIC_BOARDS_PATH, boards, kept.etag);
    });
    if (!found) return { path: kept.path, downloaded: 'none', etag: kept.etag };
    const path = join(folder, 'composed.ndjson.gz');
    const packed = createGzip();
    await pipeline(
      composed(live, kept.path, boards),
      packed,
      createWriteStream(path, { mode: 0o600 }),
    );
    return { path, downloaded: 'new', etag: found.etag };
  } catch (error) {
    // An older board has no such file, and what does not fit together is found in the whole log too.
    const isUseless = [Refusal, TlogError, UnusableParts].some((kind) => error instanceof kind);
    if (isUseless) return null;
    throw error;
  }
}

/** The tag of the file without entries, for the next check; null if the board does not send it. */
export async function boardsTag({ client, board }: LiveBoard): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(PIECE_TIMEOUT_MS);
    const found = await client.changedFile(board + PUBLIC_BOARDS_PATH, signal, null);
    await found?.body.cancel();
    return found?.etag ?? null;
  } catch (error) {
    return nullIfFailure(error);
  }
}

async function* composed(live: LiveBoard, known: string, boards: string): AsyncGenerator<string> {
  const entries = (header: HeaderLine) => entriesUpTo(live, known, header);
  const lines = composedLog({ others: textsIn(boards), entries }, sha256);
  for await (const text of lines) yield `${text}\n`;
}

async function* entriesUpTo(
  live: LiveBoard,
  known: string,
  { log_index: last }: HeaderLine,
): AsyncGenerator<string> {
  let index = 0;
  for await (const text of textsIn(known)) {
    if (!text.startsWith('{"line":"entry"')) continue;
    if (index === last) return;
    index += 1;
    yield text;
  }
  const log = index < last ? await logPath(live) : '';
  while (index < last) {
    const number = Math.floor(index / TILE_WIDTH);
    for (const text of (await bundleLines(live, { log, number, size: last })).slice(
      index % TILE_WIDTH,
    )) {
      index += 1;
      yield text;
    }
  }
}

async function logPath({ board, client, retrying }: LiveBoard): Promise<string> {
  const { log_key } = await retrying.ask(() => client.boardKeys(board));
  return logPathOf(log_key?.vkey.split('+', 1)[0] ?? '');
}

/** The lines of a bundle's entries in a log of some size. */
async function bundleLines(
  live: LiveBoard,
  { log, number, size }: { log: string; number: number; size: number },
): Promise<string[]> {
  const width = tileWidth({ level: 'entries', number }, size);
  const path = tilePath({ level: 'entries', number, width });
  const entries = decodeBundle(await bytesOf(live, `/${log}/${path}`));
  if (entries.length !== width) throw new UnusableParts(`${path} has ${entries.length} entries`);
  const sidecar = await bytesOf(live, `/${log}/${payloadPath(number)}`);
  const payloads = new Map<number, PayloadLine>();
  for (const line of Buffer.from(sidecar).toString().split('\n')) {
    const payload = readPayloadLine(line);
    if (payload) payloads.set(payload.log_index, payload);
  }
  return entries.map((entry, at) => {
    return entryLine(entry, payloads.get(number * TILE_WIDTH + at + 1) ?? null);
  });
}

/** The line of an entry in the public log, from its text in the tree. */
function entryLine(entry: Uint8Array, payload: PayloadLine | null): string {
  const bare = bareEntry(entry, sha256);
  if (!bare) throw new UnusableParts('A leaf of the tree is not an entry');
  return lineText({ ...bare, ...payload }, sha256);
}

/** The largest piece that is kept in memory. A larger one is in the whole log. */
const MAX_PIECE_BYTES = 256 * 1024 * 1024;
const PIECE_TIMEOUT_MS = 120_000;

async function bytesOf({ board, client, retrying }: LiveBoard, path: string): Promise<Uint8Array> {
  return retrying.ask(async () => {
    const body = await client.file(board + path, AbortSignal.timeout(PIECE_TIMEOUT_MS));
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        length += chunk.length;
        if (length > MAX_PIECE_BYTES) throw new UnusableParts(`${path} is too large`);
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof UnusableParts) throw error;
      throw new Failure(EXIT.network, `${board + path} could not be downloaded`);
    }
    return Buffer.concat(chunks);
  });
}

async function* textsIn(path: string): AsyncGenerator<string> {
  for await (const line of linesIn(path)) {
    if (!('text' in line)) throw new UnusableParts(line.unreadable);
    yield line.text;
  }
}
