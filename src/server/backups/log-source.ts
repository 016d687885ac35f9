/** Where a published log can be read: a folder, an address, or the object store. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from '../process/backup-error.ts';
import { FactsError } from '../facts/facts-error.ts';
import { type FactsIndex, readIndex } from '../facts/facts-index.ts';
import { readCurrent } from '../object-store/current.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';

const TIMEOUT_MS = 30_000;

/** A log with the paths of C2SP tlog-tiles. */
export interface LogSource {
  /** In messages, before the path of a file. */
  name: string;
  /**
   * Null if there is no such file.
   *
   * @throws {BackupError} `unsound` if it is larger than that, `disk` if it cannot be read now.
   */
  read: (path: string, maxBytes: number) => Promise<Uint8Array | null>;
  /** The operators with public pages, where that is known apart from the log. */
  openOperators?: () => Promise<OpenOperators | null>;
}

export interface OpenOperators {
  /** The last log entry that this takes into account. */
  log_index: number;
  has: (id: number) => boolean;
}

/** @param place A folder, or a URL that begins with `http:` or `https:`. */
export function logSourceAt(place: string): LogSource {
  const read = isUrl(place)
    ? (path: string, maxBytes: number) => download(`${place}/${path}`, maxBytes)
    : (path: string) => readFile(join(place, path));
  return {
    name: place,
    async read(path, maxBytes) {
      try {
        return await read(path, maxBytes);
      } catch (error) {
        if (error instanceof BackupError) throw error;
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return null;
        throw unreadable(`Cannot read ${place}/${path}: ${message}`);
      }
    },
  };
}

export function isUrl(place: string): boolean {
  return /^https?:\/\//.test(place);
}

/** The newest log in an object store. */
export async function logSourceIn(store: ObjectStore): Promise<LogSource> {
  const get = async (key: string) => {
    try {
      return (await store.get(key))?.bytes ?? null;
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      throw unreadable(
        `Cannot read ${key} in the object store: ${error.message.replace(/\.$/, '')}`,
      );
    }
  };
  let folder = 'log';
  for (let later = 2; (await get(`log/${later}/checkpoint`)) !== null; later += 1) {
    folder = `log/${later}`;
  }
  return {
    name: `${folder} in the object store`,
    read: (path) => get(`${folder}/${path}`),
    openOperators: () => openOperatorsIn(store),
  };
}

/** Null if the store does not say it, as after something was hidden that is not published yet. */
async function openOperatorsIn(store: ObjectStore): Promise<OpenOperators | null> {
  const key = (await readCurrent(store))?.value.facts ?? null;
  const found = key === null ? null : await store.get(key);
  if (key === null || found === null) return null;
  const { log_index, units } = indexIn(key, found.bytes);
  return { log_index, has: (id) => units.has(`operators/${id}`) };
}

/** @throws {BackupError} `unsound` if it is damaged, or of another version. */
function indexIn(key: string, bytes: Uint8Array): FactsIndex {
  try {
    return readIndex(key, bytes);
  } catch (error) {
    if (!(error instanceof FactsError)) throw error;
    const advice =
      'It says who was hidden since the copy. To go on without that, delete the object';
    throw new BackupError('unsound', `${error.message}. ${advice}. Nothing was changed`);
  }
}

async function download(url: string, maxBytes: number): Promise<Uint8Array | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 404) return null;
  if (!response.ok) throw unreadable(`${url} returned ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) {
      const message = `${url} is too large for a file of a published log. Nothing was changed`;
      throw new BackupError('unsound', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unreadable(message: string): BackupError {
  return new BackupError('disk', `${message}. Nothing was changed`);
}
