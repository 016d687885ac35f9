import type {
  BoardEntry,
  OperatorSummary,
  UnrankedEntry,
  UnrankedReason,
  WindowName,
} from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { BASIS } from '#core/domain/standing.ts';
import {
  type PublicationData,
  type PublicationHead,
  type WindowColumns,
  jsonAt,
} from './columns.ts';

/** A published board of all windows and metrics: immutable, and the same for page, API and agents. */
export interface Publication extends PublicationHead {
  next_refresh_at: string;
  window(name: WindowName): PublishedWindow;
}

export function publicationOf({ head, windows }: PublicationData, refreshMs: number): Publication {
  const published = new Map(
    windows.map((columns) => [columns.window, new PublishedWindow(columns)]),
  );
  const nextMs = Date.parse(head.generated_at) + refreshMs;
  return {
    ...head,
    next_refresh_at: new Date(nextMs).toISOString(),
    window: (name) => published.get(name) as PublishedWindow,
  };
}

/** The boards of one window. */
export class PublishedWindow {
  readonly #columns: WindowColumns;

  constructor(columns: WindowColumns) {
    this.#columns = columns;
  }

  /** How many operators are ranked by a metric. */
  total(metric: MetricName): number {
    return this.#columns.boards[metric].ranked.length;
  }

  unrankedTotal(metric: MetricName): number {
    return this.#columns.boards[metric].unranked.length;
  }

  /** Ranked entries, best first, from `offset` on. */
  entries(metric: MetricName, offset: number, limit: number): BoardEntry[] {
    const { ranked, ranks } = this.#columns.boards[metric];
    return Array.from(ranked.subarray(offset, offset + limit), (position, index) => ({
      rank: ranks[offset + index] as number,
      ...this.#summary(position),
      ...this.#measured(metric, position),
    }));
  }

  /** The first unranked entries, by codename. */
  unranked(metric: MetricName, limit: number): UnrankedEntry[] {
    const { unranked, reasons } = this.#columns.boards[metric];
    return Array.from(unranked.subarray(0, limit), (position, index) => ({
      ...this.#summary(position),
      ...this.#measured(metric, position),
      reasons: jsonAt(reasons, index) as UnrankedReason[],
    }));
  }

  /** One operator's place on a board: ranked, or why not; null without tokens in the window. */
  find(metric: MetricName, codename: string): BoardEntry | UnrankedEntry | null {
    const position = this.#positionOf(codename);
    if (position === null) return null;
    const { ranked, ranks, unranked, reasons } = this.#columns.boards[metric];
    const common = { ...this.#summary(position), ...this.#measured(metric, position) };
    const place = ranked.indexOf(position);
    if (place >= 0) return { rank: ranks[place] as number, ...common };
    return { ...common, reasons: jsonAt(reasons, unranked.indexOf(position)) as UnrankedReason[] };
  }

  #summary(position: number): OperatorSummary {
    return jsonAt(this.#columns.summaries, position) as OperatorSummary;
  }

  #measured(metric: MetricName, position: number) {
    const basis = BASIS[metric];
    const coverage = this.#columns.coverage[basis][position] as number;
    return {
      coverage: Number.isNaN(coverage) ? null : coverage,
      active_days: this.#columns.active_days[basis][position] as number,
    };
  }

  /** Binary search: positions are in codename order. */
  #positionOf(codename: string): number | null {
    let low = 0;
    let high = this.#columns.summaries.offsets.length - 2;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#summary(middle).codename;
      if (found === codename) return middle;
      if (found < codename) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }
}
