/**
 * A real S3 server on a loopback port. A proxy in front adds what it lacks, conditional writes, and can delay, lose and
 * falsify answers.
 */
import S3rver from '@20minutes/s3rver';
import crypto, { type CipherKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request as ask,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ObjectStoreConfig } from '#server/config/object-store-config.ts';
import { S3Store } from '#server/object-store/s3-store.ts';

const BUCKET = 'boards';
const PREFIX = 'one/';
/** The only credentials of the server. */
const KEY = 'S3RVER';
const ALLOWED = Symbol.for('opbench.allowLongLists');
/** The objects that are written again and again. */
const POINTERS: readonly string[] = ['writer', 'current'];

allowLongLists();

export interface StoreRequest {
  method: string;
  /** Without bucket and prefix; empty for requests about the bucket, such as lists and deletions. */
  key: string;
  /** The length of the body. */
  size: number;
  /** The body of a write of `writer` and `current`; else empty. */
  bytes: Buffer;
}

/**
 * What happens to a request. A number is the status of an error that the store answers instead. `break` closes the
 * connection, `break_answer` too, but after the store did what was asked; `hang` answers never; `old` answers a GET
 * with what the object contained before its last write; `delayMs` lets it pass later, and `until` after something else.
 */
export type StoreFate =
  | 'pass'
  | 'break'
  | 'break_answer'
  | 'hang'
  | 'old'
  | number
  | { delayMs: number }
  | { until: Promise<unknown> };

export interface S3 {
  /** The value of OBJECT_STORE_URL. */
  url: string;
  /** The settings for a server. */
  env: Record<string, string>;
  config: ObjectStoreConfig;
  /** A client that asks through the proxy, as the server does. */
  store: S3Store;
  /** All requests so far, oldest first. */
  requests: StoreRequest[];
  /** Decides about each request. All pass until it is set. */
  decide(fate: (request: StoreRequest) => StoreFate): void;
  /** The keys of all objects, whatever the proxy decides. */
  keys(prefix?: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** @param options `conditional: false` is a store that ignores conditions of writes. */
export async function startS3({ conditional = true } = {}): Promise<S3> {
  const directory = mkdtempSync(join(tmpdir(), 'opbench-s3-'));
  const s3rver = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  // It would warn of requests that arrive while it is closed.
  s3rver.logger.silent = true;
  const { port } = await s3rver.run();
  const proxy = new Proxy(port, conditional);
  const endpoint = await proxy.listen();
  const config = configOf(endpoint);
  const behind = new S3Store(configOf(`http://127.0.0.1:${port}`));
  const url = `${endpoint}/${BUCKET}/${PREFIX.slice(0, -1)}`;
  return {
    url,
    env: {
      OBJECT_STORE_URL: url,
      OBJECT_STORE_ACCESS_KEY_ID: KEY,
      OBJECT_STORE_SECRET_ACCESS_KEY: KEY,
    },
    config,
    store: new S3Store(config),
    requests: proxy.requests,
    decide: (fate) => void (proxy.fateOf = fate),
    keys: async (prefix = '') => (await behind.list(prefix)).toSorted(),
    stop: async () => {
      proxy.stop();
      s3rver.httpServer.closeAllConnections();
      await s3rver.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configOf(endpoint: string): ObjectStoreConfig {
  const credentials = { accessKeyId: KEY, secretAccessKey: KEY };
  return { endpoint, bucket: BUCKET, prefix: PREFIX, region: 'auto', ...credentials };
}

/** The server encrypts where a list continues with DES, which OpenSSL has only as triple DES. */
function allowLongLists(): void {
  const thrice = (key: CipherKey) => Buffer.concat(Array(3).fill(key));
  // The original functions, because imported names can come to mean the new ones. Files share a worker.
  const { createCipheriv, createDecipheriv } = crypto;
  if (ALLOWED in crypto) return;
  Object.assign(crypto, {
    [ALLOWED]: true,
    createCipheriv: (name: string, key: CipherKey, iv: Buffer, ...options: []) => {
      if (name !== 'des') return createCipheriv(name, key, iv, ...options);
      return createCipheriv('des-ede3-cbc', thrice(key), iv);
    },
    createDecipheriv: (name: string, key: CipherKey, iv: Buffer, ...options: []) => {
      if (name !== 'des') return createDecipheriv(name, key, iv, ...options);
      return createDecipheriv('des-ede3-cbc', thrice(key), iv);
    },
  });
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const CHANGED: Answer = {
  status: 412,
  headers: { 'content-type': 'application/xml' },
  bytes: errorBody('PreconditionFailed'),
};

function errorBody(code: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
}

class Proxy {
  readonly requests: StoreRequest[] = [];
  fateOf: (request: StoreRequest) => StoreFate = () => 'pass';
  readonly #port: number;
  readonly #isConditional: boolean;
  readonly #server: Server;
  #conditional = Promise.resolve(CHANGED);
  /** The end of the last request for each path. */
  readonly #turns = new Map<string, Promise<void>>();
  /** The contents of `writer` and `current`, newest last. */
  readonly #written = new Map<string, { bytes: Buffer; etag: string }[]>();

  constructor(port: number, isConditional: boolean) {
    this.#port = port;
    this.#isConditional = isConditional;
    this.#server = createServer((incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => incoming.socket.destroy());
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const { pathname } = new URL(incoming.url ?? '/', 'http://store');
    const key = decodeURIComponent(pathname).slice(`/${BUCKET}/${PREFIX}`.length);
    const bytes = POINTERS.includes(key) ? body : Buffer.alloc(0);
    const request = { method: incoming.method ?? '', key, size: body.length, bytes };
    this.requests.push(request);
    const fate = this.fateOf(request);
    if (typeof fate === 'object') await ('until' in fate ? fate.until : wait(fate.delayMs));
    if (this.#isDecided(request, fate, outgoing)) return;
    const answer = await this.#answer(incoming, body);
    this.#note(request, answer);
    if (fate === 'break_answer') return void incoming.socket.resetAndDestroy();
    outgoing.writeHead(answer.status, answer.headers).end(answer.bytes);
  }

  /** Whether the request never reaches the store. */
  #isDecided({ method, key }: StoreRequest, fate: StoreFate, outgoing: ServerResponse): boolean {
    if (fate === 'old') {
      const old = method === 'GET' ? this.#written.get(key)?.at(-2) : undefined;
      if (old) outgoing.writeHead(200, { etag: old.etag }).end(old.bytes);
      return old !== undefined;
    }
    if (typeof fate === 'number') refuse(outgoing, fate, 'Refused');
    if (fate === 'break') outgoing.socket?.resetAndDestroy();
    return typeof fate === 'number' || fate === 'break' || fate === 'hang';
  }

  async #fits({ headers, url = '' }: IncomingMessage): Promise<boolean> {
    const { 'if-match': match } = headers;
    const store = new S3Store({ ...configOf(`http://127.0.0.1:${this.#port}`), prefix: '' });
    const { pathname } = new URL(url, 'http://store');
    const found = await store.get(decodeURIComponent(pathname).slice(`/${BUCKET}/`.length));
    if (found === null) return match === undefined;
    return found.etag === match;
  }

  /** Conditional writes happen one after the other, as in a store that has them. */
  #answer(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const { method, headers } = incoming;
    const isFree = !('if-match' in headers || 'if-none-match' in headers);
    if (method !== 'PUT' || isFree || !this.#isConditional) return this.#forward(incoming, body);
    this.#conditional = this.#conditional.then(async () => {
      return (await this.#fits(incoming)) ? this.#forward(incoming, body) : CHANGED;
    });
    return this.#conditional;
  }

  /** One request for an object after the other, because the server shows halves of objects that it writes. */
  #forward(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const [path = ''] = (incoming.url ?? '').split('?');
    const before = this.#turns.get(path) ?? Promise.resolve();
    const answer = before.then(() => this.#send(incoming, body));
    const done = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(path, done);
    return answer;
  }

  async #send(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const { method, headers, url: path } = incoming;
    const sent = ask({ host: '127.0.0.1', port: this.#port, method, headers, path }).end(body);
    // The server can send bytes after a 304, which the parser reports later.
    sent.on('error', () => undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = await bytesOf(answer);
    return { status: answer.statusCode ?? 502, headers: answer.headers, bytes };
  }

  #note({ method, key, bytes }: StoreRequest, { status, headers }: Answer): void {
    if (method !== 'PUT' || status !== 200 || !POINTERS.includes(key)) return;
    this.#written.set(key, [
      ...(this.#written.get(key) ?? []),
      { bytes, etag: headers.etag ?? '' },
    ]);
  }
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(errorBody(code));
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
