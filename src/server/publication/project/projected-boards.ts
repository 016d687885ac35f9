import { type BoardSlice, type Contenders, rankContenders } from '#core/domain/board/board.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { DEFAULT_SLICE, slicesOf, toolsWithBoards } from '#core/domain/board/slices.ts';
import type { SlicePlaces } from '#core/domain/board/slice-places.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { CLASS_WINDOW, classTierOf } from '#core/domain/metrics/class-tier.ts';
import type { BucketSource } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { ClassTier, type Movement, type WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { DailyPublication } from '#db/kept-days.ts';
import type { Store } from '#db/store.ts';
import {
  type BoardColumns,
  type ModerationCounts,
  type OperatorColumns,
  partColumns,
  type RankingColumns,
  type SharedColumns,
  storedSlice,
} from '../read/columns.ts';
import type { SeenOperator } from '../read/published-operators.ts';
import { highAt, orNull, STANDING_NUMBERS } from '../read/standing-numbers.ts';
import { type ProjectedOperator, rowAt, TOTAL_AT, VALUES_AT } from './projected-operator.ts';

/** An operator with tokens on or before the last day of the windows. */
export interface Member extends SeenOperator {
  id: number;
  operator: ProjectedOperator;
  devices: number;
}

interface ProjectedTerm {
  rules: Ruleset;
  moderation: ModerationCounts;
  earlier: EarlierRanks | null;
  contests: Pick<SharedColumns, 'challenges' | 'records'>;
}

/** The boards of one publication, each computed on demand. */
export class ProjectedBoards {
  readonly shared: SharedColumns;
  readonly slices: readonly BoardSlice[];
  readonly #members: readonly Member[];
  readonly #earlier: EarlierRanks | null;

  constructor(members: readonly Member[], { rules, moderation, earlier, contests }: ProjectedTerm) {
    this.#members = members;
    this.#earlier = earlier;
    this.shared = {
      rules,
      tools: toolsWithBoards(members.map(({ operator }) => operator.tools)),
      self_reported: members.some(({ operator }) => operator.isSelfReported),
      moderation,
      operators: operatorColumns(members),
      ...partsOfAll(members),
      ...contests,
    };
    this.slices = slicesOf(this.shared);
  }

  /** The boards of one slice and window. */
  board(slice: BoardSlice, window: WindowName): BoardColumns {
    const rows: { position: number; numbers: Float64Array; at: number }[] = [];
    this.#members.forEach(({ operator }, position) => {
      const at = rowAt(operator, slice, window);
      if (at !== null) rows.push({ position, numbers: operator.rows, at });
    });
    const standings = new Float64Array(rows.length * STANDING_NUMBERS);
    const totals = new Float64Array(rows.length);
    const lows = METRIC_NAMES.map(() => new Float64Array(rows.length));
    const highs = METRIC_NAMES.map(() => new Float64Array(rows.length));
    rows.forEach(({ numbers, at }, row) => {
      standings.set(numbers.subarray(at, at + STANDING_NUMBERS), row * STANDING_NUMBERS);
      totals[row] = numbers[at + TOTAL_AT] as number;
      for (let index = 0; index < METRIC_NAMES.length; index += 1) {
        (lows[index] as Float64Array)[row] = numbers[at + VALUES_AT + index] as number;
        (highs[index] as Float64Array)[row] = highAt(numbers, at, index);
      }
    });
    const idOf = (row: number) => this.#members[rows[row]?.position ?? 0]?.id ?? 0;
    const rankings = METRIC_NAMES.map((metric, index) => {
      const earlier = SPANS.map((span) => {
        return [span, this.#earlier?.ranksOf(span, slice, window, metric) ?? null] as const;
      });
      const ends = { lows: lows[index] as Float64Array, highs: highs[index] as Float64Array };
      return [metric, rankingColumns({ ...ends, totals }, earlier, idOf)];
    });
    return {
      window,
      slice,
      operators: Uint32Array.from(rows, ({ position }) => position),
      standings,
      rankings: Object.fromEntries(rankings) as Record<MetricName, RankingColumns>,
    };
  }
}

function operatorColumns(members: readonly Member[]): OperatorColumns {
  return {
    ids: Uint32Array.from(members, ({ id }) => id),
    devices: Uint32Array.from(members, ({ devices }) => devices),
    codenames: members.map(({ codename }) => codename).join('\n'),
    display_names: members.map(({ display_name }) => oneLine(display_name ?? '')).join('\n'),
    cohorts: members.map(({ cohort }) => cohort ?? '').join('\n'),
    classes: Uint8Array.from(members, ({ operator }) => {
      return ClassTier.options.indexOf(classTierOf(conservativeYield(operator)));
    }),
    in_figures: Uint8Array.from(members, ({ in_figures }) => (in_figures ? 1 : 0)),
  };
}

/** The value that ranks where classes are assigned; null for an operator who is not ranked there. */
function conservativeYield(operator: ProjectedOperator): number | null {
  const at = rowAt(operator, DEFAULT_SLICE, CLASS_WINDOW);
  const value =
    at === null ? Number.NaN : operator.rows[at + VALUES_AT + METRIC_NAMES.indexOf('yield')];
  return orNull(value ?? Number.NaN);
}

/** A line feed would shift all names after it. */
function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

function partsOfAll(members: readonly Member[]): Pick<SharedColumns, 'parts' | 'sources'> {
  const places = new Map<string, number>();
  const sources: BucketSource[] = [];
  const indexOf = (source: BucketSource) => {
    const { tool, provider, model, trust } = source;
    const key = `${tool}\n${provider}\n${model}\n${trust}`;
    let index = places.get(key);
    if (index === undefined) {
      index = sources.push(source) - 1;
      places.set(key, index);
    }
    return index;
  };
  const parts = WINDOWS.map((window) => {
    return partColumns(
      window,
      members.map(({ operator }) => operator.parts[window]),
      indexOf,
    );
  });
  return { sources, parts };
}

/** @param idOf The operator of a row. */
function rankingColumns(
  contenders: Contenders,
  earlier: readonly (readonly [keyof RankingColumns['earlier'], RankOf | null])[],
  idOf: (row: number) => number,
): RankingColumns {
  const ranking = rankContenders(contenders);
  const kept = earlier.map(([span, rankOf]) => {
    return [span, rankOf && Uint32Array.from(ranking.ranked, (row) => rankOf(idOf(row)))];
  });
  return { ...ranking, earlier: Object.fromEntries(kept) as RankingColumns['earlier'] };
}

type MovementSpan = keyof Movement;

/** How many days before the current board each earlier one lies. */
const DAYS_BEFORE: Readonly<Record<MovementSpan, number>> = { day: 1, week: 7 };

const SPANS = Object.keys(DAYS_BEFORE) as MovementSpan[];

/** Ranks on an earlier board, by operator; 0 if unranked. */
type RankOf = (operator_id: number) => number;

export class EarlierRanks {
  readonly #store: Store;
  readonly #as_of: number;
  readonly #slices = new Map<string, SlicePlaces | null>();

  /** @param as_of The day of the current board. Stored earlier boards do not change during its computation. */
  constructor(store: Store, as_of: string) {
    this.#store = store;
    this.#as_of = dayNumber(as_of);
  }

  /** The ranks of a board; null if no such board is stored. */
  ranksOf(
    span: MovementSpan,
    slice: BoardSlice,
    window: WindowName,
    metric: MetricName,
  ): RankOf | null {
    const known = this.#sliceOf(span, slice);
    if (!known) return null;
    const ranks = known.ranks(window, metric);
    return (operator_id) => {
      const row = known.rowOf(operator_id);
      return row === null ? 0 : (ranks[row] as number);
    };
  }

  #sliceOf(span: MovementSpan, slice: BoardSlice): SlicePlaces | null {
    const key = JSON.stringify([span, slice.tool, slice.trust]);
    let known = this.#slices.get(key);
    if (known === undefined) {
      const day = dayName(this.#as_of - DAYS_BEFORE[span]);
      const publication = this.#store.keptDays.publication(day);
      known = publication ? readSlice(this.#store, publication, slice) : null;
      this.#slices.set(key, known);
    }
    return known;
  }
}

function readSlice(store: Store, publication: DailyPublication, slice: BoardSlice) {
  const { tool } = slice;
  if (tool !== null && !publication.tools.includes(tool)) return null;
  return store.keptDays.places(publication.day, storedSlice(slice, publication));
}
