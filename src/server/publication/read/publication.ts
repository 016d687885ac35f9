import type { BoardSlice } from '#core/domain/board/board.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import type { WindowName } from '#core/schema/board.ts';
import { collectGarbage } from '#server/process/collect-garbage.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { atOnce } from '#core/domain/text/steps.ts';
import { runYielding } from '#server/process/yield-to-event-loop.ts';
import { PublishedChallenge, PublishedRecords } from '../contests/published-contests.ts';
import { placeAt } from '../state/blocks.ts';
import {
  type BoardState,
  type ModerationCounts,
  type PublicationData,
  findBoard,
  type PublicationHead,
  storedSlice,
} from '../state/board-state.ts';
import { challengeRowIn } from '../state/sheet.ts';
import { type EarlierRanks, PublishedBoard } from './published-board.ts';
import { type Among, type Choice, PublishedOperators } from './published-operators.ts';
import { type PublishedPeers, publishedPeers } from './published-peers.ts';

/** All operators, of any class and cohort. */
const EVERYBODY: Choice = { class_tier: null, cohort: null };

const chosen = new RecentMemo<PublishedOperators, PublishedBoard>(16);

/** The published boards of all windows, slices and metrics. Immutable, and the same for pages, API and agents. */
export interface Publication extends PublicationHead {
  /** Its memory, without cached results. */
  bytes: number;
  /** When the board is checked for changes next. */
  readonly next_refresh_at: string;
  /** Records that nothing had changed at an instant. */
  noteChecked(nowMs: number): void;
  /** The tools with their own boards, most operators first. */
  tools: readonly string[];
  operators: PublishedOperators;
  moderation: ModerationCounts;
  /** The boards of a window, of all operators or a selection. The slice's tool must be in `tools`. */
  window(name: WindowName, slice?: BoardSlice, choice?: Choice): PublishedBoard;
  /**
   * The number by which cursors identify a board. It stays the same across publications while the board stays the
   * same.
   */
  boardVersion(window: WindowName, slice: BoardSlice): number;
  /** The number by which cursors identify the standings of challenges. */
  challengeVersion: number;
  /** Whether one of its boards, or its challenges, has this number. */
  hasVersion(version: number): boolean;
  records: PublishedRecords;
  /** The standings of a challenge, by its number in the store; undefined if they were not computed. */
  challenge(seq: number): PublishedChallenge | undefined;
  /** Prepares {@linkcode peers} in steps, yielding to the event loop. */
  readyPeers(): Promise<void>;
  /** The operators who can be compared with each other; computed at once if they are not prepared. */
  peers(): PublishedPeers;
  /**
   * The same publication without operators that a newer one shows differently or not at all. Everyone else keeps rank
   * and place, so cursors stay valid.
   */
  asShownIn(newer: Publication): Publication;
}

export interface PublicationOptions {
  refreshMs: number;
  /** The ranks on earlier days. */
  earlier: (as_of: string) => EarlierRanks;
}

/** @param withheld Operators who are left out of every response. */
export function publicationOf(
  data: PublicationData,
  options: PublicationOptions,
  withheld: Among | null = null,
): Publication {
  const { head, state } = data;
  const operators = new PublishedOperators(state, withheld);
  const earlier = options.earlier(head.as_of);
  const published = new Map(
    state.boards.map((board) => {
      return [board, new PublishedBoard({ operators, state, board, earlier })];
    }),
  );
  const ordersOf = (window: WindowName, slice: BoardSlice) => {
    const board = findBoard(state.boards, storedSlice(slice, state), window);
    if (!board) throw new Error(`There is no board of ${JSON.stringify(slice)}`);
    return board;
  };
  const boardAt = (window: WindowName, slice: BoardSlice) =>
    published.get(ordersOf(window, slice)) as PublishedBoard;
  const known = new Set([...state.boards.map(({ version }) => version), state.version]);
  let peers: PublishedPeers | null = null;
  let readied: Promise<void> | null = null;
  const peersInSteps = () =>
    publishedPeers({ people: operators, state, board: ordersOf(CLASS_WINDOW, DEFAULT_SLICE) });
  let checkedMs = Date.parse(head.generated_at);
  return {
    ...head,
    bytes: bytesOf(state),
    get next_refresh_at() {
      return new Date(checkedMs + options.refreshMs).toISOString();
    },
    noteChecked(nowMs) {
      checkedMs = nowMs;
    },
    tools: state.tools,
    operators,
    moderation: state.moderation,
    boardVersion: (window, slice) => ordersOf(window, slice).version,
    challengeVersion: state.version,
    hasVersion: (version) => known.has(version),
    records: new PublishedRecords(operators, state.records),
    challenge(seq) {
      const columns = state.challenges.find((challenge) => challenge.seq === seq);
      return columns && new PublishedChallenge(operators, columns, challengeRows(state, columns));
    },
    window(window, slice = DEFAULT_SLICE, choice = EVERYBODY) {
      const { class_tier, cohort } = choice;
      if (class_tier === null && cohort === null) return boardAt(window, slice);
      const key = JSON.stringify([window, slice.tool, slice.trust, class_tier, cohort]);
      return chosen.read(operators, key, () => boardAt(window, slice).of(operators.chosen(choice)));
    },
    readyPeers: () =>
      (readied ??= runYielding(peersInSteps()).then((made) => {
        peers ??= made;
      })),
    peers: () => (peers ??= atOnce(peersInSteps())),
    asShownIn: (newer) => publicationOf(data, options, operators.withheldSince(newer.operators)),
  };
}

function challengeRows({ numbers, operators }: BoardState, { index }: { index: number }) {
  return (slot: number) => {
    const position = challengeRowIn(numbers, operators.sheets[slot] as number, index);
    return placeAt(numbers, position);
  };
}

/** The bytes of columns and orders. Publications of a day share their numbers, and orders that did not change. */
function bytesOf({ operators, boards }: BoardState): number {
  const orders = boards.flatMap((board) => Object.values(board.orders).flatMap(Object.values));
  const columns = [...Object.values(operators), ...orders] as Uint32Array[];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * The number of planned publications for which cursors stay valid. They are valid for longer while their board stays
 * the same.
 */
const KEPT_PLANNED = 3;

/**
 * Between planned publications there are others that a change caused. At least this many of them are kept, and more
 * while all together take at most 128 MiB.
 */
const MIN_BETWEEN = 3;
const MAX_BETWEEN = 100;
const MAX_BETWEEN_BYTES = 128 * 1024 * 1024;

/**
 * Publications that are dropped may take this much memory until it is freed (8 MiB). V8 would wait much longer, see
 * `collectGarbage`.
 */
const MAX_DROPPED_BYTES = 8 * 1024 * 1024;

interface Kept {
  publication: Publication;
  isPlanned: boolean;
}

/** The publications to which cursors can lead, newest first. */
export class KeptPublications {
  #kept: readonly Kept[] = [];
  /** The bytes of publications that were dropped and may still be in memory. */
  #dropped = 0;

  /** Takes a publication's own number, or the number of a version of one of its boards; of a day, if given. */
  byId(id: number, as_of?: string): Publication | undefined {
    const isCalled = ({ publication }: Kept) => {
      const isOfDay = as_of === undefined || publication.as_of === as_of;
      return isOfDay && (publication.id === id || publication.hasVersion(id));
    };
    return this.#kept.find(isCalled)?.publication;
  }

  /** @param isPlanned Whether the publication was due. Others cannot displace planned ones. */
  add(publication: Publication, isPlanned: boolean): void {
    const all = [{ publication, isPlanned }, ...this.#kept];
    const planned = all.filter((kept) => kept.isPlanned).slice(0, KEPT_PLANNED);
    const oldest = planned.at(-1)?.publication.id ?? 0;
    const between = all.filter((kept) => !kept.isPlanned && kept.publication.id > oldest);
    const fitting = between.slice(0, roomFor(between));
    this.#kept = all.filter((kept) => planned.includes(kept) || fitting.includes(kept));
    for (const kept of all) if (!this.#kept.includes(kept)) this.#dropped += kept.publication.bytes;
    if (this.#dropped <= MAX_DROPPED_BYTES) return;
    this.#dropped = 0;
    setImmediate(collectGarbage);
  }

  /** Removes every operator that a newer publication shows differently or not at all. */
  withhold(newer: Publication): void {
    this.#kept = this.#kept.map(({ publication, isPlanned }) => {
      return { publication: publication.asShownIn(newer), isPlanned };
    });
  }

  clear(): void {
    this.#kept = [];
  }
}

/** How many publications between planned ones are kept, newest first. */
function roomFor(between: readonly Kept[]): number {
  let bytes = 0;
  const full = between.findIndex(({ publication }) => {
    bytes += publication.bytes;
    return bytes > MAX_BETWEEN_BYTES;
  });
  const most = full < 0 ? between.length : full;
  return Math.min(MAX_BETWEEN, Math.max(MIN_BETWEEN, most));
}
