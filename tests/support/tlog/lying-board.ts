/** The log of a test's board over HTTP. It is what the board has, except for the files about which a test lets it lie. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DomainError } from '#core/domain/text/errors.ts';
import { type Checkpoint, checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { noteOf } from '#core/domain/tlog/note.ts';
import { readBoardKeys } from '#server/public-log/log.ts';
import { payloadIndexes, payloadLines, readTile } from '#server/public-log/tiles.ts';
import { readCheckpoint } from '#server/public-log/proofs.ts';
import { whenOver } from '../board/cleanup.ts';
import type { TestContext } from '../board/context.ts';
import { exportOf } from '../board/public-log.ts';
import { checkpointsOf, logKeyOf } from './board-checkpoints.ts';

/** Changes the bytes of a file. Null means that the file is missing, a number is another status. */
export type Lie = (bytes: Buffer) => Buffer | number | string | null;

export interface LyingBoard {
  url: string;
  vkey: string;
  /** The paths that were asked for, without those that the client already had. */
  asked: string[];
  /** Lies about files from now on. */
  lie(path: RegExp | string, lie: Lie): void;
  /** Tells the truth from now on. */
  confess(): void;
  /** Signs whatever checkpoint with the key of the log. */
  sign(checkpoint: Omit<Checkpoint, 'origin'>): string;
  /** Shows a checkpoint of the whole log. */
  advance(): void;
  /** Called before each answer. */
  onRequest: (path: string) => void;
}

/** Starts on its own port. Closed after the test. */
export async function aLyingBoard(ctx: TestContext): Promise<LyingBoard> {
  const key = logKeyOf(ctx);
  const checkpoints = checkpointsOf(ctx);
  checkpoints.advance();
  ctx.checkpoints = checkpoints;
  let lies: [path: RegExp | string, lie: Lie][] = [];
  const board: LyingBoard = {
    url: '',
    vkey: key.vkey,
    asked: [],
    lie: (path, lie) => void lies.push([path, lie]),
    confess: () => void (lies = []),
    sign: (checkpoint) => {
      const text = checkpointText({ origin: key.origin, ...checkpoint });
      return noteOf(text, [key.sign(text)]);
    },
    advance: () => checkpoints.advance(),
    onRequest: () => undefined,
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.slice(1) ?? '';
    board.onRequest(path);
    const truth = truthAbout(ctx, path);
    const [, lie] = lies.findLast(([place]) => isAt(path, place)) ?? [];
    if (!lie && isHeld(request, truth)) return void response.writeHead(304).end();
    board.asked.push(path);
    if (lie) send(response, lie(truth.bytes ?? Buffer.alloc(0)));
    else send(response, truth.bytes, truth.etag);
  };
  const server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch {
      request.socket.destroy();
    }
  });
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  board.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return board;
}

interface Truth {
  bytes: Buffer | null;
  etag?: string;
}

function isHeld({ headers }: IncomingMessage, { etag }: Truth): boolean {
  return etag !== undefined && headers['if-none-match'] === etag;
}

function send(response: ServerResponse, said: ReturnType<Lie>, etag?: string): void {
  const status = typeof said === 'number' ? said : said === null ? 404 : 200;
  const later = status === 503 ? { 'Retry-After': '1' } : {};
  const tag = etag === undefined ? {} : { ETag: etag };
  response.writeHead(status, { ...tag, ...later }).end(typeof said === 'number' ? '' : said);
}

function isAt(path: string, place: RegExp | string): boolean {
  return typeof place === 'string' ? place === path : place.test(path);
}

function truthAbout(ctx: TestContext, path: string): Truth {
  try {
    if (path === 'log/checkpoint') return { bytes: Buffer.from(readCheckpoint(ctx).note) };
    if (path === '.well-known/opbench-keys.json') {
      return { bytes: Buffer.from(JSON.stringify(readBoardKeys(ctx))) };
    }
    if (path === 'log.ndjson.gz') {
      const text = exportOf(ctx).join('');
      return { bytes: gzipSync(text), etag: `"${ctx.store.log.head()?.index}"` };
    }
    if (path === 'log/boards.ndjson.gz') {
      const others = exportOf(ctx).filter((line) => !line.startsWith('{"line":"entry"'));
      return { bytes: gzipSync(others.join('')), etag: `"boards ${ctx.store.log.head()?.index}"` };
    }
    if (path.startsWith('log/payload/')) {
      const number = path.slice('log/payload/'.length);
      const etag = `"${payloadIndexes(ctx, number).join()}"`;
      return { bytes: Buffer.from([...payloadLines(ctx, number)].join('')), etag };
    }
    return { bytes: Buffer.from(readTile(ctx, path.slice('log/'.length))) };
  } catch (error) {
    if (error instanceof DomainError) return { bytes: null };
    throw error;
  }
}

/** Changes one bit of a file, in its middle. */
export function flip(bytes: Buffer, at = Math.floor(bytes.length / 2)): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}
