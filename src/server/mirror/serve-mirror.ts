/** Serves a mirror: the log at the paths of the board, and the report. Every file is checked before it is sent. */
import { createReadStream } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { encodeBundle } from '#core/domain/tlog/bundle.ts';
import {
  TILE_WIDTH,
  type Tile,
  parseTileNumber,
  tileAt,
  tileWidth,
} from '#core/domain/tlog/tile.ts';
import { HASH_BYTES } from '#core/domain/tlog/tree.ts';
import type { MirrorFolder } from './folder.ts';
import type { Mirror } from './mirror.ts';
import { isIntact, readSum } from './payload-files.ts';
import { reportPage } from './report-page.ts';
import { type TreeFiles, payloadFile } from './tree-files.ts';

interface Reply {
  status: number;
  type: string;
  cache: string;
  body: Uint8Array | string;
  /** A file to send instead of the body. */
  path?: string;
}

const TEXT = 'text/plain; charset=utf-8';
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** Serves until the server is closed. */
export async function serveMirror(
  { folder, mirror }: { folder: MirrorFolder; mirror: Mirror },
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    answer({ folder, mirror }, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

type Served = Parameters<typeof serveMirror>[0];

async function answer(served: Served, request: IncomingMessage, response: ServerResponse) {
  const { method = '', url = '/' } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const path = url.split('?', 1)[0]?.slice(1) ?? '';
  const reply = isRead ? await replyTo(served, path) : refusal(405, 'Only GET and HEAD');
  const length =
    reply.path === undefined ? { 'Content-Length': Buffer.byteLength(reply.body) } : {};
  response.writeHead(reply.status, {
    ...HEADERS,
    ...length,
    'Content-Type': reply.type,
    'Cache-Control': reply.cache,
  });
  if (method === 'HEAD') return void response.end();
  if (reply.path === undefined) return void response.end(reply.body);
  await pipeline(createReadStream(reply.path), response);
}

async function replyTo({ folder, mirror }: Served, path: string): Promise<Reply> {
  const { report, head } = mirror;
  if (path === '') return ok('text/html; charset=utf-8', 'no-store', reportPage(report));
  if (path === 'report.json') {
    return ok('application/json', 'no-store', `${JSON.stringify(report, null, 2)}\n`);
  }
  const { log } = mirror;
  if (!path.startsWith(`${log}/`)) {
    return refusal(404, `A mirror has only /, /report.json and /${log}/`);
  }
  if (!head) return refusal(503, 'The mirror is not complete yet');
  const file = path.slice(log.length + 1);
  if (file === 'checkpoint') return ok(TEXT, 'public, max-age=5', head.note);
  const [, payload] = /^payload\/(.*)$/.exec(file) ?? [];
  if (payload !== undefined) return payloadReply({ folder, mirror }, payload);
  return tileReply(mirror, file);
}

function tileReply(mirror: Mirror, path: string): Reply {
  const tile = tileAt(path);
  const { files } = mirror;
  if (!tile || !files || tile.width > tileWidth(tile, files.head.size)) {
    return refusal(404, 'The tree has no such tile');
  }
  const body = bytesOf(files, tile);
  if (!body) return damaged(mirror);
  return ok('application/octet-stream', 'public, max-age=31536000, immutable', body);
}

/** As much of a tile or bundle as its path asks for. Null if the file is damaged. */
function bytesOf(files: TreeFiles, { level, number, width }: Tile): Uint8Array | null {
  if (level !== 'entries') {
    return files.tile(level, number)?.subarray(0, width * HASH_BYTES) ?? null;
  }
  const entries = files.bundle(number);
  return entries && encodeBundle(entries.slice(0, width));
}

async function payloadReply({ folder, mirror }: Served, path: string): Promise<Reply> {
  const number = parseTileNumber(path);
  if (number === null || number * TILE_WIDTH >= (mirror.head?.size ?? 0)) {
    return refusal(404, 'The tree has no such bundle');
  }
  const sum = readSum(folder, number);
  if (!sum) return refusal(503, 'The mirror does not have these payloads yet');
  if (!(await isIntact(folder, number, sum))) return damaged(mirror);
  const file = join(folder.path, payloadFile(number));
  return { ...ok('application/x-ndjson', 'public, max-age=60', ''), path: file };
}

/** The file is fetched again with the next pass. */
function damaged(mirror: Mirror): Reply {
  mirror.suspect();
  return refusal(503, 'The file is damaged in this mirror. It will be fetched again');
}

function ok(type: string, cache: string, body: Uint8Array | string): Reply {
  return { status: 200, type, cache, body };
}

function refusal(status: number, text: string): Reply {
  return { status, type: TEXT, cache: 'no-store', body: `${text}.\n` };
}
