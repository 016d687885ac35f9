import { ChallengeQuery } from '#core/contract/challenges.ts';
import { closesAtMs } from '#core/domain/board/challenge.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { ChallengeItem, Feed, FeedItem } from '#core/domain/board/feed-item.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { ChallengeEntry } from '#core/schema/challenge.ts';
import type { AppContext } from '../context.ts';
import { readDailyFront } from '../publication/read/front-board.ts';
import type { Publication } from '../publication/read/publication.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { type ChallengeRow, frozenStandings, readChallenge } from '../challenge/challenges.ts';

/** The number of past days in the feed. */
const DAYS = 14;
/** The maximum number of items. */
const MAX_ITEMS = 40;
/** The number of ranks from final standings in an item. */
const PLACES = 10;

/** Recent events of the board, limited to what is public now. */
export async function readFeed(ctx: AppContext): Promise<Feed> {
  const publication = currentPublication(ctx);
  const items = [
    ...(await dayItems(ctx, publication)),
    ...recordItems(publication),
    ...ctx.store.challenges.all().flatMap((row) => challengeItems(ctx, row)),
  ];
  items.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return {
    updated: items[0]?.at ?? publication.generated_at,
    items: items.slice(0, MAX_ITEMS),
    tools: publication.tools,
  };
}

async function dayItems({ store }: AppContext, { as_of }: Publication): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  for (let ago = 1; ago <= DAYS; ago += 1) {
    const day = dayName(dayNumber(as_of) - ago);
    const publication = store.keptDays.publication(day);
    if (!publication) continue;
    const { tool, entries } = await readDailyFront(store, publication);
    const { window, metric } = DEFAULT_VIEW;
    const item = { kind: 'day', day, window, metric, tool, entries } as const;
    if (entries.length > 0) items.push({ ...item, at: publication.generated_at });
  }
  return items;
}

/** The new records of an update, without those that were beaten in the same update. */
function recordItems({ records }: Publication): FeedItem[] {
  const best = METRIC_NAMES.flatMap((metric) => {
    const newest = new Set<string>();
    return records.of(metric).flatMap(({ submission: _, ...record }) => {
      if (newest.has(record.achieved_at)) return [];
      newest.add(record.achieved_at);
      return [{ metric, ...record }];
    });
  });
  return [...Map.groupBy(best, ({ achieved_at }) => achieved_at)].map(([at, together]) => {
    return { kind: 'records', at, records: together };
  });
}

function challengeItems(ctx: AppContext, row: ChallengeRow): FeedItem[] {
  const final = row.frozen_at === null ? [] : frozenStandings(ctx, row, 0, PLACES).entries;
  return [
    itemOf(row, 'announced', row.created_at),
    ...(row.cancelled_at === null ? [] : [itemOf(row, 'cancelled', row.cancelled_at)]),
    ...(row.frozen_at === null ? [] : [itemOf(row, 'over', row.frozen_at, final)]),
  ];
}

function itemOf(
  row: ChallengeRow,
  kind: ChallengeItem['kind'],
  at: string,
  entries: readonly ChallengeEntry[] = [],
): FeedItem {
  const { id, title, description, metric, tool, first_day, last_day, cancelled_reason } = row;
  return {
    ...{ id, title, description, metric, tool, first_day, last_day, cancelled_reason, kind, at },
    closes_at: new Date(closesAtMs(row)).toISOString(),
    day: kind === 'standings' ? at.slice(0, 10) : null,
    entries: entries.filter(({ codename }) => codename !== null),
  };
}

/**
 * The events of one challenge, and while it runs the standings of the current day. Readers keep those of earlier days.
 *
 * @throws {DomainError} `not_found` for an unknown ID.
 */
export function readChallengeFeed(
  ctx: AppContext,
  id: string,
): Feed & { title: string; description: string } {
  const publication = currentPublication(ctx);
  const query = ChallengeQuery.parse({ limit: String(PLACES) });
  const { status, entries, frozen_at, title, description } = readChallenge(ctx, id, query);
  const row = ctx.store.challenges.byId(id) as ChallengeRow;
  const items = challengeItems(ctx, row);
  if (status !== 'upcoming' && status !== 'cancelled') {
    const begin = startOf(row.first_day);
    // A challenge that was announced on its first day has begun by then.
    if (row.created_at < begin) items.push(itemOf(row, 'began', begin));
    if (status !== 'active') items.push(itemOf(row, 'ended', startOf(row.last_day, 1)));
    if (frozen_at === null && entries.length > 0) {
      items.push(itemOf(row, 'standings', startOf(publication.as_of), entries));
    }
  }
  items.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const updated = items[0]?.at ?? row.created_at;
  return { title, description, updated, items, tools: publication.tools };
}

/** The start of a UTC day, or of a later one. */
function startOf(day: string, later = 0): string {
  return `${dayName(dayNumber(day) + later)}T00:00:00.000Z`;
}
