/** Settings of the object store. The writer (`config.ts`) and readers have them in common. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import * as z from 'zod';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import { isPublicAddress } from '../process/public-address.ts';
import { Origin } from './sign-in-config.ts';

const LOCATION =
  'must be the address of a bucket, such as https://s3.example.org/bucket/prefix?region=eu-1';
const DEFAULT_REGION = 'auto';

const Text = z.string().min(1).optional();
const TextFile = z.string().transform(contentOf).optional();

export const OBJECT_STORE_SETTINGS = {
  OBJECT_STORE_URL: z.string().transform(locationIn).optional(),
  OBJECT_STORE_ACCESS_KEY_ID: Text,
  OBJECT_STORE_ACCESS_KEY_ID_FILE: TextFile,
  OBJECT_STORE_SECRET_ACCESS_KEY: Text,
  OBJECT_STORE_SECRET_ACCESS_KEY_FILE: TextFile,
  WRITER_URL: Origin.optional(),
};

type Settings = z.output<z.ZodObject<typeof OBJECT_STORE_SETTINGS>>;

const CREDENTIALS = ['OBJECT_STORE_ACCESS_KEY_ID', 'OBJECT_STORE_SECRET_ACCESS_KEY'] as const;

interface Location {
  /** The origin of the service. */
  endpoint: string;
  bucket: string;
  /** Empty, or a path that ends with a slash. */
  prefix: string;
  region: string;
}

export interface ObjectStoreConfig extends Location {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface StoreConfig {
  /** Where publications are copied, so that other machines can serve them; null for nowhere. */
  objectStore: ObjectStoreConfig | null;
  /** Where a reader sends requests that it cannot answer; null for nowhere. */
  writerUrl: string | null;
}

export function storeConfig(settings: Settings): StoreConfig {
  return { objectStore: objectStoreConfig(settings), writerUrl: settings.WRITER_URL ?? null };
}

/** Null if there is no object store. */
export function objectStoreConfig(settings: Settings): ObjectStoreConfig | null {
  const { OBJECT_STORE_URL: location } = settings;
  const [accessKeyId, secretAccessKey] = CREDENTIALS.map((name) => {
    return settings[name] ?? settings[`${name}_FILE`];
  });
  if (!location || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { ...location, accessKeyId, secretAccessKey };
}

/** Settings that must be set, or must not be set twice. */
export function unfitObjectStore(settings: Settings): string[] {
  return CREDENTIALS.flatMap((name) => {
    const [value, file] = [settings[name], settings[`${name}_FILE`]];
    if (value !== undefined && file !== undefined) {
      return [`${name}: is set, and so is ${name}_FILE. Set only one of them`];
    }
    const isMissing = value === undefined && file === undefined;
    if (!isMissing || settings.OBJECT_STORE_URL === undefined) return [];
    return [`${name}: must be set because OBJECT_STORE_URL is set`];
  });
}

/** Settings that have no effect on the writer, or without OBJECT_STORE_URL. */
export function idleObjectStore(settings: Settings): string[] {
  const ofReaders = settings.WRITER_URL === undefined ? [] : ['WRITER_URL (only readers use it)'];
  if (settings.OBJECT_STORE_URL !== undefined) return ofReaders;
  const names = CREDENTIALS.flatMap((name) => [name, `${name}_FILE`] as const);
  const idle = names.filter((name) => settings[name] !== undefined);
  return [...ofReaders, ...idle.map((name) => `${name} (OBJECT_STORE_URL is not set)`)];
}

/** Parses `https://ENDPOINT/BUCKET[/PREFIX][?region=REGION]`. */
function locationIn(text: string, check: z.RefinementCtx): Location {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fault = url ? faultOf(url) : LOCATION;
  if (!url || fault !== null) {
    check.addIssue(fault ?? LOCATION);
    return z.NEVER;
  }
  const [bucket = '', ...folders] = decodeURIComponent(url.pathname).split('/').filter(Boolean);
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  return { endpoint: url.origin, bucket, prefix, region };
}

function faultOf(url: URL): string | null {
  const isForeign = [...url.searchParams.keys()].some((name) => name !== 'region');
  if (!/^https?:$/.test(url.protocol) || isForeign || url.hash !== '') return LOCATION;
  if (!/^(?:\/[\w.-]+)+\/?$/.test(url.pathname)) return LOCATION;
  if (url.username !== '' || url.password !== '') {
    return `must not contain credentials. Set ${CREDENTIALS.join(' and ')}`;
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    return 'must begin with https:// unless the store is on this machine or in a private network';
  }
  return null;
}

/** A name without a dot, such as that of a container, has a meaning only in a private network. */
function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return !isPublicAddress(address);
  return isLoopbackAddress(hostname) || !hostname.includes('.');
}

function contentOf(path: string, check: z.RefinementCtx): string {
  const content = readText(path);
  if (content !== null && content !== '') return content;
  check.addIssue(content === '' ? 'The file is empty' : 'The file cannot be read');
  return z.NEVER;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
