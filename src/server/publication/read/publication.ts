import type { WindowName } from '#core/schema/board.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import {
  type BoardColumns,
  type Moderation,
  type PublicationData,
  type PublicationHead,
  SHARED_SECTION,
  boardKey,
  buffersOf,
  storedSlice,
} from './columns.ts';
import { PublishedBoard } from './published-board.ts';
import { PublishedChallenge, PublishedRecords } from '../contests/published-contests.ts';
import { type Among, type Choice, PublishedOperators } from './published-operators.ts';
import { type PublishedPeers, publishedPeers } from './published-peers.ts';

/** All operators, whatever their class and cohort. */
const EVERYBODY: Choice = { class_tier: null, cohort: null };

/** Boards of chosen operators that are kept of each publication. */
const chosen = new RecentMemo<PublishedOperators, PublishedBoard>(16);

/** A published board of all windows, slices and metrics: immutable, and the same for page, API and agents. */
export interface Publication extends PublicationHead {
  /** The memory that it takes, without what was computed from it. */
  bytes: number;
  next_refresh_at: string;
  /** The tools that have boards of their own, most operators first. */
  tools: readonly string[];
  operators: PublishedOperators;
  moderation: Moderation;
  /** The boards of a window, of all or of chosen operators; the slice's tool must be one of `tools`. */
  window(name: WindowName, slice?: BoardSlice, choice?: Choice): PublishedBoard;
  /**
   * The number that cursors name a board by: while the board stays the same, it is the same in the next
   * publication.
   */
  boardVersion(window: WindowName, slice: BoardSlice): number;
  /** The number that cursors name the standings of challenges by. */
  challengeVersion: number;
  /** Whether one of its boards, or its challenges, has this number. */
  hasVersion(version: number): boolean;
  /** The hall of signal. */
  records: PublishedRecords;
  /** The standings of a challenge, by its number in the store; undefined unless they were computed. */
  challenge(seq: number): PublishedChallenge | undefined;
  /** Who can be compared with whom; made when it is first asked for. */
  peers(): PublishedPeers;
  /**
   * The same publication without the operators that a newer one shows differently or not at all. Everybody
   * else keeps rank and place, so cursors stay valid.
   */
  asShownIn(newer: Publication): Publication;
}

/** @param withheld Operators that are left out of every answer. */
export function publicationOf(
  data: PublicationData,
  refreshMs: number,
  withheld: Among | null = null,
): Publication {
  const { head, shared, boards, versions = new Map<string, number>() } = data;
  const operators = new PublishedOperators(shared.operators, withheld);
  const published = new Map(
    boards.map((columns) => [boardKey(columns), new PublishedBoard(operators, shared, columns)]),
  );
  const boardAt = (window: WindowName, slice: BoardSlice) => {
    const board = published.get(boardKey({ window, slice: storedSlice(slice, shared) }));
    if (!board) throw new Error(`There is no board of ${JSON.stringify(slice)}`);
    return board;
  };
  const versionOf = (section: string) => versions.get(section) ?? head.id;
  const known = new Set([...boards.map(boardKey), SHARED_SECTION].map(versionOf));
  let peers: PublishedPeers | null = null;
  const nextMs = Date.parse(head.generated_at) + refreshMs;
  return {
    ...head,
    bytes: buffersOf(data).reduce((sum, { byteLength }) => sum + byteLength, 0),
    next_refresh_at: new Date(nextMs).toISOString(),
    tools: shared.tools,
    operators,
    moderation: shared.moderation,
    boardVersion: (window, slice) =>
      versionOf(boardKey({ window, slice: storedSlice(slice, shared) })),
    challengeVersion: versionOf(SHARED_SECTION),
    hasVersion: (version) => known.has(version),
    records: new PublishedRecords(operators, shared.records),
    challenge(seq) {
      const columns = shared.challenges.find((challenge) => challenge.seq === seq);
      return columns && new PublishedChallenge(operators, columns);
    },
    window(window, slice = DEFAULT_SLICE, choice = EVERYBODY) {
      const { class_tier, cohort } = choice;
      if (class_tier === null && cohort === null) return boardAt(window, slice);
      const key = JSON.stringify([window, slice.tool, slice.trust, class_tier, cohort]);
      return chosen.read(operators, key, () => boardAt(window, slice).of(operators.chosen(choice)));
    },
    peers: () =>
      (peers ??= publishedPeers({ people: operators, shared, columns: peerColumns(boards) })),
    asShownIn: (newer) => publicationOf(data, refreshMs, operators.withheldSince(newer.operators)),
  };
}

function peerColumns(boards: readonly BoardColumns[]): BoardColumns {
  const key = boardKey({ window: CLASS_WINDOW, slice: DEFAULT_SLICE });
  const columns = boards.find((board) => boardKey(board) === key);
  if (!columns) throw new Error(`There is no board of ${key}`);
  return columns;
}
