/** Reads four token counts as people write them: with labels, or in the order of a record. */
import type { Pillars } from '../../schema/usage.ts';
import { DomainError } from '../../domain/text/errors.ts';
import { type Fields, arePossible, countOf } from '../shared/fields.ts';

type Pillar = keyof Pillars;

const ORDER: readonly Pillar[] = ['input', 'output', 'cache_write', 'cache_read'];

/** Names of the token types without spaces, punctuation and the word "tokens". */
const LABELS: Readonly<Record<string, Pillar>> = {
  input: 'input',
  output: 'output',
  cachewrite: 'cache_write',
  cachecreation: 'cache_write',
  cachecreationinput: 'cache_write',
  cacheread: 'cache_read',
  cachereadinput: 'cache_read',
};

/** Longer texts contain more than four numbers and labels. */
const MAX_LENGTH = 1000;
const LABELED = /^([a-z][a-z _-]{0,40}?)\s*[:=]?\s*(\d[\d,_'.]*)$/i;
/** A number with or without thousands separators. */
const COUNT = /^(?:\d{1,3}(?:[,_']\d{3})+|\d{1,16})$/;

/**
 * Counts in plain text; null if the text is something else.
 *
 * @throws {DomainError} `ingest_unreadable` if the text has counts, but it is unclear which.
 */
export function readPlainCounts(text: string): Pillars | null {
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return null;
  const labeled = pairsIn(text);
  if (labeled.length > 0) return pillarsOf(labeled);
  const words = wordsIn(text.trim());
  if (!words.every((word) => COUNT.test(word))) return null;
  if (words.length !== ORDER.length) {
    const order = 'input, output, cache write and cache read';
    throw unclear(`Found ${words.length} numbers, but four are needed: ${order}.`);
  }
  return pillarsOf(words.map((word, at) => [ORDER[at] as Pillar, numberOf(word)]));
}

/** Counts as members of an object; null if it has no input and output. */
export function readLabelledCounts(fields: Fields): Pillars | null {
  const pairs = Object.entries(fields).flatMap(([name, value]): [Pillar, number | null][] => {
    const pillar = pillarNamed(name);
    return pillar === undefined ? [] : [[pillar, countOf(value)]];
  });
  const isWhole = pairs.length > 0 && pairs.length === Object.keys(fields).length;
  return isWhole ? pillarsOf(pairs) : null;
}

/** Lines or parts of the form "name: number"; empty if no part has the name of a token type. */
function pairsIn(text: string): [Pillar, number][] {
  const parts = text.split(/[\n;]|,(?!\d)/).map((part) => part.trim());
  const named = parts.filter(Boolean).map((part) => LABELED.exec(part) ?? []);
  const pillars = named.map(([, name = '']) => pillarNamed(name));
  if (pillars.every((pillar) => pillar === undefined)) return [];
  return named.map(([, , count = ''], at) => {
    const pillar = pillars[at];
    if (pillar === undefined) {
      throw unclear('Use only input, output, cache write and cache read.');
    }
    if (!COUNT.test(count)) throw unclear(`The count of ${pillar} is not a whole number.`);
    return [pillar, numberOf(count)];
  });
}

function pillarNamed(name: string): Pillar | undefined {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/tokens?/, '');
  return Object.hasOwn(LABELS, plain) ? LABELS[plain] : undefined;
}

/** Commas separate numbers only if there are no spaces or lines. */
function wordsIn(text: string): string[] {
  const words = text.split(/[\s;]+|,\s+/).filter(Boolean);
  const [only = ''] = words;
  return words.length === 1 && !COUNT.test(only) ? only.split(',') : words;
}

function numberOf(word: string): number {
  return Number(word.replaceAll(/[,_']/g, ''));
}

function pillarsOf(pairs: readonly (readonly [Pillar, number | null])[]): Pillars {
  const names = pairs.map(([name]) => name);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw unclear(`${repeated} appears twice.`);
  const told = new Map(pairs);
  const { input, output } = { input: told.get('input'), output: told.get('output') };
  if (typeof input !== 'number' || typeof output !== 'number') {
    throw unclear('Both input and output are needed.');
  }
  const cache_write = told.get('cache_write') ?? null;
  const cache_read = told.get('cache_read') ?? null;
  const pillars = { input, output, cache_write, cache_read };
  if (!arePossible(pillars)) throw unclear('A count is not a whole number from 0 to 2^53-1.');
  return pillars;
}

function unclear(detail: string): DomainError {
  return new DomainError('ingest_unreadable', `These are token counts. ${detail}`);
}
