import { isAscii } from 'node:buffer';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import type { Route } from '#core/contract/route.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { decodeUtf8, parseJson } from '#core/domain/text/json.ts';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Waits for permission to process a body of more than 64 KiB; may throw. */
type Enter = () => Promise<void>;
const enterAny: Enter = () => Promise.resolve();

/** How to read the bodies that may be large. */
const readers = new WeakMap<Request, () => Promise<Uint8Array<ArrayBuffer>>>();

/** Lets a streamed body be read as a whole without another copy. */
export function readBy(request: Request, read: () => Promise<Uint8Array<ArrayBuffer>>): void {
  readers.set(request, read);
}

/** Returns a request's body unchanged. */
export async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const read = readers.get(request);
  return read ? read() : new Uint8Array(await request.arrayBuffer());
}

/**
 * Reads a request's body as UTF-8 text.
 *
 * @throws {DomainError} `unsupported_media_type`, `payload_too_large`, `malformed_json`, or `validation_failed` for
 * broken gzip of a body that is not JSON.
 */
export async function readText(request: Request, route: Route, enterLarge: Enter = enterAny) {
  const bytes = await readBytes(request, route, enterLarge);
  // Everything except notes in other languages is ASCII, which needs no decoder.
  return isAscii(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    : decodeUtf8(bytes);
}

/** Reads a JSON body. */
export async function readJson(request: Request, route: Route, enterLarge: Enter = enterAny) {
  return parseJson(await readText(request, route, enterLarge));
}

/** The media type of bodies that contain files. */
export const FORM_MEDIA_TYPE = 'multipart/form-data';
const URL_ENCODED = 'application/x-www-form-urlencoded';
/** More fields than any of the board's forms has. Parsing a field costs far more than its two bytes. */
const MAX_FIELDS = 200;

/**
 * Reads a form that a page sent.
 *
 * @throws {DomainError} `unsupported_media_type`, or `validation_failed` if it is incomplete.
 */
export async function readPageForm(request: Request): Promise<FormData> {
  const mediaType = mediaTypeOf(request);
  if (mediaType !== FORM_MEDIA_TYPE && mediaType !== URL_ENCODED) {
    throw new DomainError('unsupported_media_type', 'The body is not a form');
  }
  const bytes = await bytesOf(request).catch(() => null);
  const isLong = mediaType === URL_ENCODED && countOf('&', bytes) >= MAX_FIELDS;
  return formDataOf(request, isLong ? null : bytes);
}

/**
 * Reads a form sent to the API. Returns its fields by name, and a file as text with one character for each byte.
 *
 * @throws {DomainError} `validation_failed` if it is not a form, or has a field twice.
 */
export async function readForm(
  request: Request,
  route: Route,
  enterLarge: Enter = enterAny,
): Promise<Record<string, string>> {
  const form = await formDataOf(request, await readBytes(request, route, enterLarge));
  const fields = new Map<string, string>();
  for (const [name, value] of form) {
    if (fields.has(name)) {
      throw new DomainError('validation_failed', 'The form contains a field twice');
    }
    const isText = typeof value === 'string';
    fields.set(name, isText ? value : Buffer.from(await value.arrayBuffer()).toString('latin1'));
  }
  return Object.fromEntries(fields);
}

async function formDataOf({ headers }: Request, bytes: Uint8Array<ArrayBuffer> | null) {
  const type = { 'Content-Type': headers.get('content-type') ?? '' };
  const form = bytes && (await new Response(bytes, { headers: type }).formData().catch(() => null));
  if (form) return form;
  throw new DomainError('validation_failed', 'The form is incomplete');
}

function countOf(character: string, bytes: Uint8Array | null): number {
  const code = character.charCodeAt(0);
  return bytes?.reduce((count, byte) => (byte === code ? count + 1 : count), 0) ?? 0;
}

/** The media type of a request's body, without parameters; empty if the request has none. */
export function mediaTypeOf({ headers }: Request): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** @throws {DomainError} `unsupported_media_type` if the body has none of these types. */
export function requireMediaType(request: Request, accepts: readonly string[]): void {
  const mediaType = mediaTypeOf(request);
  if (accepts.includes(mediaType)) return;
  const detail = `The Content-Type "${mediaType}" is not accepted here`;
  throw new DomainError('unsupported_media_type', detail);
}

/**
 * Returns how a body is compressed; `identity` if it is not.
 *
 * @throws {DomainError} `unsupported_media_type` for an encoding that is not accepted.
 */
export function encodingOf({ headers }: Request, taken: readonly string[]): string {
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity' || taken.includes(encoding)) return encoding;
  const detail = `The Content-Encoding "${encoding}" is not accepted. Use ${[...taken, 'none'].join(' or ')}`;
  throw new DomainError('unsupported_media_type', detail);
}

/** Returns the body's bytes, decompressed. */
async function readBytes(request: Request, route: Route, enterLarge: Enter) {
  requireMediaType(request, route.accepts);
  const isPlain = encodingOf(request, ['gzip']) === 'identity';
  const received = await bytesOf(request);
  if (received.length > BODY_LIMIT_BYTES) await enterLarge();
  if (!isPlain) return decode(request, received, { route, enterLarge });
  if (received.length > route.bodyLimitBytes) throw tooLarge(route);
  return received;
}

async function decode(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  { route, enterLarge }: { route: Route; enterLarge: Enter },
): Promise<Uint8Array<ArrayBuffer>> {
  const inflated = await inflateBody(bytes, route.bodyLimitBytes, enterLarge).catch(
    (error: unknown) => {
      if (error instanceof DomainError) throw error;
      const code = mediaTypeOf(request).endsWith('json') ? 'malformed_json' : 'validation_failed';
      throw new DomainError(code, 'The body is not valid gzip');
    },
  );
  if (inflated === null) throw tooLarge(route);
  return inflated;
}

export function tooLarge({ bodyLimitBytes }: Pick<Route, 'bodyLimitBytes'>): DomainError {
  return new DomainError('payload_too_large', `The body is larger than ${bodyLimitBytes} bytes`);
}

const inflate = promisify(gunzip);

/** Snapshots of real counts expand up to 112 times, and zeros a thousand times. */
const MAX_RATIO = 200;

/**
 * Inflates a body.
 *
 * @param enterLarge Called and awaited once, before more than 64 KiB are inflated; may throw.
 * @returns Its bytes; null if they exceed `limitBytes`, or a ratio that only fabricated bodies reach.
 * @throws {Error} if it is not gzip.
 */
export async function inflateBody(
  bytes: Uint8Array<ArrayBuffer>,
  limitBytes: number,
  enterLarge: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const usual = Math.min(limitBytes, BODY_LIMIT_BYTES);
  const small = await inflateUpTo(bytes, { maxOutputLength: usual });
  if (small !== null || usual === limitBytes) return small;
  await enterLarge();
  const maxOutputLength = Math.min(limitBytes, Math.max(usual, MAX_RATIO * bytes.length));
  // One chunk, which another thread fills. With several, the main thread would have to join them.
  const chunkSize = maxOutputLength + 1;
  return inflateUpTo(bytes, { maxOutputLength, chunkSize });
}

async function inflateUpTo(
  bytes: Uint8Array<ArrayBuffer>,
  options: { maxOutputLength: number; chunkSize?: number },
): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await inflate(bytes, options);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
