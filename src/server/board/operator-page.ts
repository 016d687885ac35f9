import { HistoryQuery } from '#core/contract/operators.ts';
import { PeersQuery } from '#core/contract/peers.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import type { Milestone } from '#core/domain/board/milestone.ts';
import type { DayCalendar, DrawnHistory, OperatorView } from '#core/domain/board/operator-view.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { addPillars } from '#core/domain/counting/bucket.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { type DayUsage, reportsRead } from '#core/domain/metrics/day-series.ts';
import { periodsBetween } from '#core/domain/metrics/history.ts';
import { firstDayOf, WINDOWS } from '#core/domain/metrics/window.ts';
import { type DomainError, refusalAmong } from '#core/domain/text/errors.ts';
import type { WindowName } from '#core/schema/board.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { shownProfile } from '../operator/profile.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import {
  currentPublication,
  noOperator,
  publicOperator,
} from '../publication/read/current-publication.ts';
import type { Publication } from '../publication/read/publication.ts';
import { readSubmissions, readySubmissions } from '../submission/submissions.ts';
import { sliceOf } from './board-head.ts';
import { readRecordsNow } from './metric-page.ts';
import { readMilestones, readyMilestones } from './operator-milestones.ts';
import { readOperatorCalendar, readySignedDays } from './operator-calendar.ts';
import { readOperatorHistory, readyOperatorHistory } from './operator-history.ts';
import { readOperatorIn } from './operator.ts';
import { readStatedDays } from './operator-stated-days.ts';
import { readOperatorPeers, readyOperatorPeers } from './peers.ts';
import { readRulesets } from './rulesets.ts';

type OperatorPage = ReturnType<typeof readOperatorPage>;

/** The page of an operator, or the reason why there is none. Yields to the event loop. */
export async function findOperatorPage(
  ctx: AppContext,
  codename: string,
  view: OperatorView,
): Promise<{ sheet: OperatorPage; refusal: null } | { sheet: null; refusal: DomainError }> {
  try {
    if (!Codename.safeParse(codename).success) throw noOperator(codename);
    await readyOperatorHistory(ctx, codename, view);
    const history = readDrawnHistory(ctx, codename, view);
    await yieldToEventLoop();
    await readySignedDays(ctx, codename);
    const calendar = readOperatorCalendar(ctx, codename);
    await readyMilestones(ctx, codename);
    const long = { history, calendar, milestones: readMilestones(ctx, codename) };
    await yieldToEventLoop();
    await readySubmissions(ctx, newestOf(codename));
    const submissions = readSubmissions(ctx, newestOf(codename));
    await readyOperatorPeers(ctx);
    await yieldToEventLoop();
    const sheet = readOperatorPage(ctx, codename, view, { ...long, submissions });
    return { sheet, refusal: null };
  } catch (error) {
    // An operator without a page, or a tool without boards.
    return { sheet: null, refusal: refusalAmong(error, 'not_found', 'query_invalid') };
  }
}

/** The numbers of submissions, and of peers in each group, on an operator's page. */
const SUBMISSIONS = '5';
const PEERS = '3';

interface LongParts {
  calendar: DayCalendar;
  milestones: Milestone[];
  history: ReturnType<typeof readDrawnHistory>;
  submissions: ReturnType<typeof readSubmissions>;
}

function newestOf(codename: string): SubmissionsQuery {
  return SubmissionsQuery.parse({ codename, limit: SUBMISSIONS });
}

/**
 * The data of an operator's page from the current publication. An operator with a page may be missing there: before
 * the first update after a submission, and while all submissions are on hold.
 *
 * @throws {DomainError} `not_found` for an operator without a page, `query_invalid` for a tool without boards.
 */
export function readOperatorPage(
  ctx: AppContext,
  codename: string,
  view: OperatorView,
  { calendar, history, milestones, submissions }: LongParts = {
    calendar: readOperatorCalendar(ctx, codename),
    milestones: readMilestones(ctx, codename),
    history: readDrawnHistory(ctx, codename, view),
    submissions: readSubmissions(ctx, newestOf(codename)),
  },
) {
  const publication = currentPublication(ctx);
  const operator = publicOperator(ctx, codename);
  const slice = sliceOf(view, publication.tools);
  const stands = publication.operators.positionOf(codename) !== null;
  const board = publication.window(view.window, slice);
  const { as_of, ruleset, generated_at, next_refresh_at } = publication;
  return {
    codename,
    view,
    as_of,
    ruleset,
    generated_at,
    next_refresh_at,
    profile: shownProfile(ctx, operator),
    ...(stands ? standingOf(ctx, codename, view) : NOTHING_YET),
    ...usedBy(publication, codename),
    elsewhere: windowWithTokens(publication, codename, view),
    distribution: board.distribution('yield'),
    stated_days: readStatedDays(ctx, codename, view.window),
    history,
    calendar,
    milestones,
    records: readRecordsNow(ctx, codename).map(({ metric, record }) => ({ metric, ...record })),
    submissions,
  };
}

const NOTHING_YET = {
  class_tier: 'unclassed',
  class_by_tool: [],
  devices: 0,
  standing: null,
  peers: null,
} as const;

function standingOf(ctx: AppContext, codename: string, view: OperatorView) {
  const { class_tier, class_by_tool, devices, standing } = readOperatorIn(ctx, codename, view);
  const peers = readOperatorPeers(ctx, codename, PeersQuery.parse({ limit: PEERS }));
  return {
    class_tier: class_tier ?? ('unclassed' as const),
    class_by_tool: class_by_tool ?? [],
    devices: devices ?? 0,
    standing,
    peers,
  };
}

/** The operator's tools with boards, and whether unsigned counts exist. */
export function usedBy({ tools, window }: Publication, codename: string) {
  const board = window('all_time', { ...DEFAULT_SLICE, trust: 'all' });
  const found = board.find('yield', codename);
  const used = board.toolsOf(codename);
  return {
    tools: tools.filter((tool) => used.includes(tool)),
    has_unsigned: found !== null && found.trust !== 'signed',
  };
}

/** If the requested window is empty: the shortest one with tokens. */
function windowWithTokens(
  { window }: Publication,
  codename: string,
  { window: asked, trust, tool }: OperatorView,
): WindowName | null {
  const holds = (name: WindowName) =>
    window(name, { trust, tool }).find('yield', codename) !== null;
  return holds(asked) ? null : (WINDOWS.find(holds) ?? null);
}

type HistoryView = Pick<DrawnHistory, 'interval' | 'metric' | 'window'>;

/**
 * An operator's history with its gaps, and changes of the ranking rules in that time.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readDrawnHistory(
  ctx: AppContext,
  codename: string,
  asked: HistoryView,
): DrawnHistory {
  const { window, metric, interval } = asked;
  const query = HistoryQuery.parse({ window, metric, interval });
  const { points, as_of } = readOperatorHistory(ctx, codename, query);
  const [oldest] = points;
  if (!oldest) return { ...asked, points: [], changes: [] };
  const last = dayNumber(as_of);
  const begin = firstDayOf(window, last);
  const first = Number.isFinite(begin) ? begin : dayNumber(oldest.date);
  const known = new Map(points.map((point) => [point.date, point]));
  const drawn = periodsBetween(first, last, interval).map((day) => {
    const date = dayName(day);
    const { metrics, total = 0, rank = null } = known.get(date) ?? {};
    return { date, value: metrics?.[metric] ?? null, total, rank };
  });
  return { ...asked, points: drawn, changes: changesFrom(ctx, drawn[0]?.date ?? as_of) };
}

function changesFrom(ctx: AppContext, first: string): DrawnHistory['changes'] {
  return readRulesets(ctx)
    .slice(1)
    .map(({ since, ruleset }) => ({ date: since.slice(0, 10), label: `ruleset ${ruleset.id}` }))
    .filter(({ date }) => date >= first);
}

/** Buckets summed by day, tool, model and reported cache counts. */
export class ModelDays {
  readonly #days = new Map<number, Map<DayUsage['source'], DayUsage[]>>();
  readonly #sources = new Map<string, DayUsage['source']>();

  /** @param usage Sorted by day, also across calls. */
  add(usage: readonly DayUsage[]): void {
    const shared = new Map<DayUsage['source'], DayUsage['source']>();
    for (const bucket of usage) {
      const source = shared.get(bucket.source) ?? this.#ofModel(bucket.source);
      shared.set(bucket.source, source);
      const ofDay = this.#days.get(bucket.day) ?? new Map<DayUsage['source'], DayUsage[]>();
      this.#days.set(bucket.day, ofDay);
      const kinds = ofDay.get(source) ?? [];
      ofDay.set(source, kinds);
      const same = kinds.find((kind) => reportsAlike(kind, bucket));
      if (same) addPillars(same, bucket);
      else kinds.push({ ...bucket, source });
    }
  }

  /** Sorted by day. */
  all(): DayUsage[] {
    return [...this.#days.values()].flatMap((ofDay) => [...ofDay.values()].flat());
  }

  #ofModel({ tool, model, trust }: DayUsage['source']): DayUsage['source'] {
    const key = `${tool}\n${model}\n${trust}`;
    const known = this.#sources.get(key) ?? { tool, provider: '', model, trust };
    this.#sources.set(key, known);
    return known;
  }
}

function reportsAlike(a: DayUsage, b: DayUsage): boolean {
  return reportsRead(a) === reportsRead(b) && (a.cache_write === null) === (b.cache_write === null);
}
