/** What the front does with requests of a place, by the kind of place that it is. */
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { BODY_LIMIT_BYTES, MCP_LIMIT_BYTES } from '#core/contract/limits.ts';
import { dataSecurity, pageSecurity, pictureSecurity } from '../response/security-headers.ts';

/** What stands behind a path: an operation or more of the API, perhaps a page, or nothing. */
export interface Place {
  /** The methods that it takes; none where nothing can be. */
  methods: readonly string[];
  isApi: boolean;
  /** How it treats requests of a method; one that it does not take is treated as the first. */
  treatment(method: string): Treatment;
}

export interface Treatment {
  /** The headers of all its answers: name, value, name, value. */
  headers: readonly string[];
  /** What else its answer to OPTIONS carries. */
  preflight: readonly string[];
  /** The policy that requests are counted by. */
  limit: 'mcp' | 'pages' | 'public';
  bodyLimitBytes: number;
  /** Whether its successes are sent while they are made. */
  isStreamed: boolean;
  /** From when on it answers no more, in epoch milliseconds. */
  goneAtMs: number;
  /** Pages of these origins may call it with a token and read what it answers. */
  origins: readonly string[];
}

/** What a page of any site may read of an answer's head. */
export const EXPOSED = [
  'ETag',
  'Link',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** What any page may do with what everybody may read. */
export const SHARED = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
};
/** What is said of all that is for everybody. */
export const SIGNALS = { 'Content-Signal': CONTENT_SIGNAL };
export const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'X-API-Key, If-None-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age': '86400',
};

export function pageAt(
  baseUrl: string,
  methods: readonly string[],
  bodyLimitBytes?: number,
): Place {
  const headers = { ...pageSecurity(baseUrl), Vary: 'Accept-Encoding' };
  return { methods, isApi: false, treatment: always(headers, bodyLimitBytes) };
}

/** A page for everybody, crawlers among them. */
export function openPageAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...pageSecurity(baseUrl), Vary: 'Accept-Encoding', ...SIGNALS };
  return { methods, isApi: false, treatment: always(headers) };
}

/** A page that answers by another type, too, if that is asked for. */
export function negotiated(page: Place): Place {
  const treatment = page.treatment('GET');
  const headers = treatment.headers.map((value, at) => {
    return treatment.headers[at - 1] === 'Vary' ? `Accept, ${value}` : value;
  });
  const varied = { ...treatment, headers };
  return { ...page, treatment: () => varied };
}

/** A page as Markdown: text for programs, whatever it says. */
export function twinAt(baseUrl: string, methods: readonly string[], isCounted = false): Place {
  const headers = {
    ...dataSecurity(baseUrl, true),
    Vary: `Accept, Accept-Encoding${isCounted ? ', X-API-Key' : ''}`,
    ...SHARED,
    ...SIGNALS,
  };
  const treatment: Treatment = {
    ...always(headers)(),
    preflight: Object.entries(PREFLIGHT).flat(),
    limit: isCounted ? 'public' : 'pages',
  };
  return { methods, isApi: false, treatment: () => treatment };
}

/** A page that is counted, and says what is left, as a public read does. */
export function searchAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...pageSecurity(baseUrl), Vary: 'Accept-Encoding, X-API-Key', ...SIGNALS };
  const treatment: Treatment = { ...always(headers)(), limit: 'public' };
  return { methods, isApi: false, treatment: () => treatment };
}

export function pictureAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...pictureSecurity(baseUrl), Vary: 'Accept-Encoding' };
  return { methods, isApi: false, treatment: always(headers) };
}

/** Files that programs fetch: a refusal is no page, and any page may read them. */
export function fileAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = {
    ...dataSecurity(baseUrl, true),
    Vary: 'Accept-Encoding',
    ...SHARED,
    ...SIGNALS,
  };
  const treatment = { ...always(headers)(), preflight: Object.entries(PREFLIGHT).flat() };
  return { methods, isApi: true, treatment: () => treatment };
}

/** A file that is too large to be held in memory, for everybody. */
export function publicLogAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...dataSecurity(baseUrl, true), ...SHARED, ...SIGNALS };
  const treatment = {
    ...always(headers)(),
    preflight: Object.entries(PREFLIGHT).flat(),
    isStreamed: true,
  };
  return { methods, isApi: true, treatment: () => treatment };
}

/** The Model Context Protocol server, which answers each message by itself. */
export function mcpAt(baseUrl: string, origins: readonly string[]): Place {
  const headers = { ...dataSecurity(baseUrl, false), Vary: 'Accept-Encoding, Origin' };
  const treatment: Treatment = {
    ...always(headers, MCP_LIMIT_BYTES)(),
    limit: 'mcp',
    origins: [baseUrl, ...origins],
  };
  return { methods: ['OPTIONS', 'POST'], isApi: true, treatment: () => treatment };
}

export function nothingAt(baseUrl: string): Place {
  const headers = { ...dataSecurity(baseUrl, false), Vary: 'Accept-Encoding' };
  return { methods: [], isApi: true, treatment: always(headers) };
}

function always(
  headers: Readonly<Record<string, string>>,
  bodyLimitBytes: number = BODY_LIMIT_BYTES,
): () => Treatment {
  const treatment: Treatment = {
    headers: Object.entries(headers).flat(),
    preflight: [],
    limit: 'pages',
    bodyLimitBytes,
    isStreamed: false,
    goneAtMs: Infinity,
    origins: [],
  };
  return () => treatment;
}

/** A request to the provider is small (16 KiB). */
const PROVIDER_BODY_BYTES = 16 * 1024;

const PROVIDER_PREFLIGHT = {
  ...PREFLIGHT,
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, MCP-Protocol-Version',
};

/** What applications ask the provider. */
export function providerPost(baseUrl: string): Place {
  const headers = { ...dataSecurity(baseUrl, true), Vary: 'Accept-Encoding', ...SHARED };
  const preflight = Object.entries(PROVIDER_PREFLIGHT).flat();
  const treatment = { ...always(headers, PROVIDER_BODY_BYTES)(), preflight };
  return { methods: ['OPTIONS', 'POST'], isApi: true, treatment: () => treatment };
}
