import type { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { sha256Hex } from '../process/crypto.ts';
import { invalidCursor } from '../publication/read/index-cursor.ts';

/** Where a page of a board begins. */
export interface BoardCursor {
  /** The version of the board that it belongs to; 0 for an earlier board, which its day names. */
  version: number;
  /** Places on the list of the ranked and on that of the others. */
  ranked: number;
  unranked: number;
}

/** Behind every list. */
export const END = 999_999_999;

/** The digits of the hash by which a cursor knows the query that made it. */
const HASH_LENGTH = 16;
const FORM = new RegExp(`^(\\d{1,15})\\.(\\d{1,9})\\.(\\d{1,9})\\.([0-9a-f]{${HASH_LENGTH}})$`);

export function cursorText(query: LeaderboardQuery, cursor: BoardCursor): string {
  const { version, ranked, unranked } = cursor;
  return `${version}.${ranked}.${unranked}.${hashOf(query)}`;
}

/**
 * The cursor of a query; null if it has none.
 *
 * @throws {DomainError} `query_invalid` if it is not one that this query was given.
 */
export function openCursor(query: LeaderboardQuery): BoardCursor | null {
  if (query.cursor === undefined) return null;
  const [, version, ranked, unranked, hash] = FORM.exec(query.cursor) ?? [];
  if (version === undefined) throw invalidCursor('The cursor is not one that this board gave');
  if (hash !== hashOf(query)) {
    throw invalidCursor('The cursor belongs to another query: repeat the one that gave it');
  }
  return {
    version: Number(version),
    ranked: Number(ranked),
    unranked: Number(unranked),
  };
}

function hashOf({ window, metric, tool, trust, q, as_of, include, ...query }: LeaderboardQuery) {
  const choice = [query.class, query.cohort];
  const text = JSON.stringify([window, metric, tool, trust, q, as_of, include, ...choice]);
  return sha256Hex(text).slice(0, HASH_LENGTH);
}
