import type { ChallengeDetail } from '#core/contract/challenges.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import type { Challenge, ChallengeEntry } from '#core/schema/challenge.ts';
import type { AppContext } from '../context.ts';
import { invalidCursor } from '../publication/read/index-cursor.ts';

export type ChallengeRow = NonNullable<ReturnType<AppContext['store']['challenges']['byId']>>;
type NamedPlace = ReturnType<AppContext['store']['challenges']['places']>[number];
/** A page of a challenge's standings. */
export type Standings = Omit<ChallengeDetail, keyof Challenge>;

/**
 * A page of final standings, of whom the public sees now.
 *
 * @throws {DomainError} `query_invalid` if they are not final yet: the cursor is from elsewhere.
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
    entries: places.map((place) => entryOf(place, blank)),
    next_cursor: after + limit < total ? `0.${after + limit}` : null,
  };
}

/** Operators of whom a submission that counted in final standings does not count any more. */
function lostSince(store: AppContext['store'], row: ChallengeRow): Set<number> {
  const leftOut = new Set(JSON.parse(row.left_out ?? '[]') as number[]);
  const lost = store.challenges.leftOut(row, row.frozen_log_index ?? 0).filter((submission) => {
    if (leftOut.has(submission.log_index)) return false;
    return row.tool === null || (JSON.parse(submission.tools) as string[]).includes(row.tool);
  });
  return new Set(lost.map(({ operator_id }) => operator_id));
}

function entryOf(row: NamedPlace, blank: ReadonlySet<number>): ChallengeEntry {
  const { place, rank, best, worst, operator_id, codename } = row;
  const places = { place, rank, rank_range: [best, worst] as [number, number] };
  const { display_name, privacy_mode, value, low, high, total, active_days } = row;
  const isBlank = operator_id === null || codename === null || blank.has(operator_id);
  if (isBlank || privacy_mode === null || low === null) return { ...places, ...NOBODY };
  return {
    ...places,
    codename,
    display_name: shownDisplayName({ privacy_mode, display_name }),
    value,
    interval: [low, high],
    total,
    active_days,
  };
}

const NOBODY = {
  codename: null,
  display_name: null,
  value: null,
  interval: null,
  total: null,
  active_days: null,
};
