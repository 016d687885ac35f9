import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Route } from '#core/contract/route.ts';
import { DomainError } from '#core/domain/errors.ts';
import { decodeUtf8, parseJson } from '#core/domain/json.ts';

const inflate = promisify(gunzip);

/**
 * Reads a request's body as UTF-8 text.
 *
 * @throws {DomainError} `unsupported_media_type`, `payload_too_large` or `malformed_json`.
 */
export async function readText(request: Request, route: Route): Promise<string> {
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!route.accepts.includes(mediaType)) {
    const detail = `The Content-Type "${mediaType}" is not accepted here`;
    throw new DomainError('unsupported_media_type', detail);
  }
  const received = new Uint8Array(await request.arrayBuffer());
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  const bytes = await decode(encoding, received, route);
  if (bytes.length > route.bodyLimitBytes) throw tooLarge(route);
  return decodeUtf8(bytes);
}

/** Reads a JSON body. */
export async function readJson(request: Request, route: Route): Promise<unknown> {
  return parseJson(await readText(request, route));
}

async function decode(encoding: string, bytes: Uint8Array, route: Route): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip') {
    const detail = `The Content-Encoding "${encoding}" is not accepted; send gzip or none`;
    throw new DomainError('unsupported_media_type', detail);
  }
  try {
    return await inflate(bytes, { maxOutputLength: route.bodyLimitBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(route);
    throw new DomainError('malformed_json', 'The body is not valid gzip');
  }
}

export function tooLarge({ bodyLimitBytes }: Pick<Route, 'bodyLimitBytes'>): DomainError {
  return new DomainError('payload_too_large', `The body passes ${bodyLimitBytes} bytes`);
}
