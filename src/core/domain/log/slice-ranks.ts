/**
 * The ranks of one slice of a published board.
 *
 * @module
 */
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardSlice } from '../board/board.ts';
import { type BoardReport, type CheckedRow, inSlice } from './board-report.ts';
import { type RankedRows, checkRanks } from './rank-check.ts';

/** A rank, and the conservative value from which it must follow. */
export interface RankedPlace {
  window: WindowName;
  metric: MetricName;
  conservative: number | null;
  rank: number;
}

interface RankedRow {
  line: number;
  name: string;
}

/** Collects the ranks of a slice's rows, and checks them once all are there. */
export class SliceRanks {
  /** The ranked rows by window and metric, with the positions of their rows. */
  readonly #ranked = new Map<string, RankedRows & { of: number[] }>();
  readonly #rows: RankedRow[] = [];

  addRow({ line, stated: { name } }: CheckedRow): void {
    this.#rows.push({ line, name });
  }

  /** Adds a rank of the last row. */
  add({ window, metric, conservative, rank }: RankedPlace): void {
    const key = `${window} ${metric}`;
    const ranked = this.#ranked.get(key) ?? { lows: [], ranks: [], of: [] };
    ranked.lows.push(conservative ?? Number.NaN);
    ranked.ranks.push(rank);
    ranked.of.push(this.#rows.length - 1);
    this.#ranked.set(key, ranked);
  }

  /**
   * Reports ranks that do not follow from the rows. Returns the largest number of ranks by which a row is lower than
   * the other rows explain.
   */
  check(slice: BoardSlice, mayHaveGaps: boolean, report: BoardReport): number {
    let most = 0;
    for (const [key, rows] of this.#ranked) {
      const [window, metric] = key.split(' ') as [WindowName, MetricName];
      const { wrong, gaps } = checkRanks(rows, mayHaveGaps);
      most = Math.max(most, gaps);
      for (const { at: place, recomputed } of wrong) {
        const { line, name } = this.#rows[rows.of[place] as number] as RankedRow;
        const message = `${name}${inSlice(slice)}, ${window} ${metric}: rank`;
        const at = { ...slice, name, window, metric, stated: rows.ranks[place] as number };
        report.add({ code: 'rank', line, message, ...at, recomputed });
      }
    }
    return most;
  }
}
