/** Files that a reader takes from the object store for each request. */
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { FactsError } from '../facts/facts-error.ts';
import { mediaTypeOf, prepareVersioned } from '../http/response/assets.ts';
import { cacheControlAt } from '../http/response/cache-control.ts';
import { type PreparedResponse, weakTag } from '../http/response/prepared-response.ts';
import { ASSETS } from '../object-store/keys.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';

/** Whether an address is a part of the log, which the object store has. */
export function isStored(path: string): boolean {
  return ROUTE_TABLE.find(path)?.readers === 'store';
}

/**
 * Answers with a part of the log.
 *
 * @throws {FactsError} `live` if the store does not have it, such as a shorter tile, which the writer can make.
 * @throws {DomainError} `service_unavailable` if the store does not answer.
 */
export async function logPart(store: Pick<ObjectStore, 'get'>, path: string): Promise<Response> {
  // The log has the same paths in the store.
  const found = await store.get(path.slice(1)).catch((error: unknown) => {
    if (!(error instanceof ObjectStoreError)) throw error;
    throw new DomainError('service_unavailable', 'The object store does not answer');
  });
  if (!found) {
    throw new FactsError('live', `The object store has no ${path}`);
  }
  const { bytes } = found;
  return new Response(new Uint8Array(bytes), { headers: headersAt(path, bytes) });
}

/** The entry of each line of payloads. */
const LOG_INDEX = /^\{"log_index":(\d+)/gm;

function headersAt(path: string, bytes: Buffer): Record<string, string> {
  const shared = { 'Cache-Control': cacheControlAt(path) };
  if (path.endsWith('/checkpoint')) {
    return { ...shared, 'Content-Type': 'text/plain; charset=utf-8' };
  }
  if (path.includes('/payload/')) {
    const type = { 'Content-Type': 'application/x-ndjson', Vary: 'Accept-Encoding' };
    const indexes = [...bytes.toString().matchAll(LOG_INDEX)].map(([, index]) => index);
    return { ...shared, ...type, ETag: weakTag(indexes.join()) };
  }
  return {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': `${shared['Cache-Control']}, immutable`,
  };
}

const FOLDER = '/_astro/';

/** The built files of the writer's version, which differ from those of this program during an upgrade. */
export class WriterAssets {
  readonly #store: Pick<ObjectStore, 'get' | 'list'>;
  #version: string;
  #names: ReadonlySet<string> = new Set();

  /** @param version The version of this program, which has its own files. */
  constructor(store: Pick<ObjectStore, 'get' | 'list'>, version: string) {
    this.#store = store;
    this.#version = version;
  }

  /** Finds out which files there are, once for each version. */
  async follow(version: string): Promise<void> {
    if (version === this.#version) return;
    const keys = await this.#store.list(ASSETS);
    this.#names = new Set(keys.map((key) => key.slice(ASSETS.length - 1)));
    this.#version = version;
  }

  /** Returns whether only the store has the file of an address. */
  has(path: string): boolean {
    return path.startsWith(FOLDER) && this.#names.has(path);
  }

  async load(path: string): Promise<PreparedResponse | null> {
    const found = await this.#store.get(ASSETS + path.slice(1));
    return found && prepareVersioned(found.bytes, mediaTypeOf(path));
  }
}
