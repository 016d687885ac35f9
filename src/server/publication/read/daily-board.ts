import type { DailyPublication } from '#db/kept-days.ts';
import type { Store } from '#db/store.ts';
import { conservativeBy } from '#core/domain/metrics/conservative.ts';
import { intervalOfRuleset } from '#core/domain/board/ruleset.ts';
import { type BoardSlice, percentileOf } from '#core/domain/board/board.ts';
import { chunkOf, type DayChunk } from '#core/domain/board/day-chunk.ts';
import type { DailyPlace } from '#core/domain/board/day-row.ts';
import type { SlicePlaces } from '#core/domain/board/slice-places.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import type { BoardEntry, WindowName } from '#core/schema/board.ts';
import type { MetricStanding } from '#core/schema/operator.ts';
import type { MetricName, Metrics } from '#core/schema/record.ts';
import { indexIn } from '#core/domain/text/binary-search.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { storedSlice } from '../state/board-state.ts';
import type { SeenName } from '../state/names.ts';
import { isNamed } from './published-operators.ts';

export type DailyEntry = Pick<
  BoardEntry,
  'codename' | 'conservative' | 'display_name' | 'interval' | 'metrics' | 'rank'
>;

interface RankedRow extends SeenName {
  operator_id: number;
  rank: number;
  /** From 1, with gaps where an operator was deleted or is now private. */
  place: number;
}

interface Ranked {
  rows: readonly RankedRow[];
  ranks: Uint32Array;
}

/** An operator who may be shown now, with the row of the slice's places. */
type NamedRow = SeenName & { operator_id: number; row: number };

/** The boards of one slice on a past day, with operators who may be shown now. */
export class DailyBoard {
  readonly publication: DailyPublication;
  readonly #places: SlicePlaces;
  readonly #rows: ReadonlyMap<string, NamedRow>;
  readonly #chunkWith: (operator_id: number) => DayChunk | null;
  readonly #ranked = new Map<string, Ranked>();

  /** @param chunkWith Reads the values of an operator. */
  constructor(
    publication: DailyPublication,
    places: SlicePlaces,
    rows: readonly NamedRow[],
    chunkWith: (operator_id: number) => DayChunk | null,
  ) {
    this.publication = publication;
    this.#places = places;
    this.#rows = new Map(rows.map((row) => [row.codename, row]));
    this.#chunkWith = chunkWith;
  }

  /** Ranked operators by place: all, or those whose name contains a text. */
  ranked(window: WindowName, metric: MetricName, named: string = ''): readonly RankedRow[] {
    const { rows } = this.#conservativeBy(window, metric);
    return named === '' ? rows : rows.filter((row) => isNamed(row, named));
  }

  /** The stored values of a ranked operator. */
  entry(row: RankedRow, window: WindowName, metric: MetricName): DailyEntry {
    const { codename, display_name, rank, operator_id } = row;
    const chunk = this.#chunkWith(operator_id);
    const placeBy = (name: MetricName) => chunk?.place(operator_id, window, name) ?? null;
    const metrics = METRIC_NAMES.map((name) => [name, placeBy(name)?.value ?? null]);
    return {
      codename,
      display_name,
      rank,
      metrics: Object.fromEntries(metrics) as Metrics,
      ...this.#measured(metric, placeBy(metric)),
    };
  }

  /** How many operators have tokens in the window but no rank. */
  unrankedTotal(window: WindowName, metric: MetricName, named: string = ''): number {
    const tokens = this.#places.tokens(window);
    const ranks = this.#places.ranks(window, metric);
    let count = 0;
    for (const row of this.#rows.values()) {
      const isMeant = named === '' || isNamed(row, named);
      if (isMeant && tokens[row.row] === 1 && ranks[row.row] === 0) count += 1;
    }
    return count;
  }

  hasTokens(window: WindowName, codename: string): boolean {
    const row = this.#rows.get(codename);
    return row !== undefined && this.#places.tokens(window)[row.row] === 1;
  }

  /** An operator's standing by a metric. The operator must have tokens in the window. */
  standingBy(window: WindowName, metric: MetricName, codename: string): MetricStanding {
    const { operator_id } = this.#rows.get(codename) as NamedRow;
    const stored = this.#chunkWith(operator_id)?.place(operator_id, window, metric);
    const { value, rank, place } = stored as DailyPlace;
    const { rows, ranks } = this.#conservativeBy(window, metric);
    const at = place === null ? null : indexIn(rows.length, place, (row) => rows[row]?.place ?? 0);
    return {
      value,
      ...this.#measured(metric, stored as DailyPlace),
      rank,
      rank_range: null,
      total: rows.length,
      percentile: at === null ? null : percentileOf(ranks, at),
      median: null,
      coverage: null,
      active_days: null,
      reasons: null,
    };
  }

  #measured(metric: MetricName, place: DailyPlace | null) {
    const { value = null, interval = null } = place ?? {};
    const method = intervalOfRuleset(this.publication.ruleset);
    return { conservative: conservativeBy(metric, { value, interval }, method), interval };
  }

  #conservativeBy(window: WindowName, metric: MetricName): Ranked {
    const key = `${window} ${metric}`;
    const known = this.#ranked.get(key);
    if (known) return known;
    const places = this.#places.places(window, metric);
    const rankOf = this.#places.ranks(window, metric);
    const byPlace = new Array<RankedRow>(places.length + 1);
    for (const { row, ...named } of this.#rows.values()) {
      const place = places[row] as number;
      if (place > 0) byPlace[place] = { ...named, place, rank: rankOf[row] as number };
    }
    // Unranked, private and deleted operators leave holes in the array, which `filter` skips.
    const rows = byPlace.filter(() => true);
    const ranked = { rows, ranks: Uint32Array.from(rows, ({ rank }) => rank) };
    this.#ranked.set(key, ranked);
    return ranked;
  }
}

/** The most decoded boards kept, for each edition. */
const MAX_DECODED = 6;

const decoded = new RecentMemo<object, DailyBoard>(MAX_DECODED);

/**
 * The boards of a slice on a stored day. Decoded boards are cached until another edition is current, because hiding
 * an operator always creates one.
 */
export function readDailyBoard(
  store: Store,
  edition: object,
  publication: DailyPublication,
  slice: BoardSlice,
): DailyBoard {
  const { day, thinned } = publication;
  const stored = storedSlice(slice, publication);
  const key = JSON.stringify([day, thinned, stored.tool, stored.trust]);
  return decoded.read(edition, key, () => openDailyBoard(store, publication, stored));
}

function openDailyBoard(store: Store, publication: DailyPublication, slice: BoardSlice) {
  const { keptDays } = store;
  const places = keptDays.places(publication.day, slice);
  const rows = keptDays.named().flatMap(({ operator_id, codename, ...seen }): NamedRow[] => {
    const row = places.rowOf(operator_id);
    const display_name = shownDisplayName(seen);
    return row === null ? [] : [{ operator_id, codename, display_name, row }];
  });
  return new DailyBoard(publication, places, rows, lastChunkRead(store, publication, slice));
}

/** Reads an operator's chunk, and keeps the last one. Small boards have no other. */
function lastChunkRead({ keptDays }: Store, { day }: DailyPublication, slice: BoardSlice) {
  let last: { number: number; chunk: DayChunk | null } | null = null;
  return (operator_id: number) => {
    const number = chunkOf(operator_id);
    if (last?.number !== number) last = { number, chunk: keptDays.chunk(day, slice, number) };
    return last.chunk;
  };
}
