import type {
  ChallengeDetail,
  ChallengeQuery,
  Challenges,
  ChallengesQuery,
} from '#core/contract/challenges.ts';
import { challengeStatus, closesAtMs } from '#core/domain/board/challenge.ts';
import { intervalOfRuleset } from '#core/domain/board/ruleset.ts';
import { conservativeBy } from '#core/domain/metrics/conservative.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Challenge, ChallengeEntry } from '#core/schema/challenge.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { invalidCursor, readIndexCursor } from '../publication/read/bounded-page.ts';
import type { Publication } from '../publication/read/publication.ts';

/** A page of challenges with their current status, the newest first. */
export function readChallenges(ctx: AppContext, query: ChallengesQuery): Challenges {
  const { status, limit, cursor } = query;
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : readIndexCursor(cursor);
  const all = ctx.store.challenges
    .all()
    .map((row) => ({ seq: row.seq, challenge: challengeOf(row, ctx.now()) }))
    .filter(({ challenge }) => status === undefined || challenge.status === status);
  const rest = all.filter(({ seq }) => seq < before);
  const shown = rest.slice(0, limit);
  return {
    total: all.length,
    entries: shown.map(({ challenge }) => challenge),
    next_cursor: rest.length > limit ? String(shown.at(-1)?.seq) : null,
  };
}

/**
 * A challenge with a page of its standings.
 *
 * @throws {DomainError} `not_found` for an unknown ID, `query_invalid` for a foreign cursor, `cursor_expired` if the
 * standings of the cursor are no longer available.
 */
export function readChallenge(
  ctx: AppContext,
  id: string,
  { limit, cursor }: ChallengeQuery,
): ChallengeDetail {
  return ctx.store.snapshot(() => {
    const row = ctx.store.challenges.byId(id);
    if (!row) throw new DomainError('not_found', `There is no challenge ${id}`);
    const start = cursor === undefined ? firstPage(ctx, row) : openCursor(cursor);
    const standings =
      start.version === 0
        ? frozenStandings(ctx, row, start.after, limit)
        : standingsIn(publicationOf(ctx, start.version), row, start.after, limit);
    return { ...challengeOf(row, ctx.now()), ...standings };
  });
}

/** The version of the standings, 0 for the final ones, and the place before the page. */
interface PlaceCursor {
  version: number;
  after: number;
}

function firstPage(ctx: AppContext, { frozen_at }: ChallengeRow): PlaceCursor {
  return { version: frozen_at === null ? currentPublication(ctx).challengeVersion : 0, after: 0 };
}

function openCursor(cursor: string): PlaceCursor {
  const [, version, after] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (version === undefined) throw invalidCursor();
  return { version: Number(version), after: Number(after) };
}

function publicationOf(ctx: AppContext, version: number): Publication {
  const publication = ctx.publications.byId(version);
  if (publication) return publication;
  throw new DomainError('cursor_expired', 'The standings of this cursor are no longer available');
}

function standingsIn(
  publication: Publication,
  { seq, cancelled_at }: ChallengeRow,
  after: number,
  limit: number,
): Standings {
  const { challengeVersion, log_index, generated_at } = publication;
  const challenge = publication.challenge(seq);
  if (cancelled_at !== null || !challenge) return NO_STANDINGS;
  const { total, places, unranked } = challenge;
  const end = after + limit;
  return {
    log_index,
    generated_at,
    frozen_at: null,
    provisional: true,
    unranked_total: unranked,
    unranked: challenge.unrankedEntries(Math.max(0, after - places), end - Math.max(after, places)),
    total,
    entries: challenge.entries(after, limit),
    next_cursor: end < challenge.length ? `${challengeVersion}.${end}` : null,
  };
}

const NO_STANDINGS: Standings = {
  log_index: null,
  generated_at: null,
  frozen_at: null,
  provisional: false,
  unranked_total: 0,
  unranked: [],
  total: 0,
  entries: [],
  next_cursor: null,
};

/** A challenge with its status at the given time. */
export function challengeOf(row: ChallengeRow, now: Date): Challenge {
  const { id, title, description, metric, tool, first_day, last_day, eligibility } = row;
  const { ruleset, created_at, cancelled_at, cancelled_reason } = row;
  return {
    id,
    title,
    description,
    metric,
    tool,
    first_day,
    last_day,
    eligibility,
    status: challengeStatus(row, now.getTime()),
    closes_at: new Date(closesAtMs(row)).toISOString(),
    ruleset,
    created_at,
    cancelled_at,
    cancelled_reason,
  };
}

export type ChallengeRow = NonNullable<ReturnType<AppContext['store']['challenges']['byId']>>;
type NamedPlace = ReturnType<AppContext['store']['challenges']['places']>[number];
type Standings = Omit<ChallengeDetail, keyof Challenge>;

/**
 * A page of final standings; operators who are no longer public are blank.
 *
 * @throws {DomainError} `query_invalid` if the standings are not final, so that the cursor is foreign.
 */
export function frozenStandings(
  { store }: AppContext,
  row: ChallengeRow,
  after: number,
  limit: number,
): Standings {
  if (row.frozen_at === null) throw invalidCursor();
  const blank = lostSince(store, row);
  const total = store.challenges.total(row.seq);
  const places = store.challenges.places(row.seq, after, limit);
  return {
    log_index: row.frozen_log_index,
    generated_at: row.frozen_at,
    frozen_at: row.frozen_at,
    provisional: false,
    unranked_total: row.unranked,
    unranked: [],
    total,
    entries: places.map((place) => entryOf(place, row, blank)),
    next_cursor: after + limit < total ? `0.${after + limit}` : null,
  };
}

/** Operators with a submission that counted in the final standings and no longer counts. */
function lostSince(store: AppContext['store'], row: ChallengeRow): Set<number> {
  const leftOut = new Set(JSON.parse(row.left_out ?? '[]') as number[]);
  const lost = store.challenges.leftOut(row, row.frozen_log_index ?? 0).filter((submission) => {
    if (leftOut.has(submission.log_index)) return false;
    return row.tool === null || (JSON.parse(submission.tools) as string[]).includes(row.tool);
  });
  return new Set(lost.map(({ operator_id }) => operator_id));
}

function entryOf(
  row: NamedPlace,
  { metric, ruleset }: ChallengeRow,
  blank: ReadonlySet<number>,
): ChallengeEntry {
  const { place, rank, best, worst, operator_id, codename } = row;
  const places = { place, rank, rank_range: [best, worst] as [number, number] };
  const { display_name, privacy_mode, value, low, high, total, active_days } = row;
  const isBlank = operator_id === null || codename === null || blank.has(operator_id);
  if (isBlank || privacy_mode === null || low === null) return { ...places, ...NOBODY };
  const interval: [number, number | null] = [low, high];
  return {
    ...places,
    codename,
    display_name: shownDisplayName({ privacy_mode, display_name }),
    value,
    conservative: conservativeBy(metric, { value, interval }, intervalOfRuleset(ruleset)),
    interval,
    total,
    active_days,
  };
}

const NOBODY = {
  codename: null,
  display_name: null,
  value: null,
  conservative: null,
  interval: null,
  total: null,
  active_days: null,
};
