/**
 * Sums of buckets, apart by which cache pillars they report, in one pass: grouping by that would sort
 * all rows first, which takes three times as long.
 */
import type { Pillars } from '#core/schema/usage.ts';

/** Each kind: whether it reports cache_write and cache_read. */
const KINDS = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

/** The sums of one kind; all null where there is no such bucket. */
type KindSums = [
  input: number | null,
  output: number | null,
  cache_write: number | null,
  cache_read: number | null,
];

/** The columns of a statement that groups buckets: four sums of each kind. */
export const KIND_SUMS = KINDS.flatMap(([write, read]) => {
  const isKind = `cache_write IS ${write ? 'NOT ' : ''}NULL AND cache_read IS ${read ? 'NOT ' : ''}NULL`;
  const sumOf = (pillar: keyof Pillars) => `sum(${pillar}) FILTER (WHERE ${isKind})`;
  return [
    sumOf('input'),
    sumOf('output'),
    write ? sumOf('cache_write') : 'NULL',
    read ? sumOf('cache_read') : 'NULL',
  ];
}).join(', ');

/** What the columns of a row hold: the pillars of each kind that there is. */
export function kindsIn(sums: readonly (number | null)[]): Pillars[] {
  return KINDS.flatMap((_, kind) => {
    const [input, output, cache_write, cache_read] = sums.slice(4 * kind, 4 * kind + 4) as KindSums;
    return input === null || output === null ? [] : [{ input, output, cache_write, cache_read }];
  });
}
