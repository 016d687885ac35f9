/** Strict JSON: repeated keys are an error, where `JSON.parse` would use the last one. */
import { DomainError } from './errors.ts';

const MAX_DEPTH = 64;
/** More than any object of the API has. Limits the cost of hostile input. */
const MAX_KEYS = 256;

/**
 * Parses JSON strictly.
 *
 * @throws {DomainError} `malformed_json` if the text is not JSON, nests deeper than 64 levels, or
 *   an object has more than 256 keys.
 * @throws {DomainError} `json_key_duplicate` if an object repeats a key.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError('malformed_json', 'The text is not valid JSON');
  }
  // Compact text that results from its value repeats no key. Checking this is faster than reading each character.
  if (!isModest(value) || JSON.stringify(value) !== text) refuseAmbiguity(text);
  return value;
}

/** Whether a value has no more levels and keys than allowed. Stops at the first one too many. */
function isModest(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (members !== value && members.length > MAX_KEYS) return false;
  return members.every((member) => isModest(member, depth + 1));
}

/**
 * Parses the bytes of JSON strictly. See {@linkcode parseJson}.
 *
 * @throws {DomainError} `malformed_json` also if the bytes are not UTF-8.
 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return parseJson(decodeUtf8(bytes));
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8. A byte order mark stays part of the text.
 *
 * @throws {DomainError} `malformed_json` if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new DomainError('malformed_json', 'The bytes are not UTF-8');
  }
}

/**
 * Whether JSON text has at most `quotes` quotation marks and at most `outside` characters outside its strings.
 * Stops at the first one too many, so that text of millions of parts is rejected before it is parsed.
 */
export function hasFewParts(
  text: string,
  { quotes, outside }: { quotes: number; outside: number },
): boolean {
  let at = 0;
  for (;;) {
    const start = text.indexOf('"', at);
    outside -= (start < 0 ? text.length : start) - at;
    if (outside < 0 || start < 0) return outside >= 0;
    let end = start;
    do {
      quotes -= 1;
      end = text.indexOf('"', end + 1);
    } while (quotes >= 0 && end >= 0 && isEscaped(text, end));
    // Text that ends inside a string is not JSON. The parser will find that out quickly.
    if (end < 0) return quotes >= 0;
    quotes -= 1;
    if (quotes < 0) return false;
    at = end + 1;
  }
}

/** Whether a text has at most `most` backslashes and no two in a row. Stops at the first one too many. */
export function hasFewEscapes(text: string, most: number): boolean {
  let at = text.indexOf('\\');
  for (let count = 1; at >= 0; count += 1) {
    const next = text.indexOf('\\', at + 1);
    if (count > most || next === at + 1) return false;
    at = next;
  }
  return true;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Checks depth and keys of text that is known to be valid JSON. */
function refuseAmbiguity(text: string): void {
  const open: (Set<string> | null)[] = [];
  let keyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        keyNext = true;
        enter(open, new Set());
        break;
      case OPEN_ARRAY:
        keyNext = false;
        enter(open, null);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        break;
      case COMMA:
        keyNext = open.at(-1) != null;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (keyNext) addKey(open.at(-1), text.slice(at, end + 1));
        keyNext = false;
        at = end;
      }
    }
  }
}

function enter(open: (Set<string> | null)[], keys: Set<string> | null): void {
  open.push(keys);
  if (open.length > MAX_DEPTH) {
    throw new DomainError('malformed_json', `The JSON nests deeper than ${MAX_DEPTH} levels`);
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes a quotation mark. */
function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

function addKey(keys: Set<string> | null | undefined, quoted: string): void {
  const key = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (keys?.has(key)) {
    throw new DomainError('json_key_duplicate', `An object repeats the key ${quoted}`);
  }
  keys?.add(key);
  if ((keys?.size ?? 0) > MAX_KEYS) {
    throw new DomainError('malformed_json', `An object has more than ${MAX_KEYS} keys`);
  }
}
