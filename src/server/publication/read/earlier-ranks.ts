/** The ranks of the boards that movement is measured from, kept in memory for a day. */
import type { DailyPublication } from '#db/daily-standings.ts';
import type { Store } from '#db/store.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dailyPlace } from '#core/domain/board/daily-standing.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { Movement, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { storedSlice } from './columns.ts';

export type MovementSpan = keyof Movement;

/** How many days before the board of now each lies. */
const DAYS_BEFORE: Readonly<Record<MovementSpan, number>> = { day: 1, week: 7 };

export const SPANS = Object.keys(DAYS_BEFORE) as MovementSpan[];

/** Ranks on an earlier board by operator; 0 while unranked. */
export type RankOf = (operator_id: number) => number;

const RANKS = WINDOWS.length * METRIC_NAMES.length;

/** One slice of an earlier day: each operator's ranks, window by window. */
interface SliceRanks {
  index: ReadonlyMap<number, number>;
  ranks: Uint32Array;
}

export class EarlierRanks {
  readonly #store: Store;
  readonly #as_of: number;
  readonly #slices = new Map<string, SliceRanks | null>();

  /** @param as_of The day of the board of now; what is kept of earlier ones does not change meanwhile. */
  constructor(store: Store, as_of: string) {
    this.#store = store;
    this.#as_of = dayNumber(as_of);
  }

  /** The ranks of a board; null where no such board was kept. */
  ranksOf(
    span: MovementSpan,
    slice: BoardSlice,
    window: WindowName,
    metric: MetricName,
  ): RankOf | null {
    const known = this.#sliceOf(span, slice);
    if (!known) return null;
    const column = WINDOWS.indexOf(window) * METRIC_NAMES.length + METRIC_NAMES.indexOf(metric);
    return (operator_id) => {
      const index = known.index.get(operator_id);
      return index === undefined ? 0 : (known.ranks[index * RANKS + column] as number);
    };
  }

  #sliceOf(span: MovementSpan, slice: BoardSlice): SliceRanks | null {
    const key = JSON.stringify([span, slice.tool, slice.trust]);
    let known = this.#slices.get(key);
    if (known === undefined) {
      const day = dayName(this.#as_of - DAYS_BEFORE[span]);
      const publication = this.#store.dailyStandings.publication(day);
      known = publication ? readSlice(this.#store, publication, slice) : null;
      this.#slices.set(key, known);
    }
    return known;
  }
}

function readSlice(
  store: Store,
  publication: DailyPublication,
  slice: BoardSlice,
): SliceRanks | null {
  const { tool } = slice;
  if (tool !== null && !publication.tools.includes(tool)) return null;
  const rows = store.dailyStandings.bodies(publication.day, storedSlice(slice, publication));
  const ranks = new Uint32Array(rows.length * RANKS);
  rows.forEach(({ body }, row) => {
    WINDOWS.forEach((window, at) => {
      METRIC_NAMES.forEach((metric, column) => {
        const rank = dailyPlace(body, window, metric)?.rank ?? 0;
        ranks[row * RANKS + at * METRIC_NAMES.length + column] = rank;
      });
    });
  });
  return { index: new Map(rows.map(({ operator_id }, row) => [operator_id, row])), ranks };
}
