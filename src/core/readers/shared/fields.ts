/**
 * Reads values from JSON of unknown shape. A missing value has a neutral default. An invalid value is `NaN` or `null`, so
 * that its line can be skipped and counted.
 *
 * @module
 */
import { LABEL_LENGTH, type Pillars, UNKNOWN, isLabel } from '../../schema/usage.ts';
import { totalOf } from '../../domain/counting/bucket.ts';
import { DAY_MS } from '../../domain/counting/day.ts';

/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The members of a value, null if it is not an object. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

/** The members of a JSON line; null if it is not an object. */
export function parseFields(line: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The longest ID, in code units. */
const ID_LENGTH = 256;

/** An ID: empty if missing or of another type, null if too long. */
export function idOf(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : value;
  if (typeof id !== 'string') return '';
  return id.length <= ID_LENGTH ? id : null;
}

/** A count, which may be a string of digits: null if missing, NaN if invalid. */
export function countOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : NaN;
}

/** A count: 0 if missing, NaN if invalid. */
export function countOrZero(value: unknown): number {
  return countOf(value) ?? 0;
}

/** Whether counts, and their total, are integers from 0 to 2^53-1. */
export function arePossible(pillars: Pillars): boolean {
  const { input, output, cache_write, cache_read } = pillars;
  const areCountsAlone =
    isCount(input) && isCount(output) && isCount(cache_write ?? 0) && isCount(cache_read ?? 0);
  return areCountsAlone && isCount(totalOf(pillars));
}

/** Whether all are integers from 0 to 2^53-1. */
export function areCounts(counts: readonly number[]): boolean {
  return counts.every(isCount);
}

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}

const EARLIEST_MS = Date.UTC(2023, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/i;
const WITH_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * A time in milliseconds since the epoch, from RFC 3339 text (UTC without an offset) or a number of seconds or
 * milliseconds. NaN if missing, invalid, before 2023 or after 2099.
 */
export function instantOf(value: unknown): number {
  const ms = typeof value === 'string' ? parseInstant(value) : instantOfNumber(value);
  return ms >= EARLIEST_MS && ms < LATEST_MS ? ms : NaN;
}

function instantOfNumber(value: unknown): number {
  if (typeof value !== 'number') return NaN;
  return Math.floor(value < LATEST_MS / 1000 ? value * 1000 : value);
}

function parseInstant(text: string): number {
  if (!INSTANT.test(text)) return NaN;
  const day = Number(text.slice(8, 10));
  if (day > 28 && day > lastDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)))) return NaN;
  return Date.parse(text.endsWith('Z') || WITH_OFFSET.test(text) ? text : `${text}Z`);
}

/** The last day of a month. `Date.parse` accepts 30 February as a day in March. */
function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Longer than any label before normalization. */
const RAW_LABEL_LENGTH = 8 * LABEL_LENGTH;

const KNOWN_LABELS = 1000;
const labels = new Map<string, string | null>();

/** The name of a model or provider, trimmed and in normal form C: {@linkcode UNKNOWN} if missing, null if invalid. */
export function labelOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return UNKNOWN;
  if (typeof value !== 'string' || value.length > RAW_LABEL_LENGTH) return null;
  let label = labels.get(value);
  if (label === undefined) {
    const name = value.normalize('NFC').trim() || UNKNOWN;
    label = isLabel(name) ? name : null;
    if (labels.size >= KNOWN_LABELS) labels.clear();
    labels.set(value, label);
  }
  return label;
}

/** Whether two times are on one UTC day, so that everything between them has a day. False if one of them is NaN. */
export function areOneDay(firstMs: number, lastMs: number): boolean {
  return Math.floor(firstMs / DAY_MS) === Math.floor(lastMs / DAY_MS);
}
