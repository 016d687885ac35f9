import type { DailyPublication, DailyStandingRow } from '#db/daily-standings.ts';
import type { Store } from '#db/store.ts';
import { type BoardSlice, percentileOf } from '#core/domain/board/board.ts';
import { type DailyPlace, dailyPlace } from '#core/domain/board/daily-standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import type { BoardEntry, WindowName } from '#core/schema/board.ts';
import type { MetricStanding } from '#core/schema/operator.ts';
import type { MetricName, Metrics } from '#core/schema/record.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { storedSlice } from '../state/board-state.ts';
import type { SeenName } from '../state/names.ts';
import { indexIn, isNamed } from './published-operators.ts';

export type DailyEntry = Pick<
  BoardEntry,
  'codename' | 'display_name' | 'interval' | 'metrics' | 'rank'
>;

type NamedRow = DailyStandingRow & SeenName;

interface RankedRow extends SeenName {
  body: Uint8Array;
  rank: number;
  /** From 1, with gaps where an operator was deleted or is now private. */
  place: number;
}

interface Ranked {
  rows: readonly RankedRow[];
  ranks: Uint32Array;
}

/** The boards of one slice on a past day, with operators who may be shown now. */
export class DailyBoard {
  readonly publication: DailyPublication;
  readonly #rows: ReadonlyMap<string, NamedRow>;
  readonly #ranked = new Map<string, Ranked>();

  constructor(publication: DailyPublication, rows: readonly NamedRow[]) {
    this.publication = publication;
    this.#rows = new Map(rows.map((row) => [row.codename, row]));
  }

  /** Ranked operators by place: all, or those whose name contains a text. */
  ranked(window: WindowName, metric: MetricName, named: string = ''): readonly RankedRow[] {
    const { rows } = this.#rankedBy(window, metric);
    return named === '' ? rows : rows.filter((row) => isNamed(row, named));
  }

  /** The stored values of a ranked operator. */
  entry(row: RankedRow, window: WindowName, metric: MetricName): DailyEntry {
    const { codename, display_name, rank, body } = row;
    const metrics = METRIC_NAMES.map((name) => [name, dailyPlace(body, window, name)?.value]);
    return {
      codename,
      display_name,
      rank,
      metrics: Object.fromEntries(metrics) as Metrics,
      interval: dailyPlace(body, window, metric)?.interval ?? null,
    };
  }

  /** How many operators have tokens in the window but no rank. */
  unrankedTotal(window: WindowName, metric: MetricName, named: string = ''): number {
    let count = 0;
    for (const row of this.#rows.values()) {
      const isMeant = named === '' || isNamed(row, named);
      const place = isMeant ? dailyPlace(row.body, window, metric) : null;
      if (place?.rank === null) count += 1;
    }
    return count;
  }

  hasTokens(window: WindowName, codename: string): boolean {
    return this.#place(window, 'yield', codename) !== null;
  }

  /** An operator's standing by a metric. The operator must have tokens in the window. */
  standingBy(window: WindowName, metric: MetricName, codename: string): MetricStanding {
    const { value, interval, rank, place } = this.#place(window, metric, codename) as DailyPlace;
    const { rows, ranks } = this.#rankedBy(window, metric);
    const at = place === null ? null : indexIn(rows.length, place, (row) => rows[row]?.place ?? 0);
    return {
      value,
      interval,
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

  #place(window: WindowName, metric: MetricName, codename: string): DailyPlace | null {
    const body = this.#rows.get(codename)?.body;
    return body ? dailyPlace(body, window, metric) : null;
  }

  #rankedBy(window: WindowName, metric: MetricName): Ranked {
    const key = `${window} ${metric}`;
    const known = this.#ranked.get(key);
    if (known) return known;
    const byPlace = new Array<RankedRow>(this.#rows.size + 1);
    for (const row of this.#rows.values()) {
      const { rank = null, place = null } = dailyPlace(row.body, window, metric) ?? {};
      if (rank !== null && place !== null) byPlace[place] = { ...row, rank, place };
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
  const { day } = publication;
  const stored = storedSlice(slice, publication);
  const key = JSON.stringify([day, stored.tool, stored.trust]);
  return decoded.read(edition, key, () => {
    return new DailyBoard(publication, readRows(store, day, stored));
  });
}

function readRows(store: Store, day: string, slice: BoardSlice): NamedRow[] {
  const rows = store.dailyStandings.ofDay(day, slice);
  return rows.map((row) => ({ ...row, display_name: shownDisplayName(row) }));
}
