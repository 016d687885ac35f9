/**
 * Recomputes one published board from the log and compares it with the board in the public log, bit for bit. Rows of
 * operators whose entries are not public cannot be recomputed and are accepted as stated.
 *
 * @module
 */
import type { KeptValues, WindowName } from '#core/schema/board.ts';
import type { BoardLine, StandingLine, StatedPlace } from '#core/schema/public-log.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type BoardSlice, rankingValue } from '../board/board.ts';
import { conservativeBy } from '../metrics/conservative.ts';
import type { DaySeries } from '../metrics/day-series.ts';
import { dayNumber } from '../counting/day.ts';
import { BoardReport, type CheckedRow, inSlice } from './board-report.ts';
import { slicesFault } from './board-slices-check.ts';
import type { LogAccounts } from './log-replay.ts';
import type { LoggedAccount } from './logged-account.ts';
import type { LogFinding } from './log-finding.ts';
import { type Interval, methodNamed } from '../metrics/interval.ts';
import { METRIC_NAMES } from '../metrics/metrics.ts';
import { isRankedAnywhere, isWithoutIntervals, isWithoutValues, type RowForm } from './row-form.ts';
import { type RankedPlace, SliceRanks } from './slice-ranks.ts';
import { type Ruleset, eligibilityIn } from '../board/ruleset.ts';
import { sliceKey, slicesOf } from '../board/slices.ts';
import { shareFor } from '../board/stated-share.ts';
import { type Standing, type StandingRules, standingOf } from '../metrics/standing.ts';
import { WINDOWS, firstDayOf } from '../metrics/window.ts';

/** The result of checking a board. */
export interface CheckedBoard {
  as_of: string;
  kept: BoardLine['kept'];
  log_index: number;
  /** `fully`; `partly`: some rows or places were accepted as stated; `not`: only values were compared. */
  extent: 'fully' | 'not' | 'partly';
  rows: { recomputed: number; stated: number };
  /** The largest number of ranks by which a row is lower than the remaining rows explain. */
  gaps: number;
  /** `thinned`: the board no longer has values, and ranks were compared with recomputed ones. */
  values: KeptValues;
  is_sound: boolean;
}

/** The context of a board. */
interface BoardSetting {
  line: number;
  accounts: LogAccounts;
  /** The current codename of each visible operator. */
  codenames: ReadonlyMap<string, string>;
  /** Whether operators may have left since. Their rows are gone and their places empty. */
  mayHaveGaps: boolean;
  report: (finding: LogFinding) => void;
}

/** Boards with unknown rules have values, which do not depend on them. */
const ANY_RULES: StandingRules = { active_day_tokens: 0 };

type Standings = Map<WindowName, Standing | null>;

export class BoardCheck {
  readonly #stated: BoardLine;
  readonly #report: BoardReport;
  readonly #setting: BoardSetting;
  /** Null if the board does not name the rules that were current. */
  readonly #rules: Ruleset | null;
  readonly #last: number;
  readonly #slices: ReadonlyMap<string, BoardSlice>;
  readonly #closed = new Set<string>();
  #open: string | null = null;
  #seen = new Set<string>();
  /** The ranks of the current slice. */
  #ranks = new SliceRanks();
  #recomputed = 0;
  #taken = 0;
  /** Whether the log proves that the board was stored before boards had intervals. */
  readonly #isEarly: boolean;
  /** Whether the board has any intervals, and whether any are missing that follow from the log. */
  #hasIntervals = false;
  #lacksIntervals = false;
  /** The same for values, which a board deletes from older days. */
  #hasValues = false;
  #lacksValues = false;
  #isBroken = false;
  #gaps = 0;

  constructor(stated: BoardLine, setting: BoardSetting) {
    this.#stated = stated;
    this.#setting = setting;
    this.#report = new BoardReport(stated, setting.report);
    this.#last = dayNumber(stated.as_of);
    this.#slices = new Map(slicesOf(stated).map((slice) => [sliceKey(slice), slice]));
    const { ruleset, hasIntervals } = setting.accounts;
    this.#isEarly = stated.kept === 'daily' && !hasIntervals;
    this.#rules = ruleset?.id === stated.ruleset ? ruleset : null;
    if (this.#rules) return;
    const current = ruleset === null ? 'none' : ruleset.id;
    const message = `was ranked by ranking rules, version ${stated.ruleset}, but the current version was ${current}`;
    this.#reportBoard(message);
  }

  /** Compares the next row. */
  add(line: number, stated: StandingLine): void {
    const key = sliceKey(stated);
    if (key !== this.#open) {
      this.#close();
      this.#open = key;
    }
    const slice = this.#slices.get(key);
    const row = { line, stated, slice: slice ?? stated };
    if (!slice)
      this.#report.addRow(row, 'row_stated', 'is in a slice that the board does not have');
    const form = this.#formOf(stated);
    if (stated.operator === null) this.#taken += 1;
    const standings = stated.operator === null ? null : this.#compare(row, stated.operator, form);
    this.#collectRanks(row, form, standings);
  }

  #formOf(stated: StandingLine): RowForm {
    const isBare = isWithoutIntervals(stated);
    this.#hasIntervals ||= !isBare;
    const isThinned = this.#stated.kept === 'daily' && isWithoutValues(stated);
    this.#hasValues ||= !isThinned;
    this.#lacksValues ||= isThinned && isRankedAnywhere(stated);
    return { isOld: this.#isEarly && isBare, isThinned };
  }

  /** Some rows may be unreadable. Skips the checks that need all rows. */
  lose(): void {
    this.#isBroken = true;
  }

  /** Runs the checks that need all rows. */
  finish(): CheckedBoard {
    this.#close();
    for (const key of this.#slices.keys()) {
      if (this.#closed.has(key)) continue;
      this.#open = key;
      this.#close();
    }
    if (!this.#isBroken) this.#checkSlices();
    if (this.#lacksIntervals && this.#hasIntervals)
      this.#reportBoard('has intervals for only some of its rows');
    if (this.#lacksValues && this.#hasValues)
      this.#reportBoard('has values for only some of its rows');
    const { as_of, kept, log_index } = this.#stated;
    return {
      as_of,
      kept,
      log_index,
      extent: this.#extent,
      rows: { recomputed: this.#recomputed, stated: this.#taken },
      gaps: this.#gaps,
      values: this.#lacksValues && !this.#hasValues ? 'thinned' : 'kept',
      is_sound: this.#report.isSound,
    };
  }

  #reportBoard(message: string): void {
    this.#report.add({ code: 'board_stated', line: this.#setting.line, message });
  }

  get #extent(): CheckedBoard['extent'] {
    if (this.#lacksIntervals || this.#isBroken || !this.#rules) return 'not';
    return this.#taken === 0 && this.#gaps === 0 ? 'fully' : 'partly';
  }

  /** Compares a row. Returns its recomputed standings; null if the operator should not be on the board. */
  #compare(row: CheckedRow, operator: string, form: RowForm): Standings | null {
    const { stated } = row;
    this.#recomputed += 1;
    this.#seen.add(operator);
    const account = this.#setting.accounts.all.get(operator);
    if (!account?.isSeen) {
      const message = 'should not be on the board, according to the log';
      this.#report.addRow(row, 'row_stated', message);
      return null;
    }
    const name = this.#setting.codenames.get(operator) ?? '';
    if (name !== stated.name) this.#report.addRow(row, 'row_stated', `is named ${name} in the log`);
    const series = account.usage.series.get(sliceKey(stated)) ?? null;
    const standings: Standings = new Map();
    for (const window of WINDOWS) {
      const standing = series && this.#standing(account, series, window);
      standings.set(window, standing);
      this.#compareWindow(row, { window, form, standing });
    }
    return standings;
  }

  #compareWindow(
    row: CheckedRow,
    { standing, window, form }: { standing: Standing | null; window: WindowName; form: RowForm },
  ): void {
    const places = row.stated.windows[window];
    if (!standing && !places) return;
    if (!standing || !places) {
      const message = `should have ${standing ? '' : 'no '}tokens there, according to the log`;
      return this.#report.addRow(row, 'standing', message, { window });
    }
    for (const metric of METRIC_NAMES) {
      this.#comparePlace(row, places[metric], { standing, window, metric, form });
    }
  }

  #standing(account: LoggedAccount, series: DaySeries, window: WindowName): Standing | null {
    const span = { first: firstDayOf(window, this.#last), last: this.#last };
    const standing = standingOf(series, span.first, span.last, this.#rules ?? ANY_RULES);
    if (!standing || !this.#rules?.stated_days) return standing;
    return { ...standing, stated_days: shareFor(this.#rules, account.stated, span) };
  }

  #comparePlace(
    row: CheckedRow,
    [rank, value, low, high]: StatedPlace,
    of: { standing: Standing; window: WindowName; metric: MetricName; form: RowForm },
  ): void {
    const { standing, window, metric, form } = of;
    const at = { window, metric };
    const differs = (what: string, stated: number | null, recomputed: number | null) => {
      if (stated === recomputed) return;
      this.#report.addRow(row, 'standing', what, { ...at, stated, recomputed });
    };
    const [ownLow, ownHigh] = standing.intervals[metric] ?? [null, null];
    if (form.isThinned) this.#lacksValues ||= standing.metrics[metric] !== null;
    else differs('value', value, standing.metrics[metric]);
    if (form.isOld) {
      this.#lacksIntervals ||= ownLow !== null;
      return;
    }
    if (!form.isThinned) {
      differs('lower bound', low, ownLow);
      differs('upper bound', high, ownHigh);
    }
    if (!this.#rules) return;
    const isRanked = rankingValue(standing, metric, eligibilityIn(this.#rules, window)) !== null;
    if (isRanked === (rank !== null)) return;
    const what = `should ${isRanked ? '' : 'not '}be ranked, according to the log: the rank`;
    this.#report.addRow(row, 'rank', what, { ...at, stated: rank });
  }

  #collectRanks(row: CheckedRow, form: RowForm, standings: Standings | null): void {
    this.#ranks.addRow(row);
    for (const window of WINDOWS) {
      const places = row.stated.windows[window];
      if (!places) continue;
      for (const metric of METRIC_NAMES) {
        const [rank] = places[metric];
        if (rank === null) continue;
        // Without values, ranks follow from the recomputed ones.
        const conservative = form.isThinned
          ? (standings?.get(window)?.conservative[metric] ?? null)
          : this.#conservative(metric, places[metric]);
        this.#collectRank(row, form, { window, metric, conservative, rank });
      }
    }
  }

  #conservative(metric: MetricName, [, value, low, high]: StatedPlace): number | null {
    const interval: Interval | null = low === null ? null : [low, high];
    return conservativeBy(metric, { value, interval }, methodNamed(this.#rules?.interval));
  }

  #collectRank(row: CheckedRow, form: RowForm, place: RankedPlace): void {
    if (form.isOld) {
      this.#lacksIntervals = true;
    } else if (place.conservative === null && !form.isThinned) {
      const { window, metric, rank: stated } = place;
      const at = { window, metric, stated };
      this.#report.addRow(row, 'rank', 'is ranked without an interval: the rank', at);
    } else {
      this.#ranks.add(place);
    }
  }

  /** Finishes the current slice: checks for missing rows and recomputes the ranks. */
  #close(): void {
    const slice = this.#open === null ? undefined : this.#slices.get(this.#open);
    if (this.#open !== null) this.#closed.add(this.#open);
    if (slice && !this.#isBroken) {
      this.#reportMissing(slice);
      const gaps = this.#ranks.check(slice, this.#setting.mayHaveGaps, this.#report);
      this.#gaps = Math.max(this.#gaps, gaps);
    }
    this.#open = null;
    this.#seen = new Set();
    this.#ranks = new SliceRanks();
  }

  #reportMissing(slice: BoardSlice): void {
    const key = sliceKey(slice);
    for (const [operator, account] of this.#seenAccounts()) {
      const first = account.extent.firstDays.get(key) ?? Number.POSITIVE_INFINITY;
      if (first > this.#last || this.#seen.has(operator)) continue;
      const name = this.#setting.codenames.get(operator) ?? '';
      const message = `lacks the row of ${name}${inSlice(slice)}`;
      this.#report.add({ code: 'row_missing', line: this.#setting.line, message, name, operator });
    }
  }

  /** Checks that the board has the slices that follow from its visible operators. */
  #checkSlices(): void {
    const accounts = [...this.#seenAccounts()].map(([, { extent }]) => extent);
    const isWhole = this.#taken === 0 && !this.#setting.mayHaveGaps;
    const message = slicesFault(this.#stated, accounts, { last: this.#last, isWhole });
    if (message !== null) this.#reportBoard(message);
  }

  *#seenAccounts(): Generator<[string, LoggedAccount]> {
    for (const [operator, account] of this.#setting.accounts.all) {
      if (account.isSeen) yield [operator, account];
    }
  }
}
