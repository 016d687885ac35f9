/** Decides when the board is asked for payloads again, so that the mirror drops what the board hides or erases. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import { bareEntry } from '#core/domain/log/bare-entry.ts';
import { SEEN_OTHERWISE } from '#core/domain/log/board-pins.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import { sha256 } from '../process/crypto.ts';
import type { MirrorFinding } from './checks.ts';
import { MirrorFault, findingOf } from './mirror-error.ts';
import type { PayloadPull } from './payload-pull.ts';
import type { MirrorState } from './state.ts';
import { type TreeFiles, payloadFile } from './tree-files.ts';

/** Caches can show what the board dropped for a minute, so it is asked again after this time. */
const AGAIN_MS = 2 * 60 * 1000;
/** How long the board's next checkpoint may take to explain why payloads disappeared. */
const EXPLAINED_MS = 60 * 60 * 1000;
/** Kinds of entries after which a board shows other payloads. A restored board names what it lost. */
const EXPLAINS = [...SEEN_OTHERWISE, 'lost'];

/** Whether something was done at least a day ago, or never. */
export function isDayAgo(at: number | null, now: Date): boolean {
  return at === null || now.getTime() - at >= DAY_MS;
}

export interface FollowedPayloads {
  payloads: Findings<MirrorFinding>;
  withheld: Findings<MirrorFinding>;
  /** Whether payloads of entries that were there before changed. */
  isOther: boolean;
  /** Whether the mirror has all payloads that the board shows. */
  isComplete: boolean;
  /** Files of the mirror that were damaged and fetched again. */
  repaired: string[];
}

export class PayloadFollow {
  readonly #pull: PayloadPull;
  readonly #state: MirrorState;
  readonly #now: () => Date;
  /** Bundles whose payloads could not be brought. */
  readonly #left = new Set<number>();

  constructor(pull: PayloadPull, state: MirrorState, now: () => Date) {
    this.#pull = pull;
    this.#state = state;
    this.#now = now;
  }

  /**
   * Brings new payloads, and asks for all if the log says that something was hidden or erased, or a day after the last
   * time.
   *
   * @param from The entries that the mirror had before.
   * @throws {BoardUnavailable} if the board stops answering.
   */
  async follow(
    files: TreeFiles,
    { from, isChecked }: { from: number; isChecked: boolean },
  ): Promise<FollowedPayloads> {
    const { isSaid, isAsked, next } = this.#plan(files);
    const payloads = new Findings<MirrorFinding>();
    const repaired: string[] = [];
    let isOther = false;
    const first = isAsked || isChecked ? 0 : Math.floor(from / TILE_WIDTH);
    for (const number of this.#bundles(files, first)) {
      try {
        const change = await this.#pull.bring(files, number, { isAsked, isChecked });
        this.#left.delete(number);
        isOther ||= change.isOther;
        if (change.isRepaired) repaired.push(payloadFile(number));
        if (!isSaid) this.#noteMissing(number, change.dropped, files.head.size);
      } catch (error) {
        if (!(error instanceof MirrorFault)) throw error;
        this.#left.add(number);
        payloads.add(findingOf(error));
      }
    }
    Object.assign(this.#state, next);
    const isComplete = this.#left.size === 0;
    return { payloads, withheld: this.#withheld(files), isOther, isComplete, repaired };
  }

  *#bundles({ head }: TreeFiles, first: number): Generator<number> {
    yield* [...this.#left].filter((number) => number < first);
    for (let number = first; number * TILE_WIDTH < head.size; number += 1) yield number;
  }

  /** Whether the board is asked for all payloads, and what the state is afterwards. */
  #plan(files: TreeFiles) {
    const { asked_at, asked_size, again_at } = this.#state;
    const now = this.#now();
    const isNews = isExplained(files, asked_size);
    const isAgain = again_at !== null && now.getTime() >= Date.parse(again_at);
    const isSaid = isNews || isAgain;
    const isAsked = isSaid || isDayAgo(asked_at === null ? null : Date.parse(asked_at), now);
    const later = isAgain ? null : again_at;
    const next = {
      asked_at: isAsked ? now.toISOString() : asked_at,
      asked_size: files.head.size,
      again_at: isNews ? new Date(now.getTime() + AGAIN_MS).toISOString() : later,
    };
    return { isSaid, isAsked, next };
  }

  #noteMissing(number: number, entries: number, size: number): void {
    if (entries === 0) return;
    const { missing } = this.#state;
    const known = missing ?? {
      since: this.#now().toISOString(),
      size,
      entries: 0,
      file: payloadFile(number),
    };
    this.#state.missing = { ...known, entries: known.entries + entries };
  }

  /** Payloads that disappeared, if the log had the time to say why. */
  #withheld(files: TreeFiles): Findings<MirrorFinding> {
    const { missing } = this.#state;
    const found = new Findings<MirrorFinding>();
    if (!missing) return found;
    const { file, entries, since, size } = missing;
    if (isExplained(files, size)) this.#state.missing = null;
    else if (this.#now().getTime() - Date.parse(since) >= EXPLAINED_MS) {
      const message = `does not show ${entries} of its payloads since ${since}, and the log does not say why`;
      found.add({ file, message });
    }
    return found;
  }
}

/** Whether an entry after a size of the log explains that payloads disappeared. */
function isExplained(files: TreeFiles, size: number): boolean {
  if (size >= files.head.size) return false;
  for (let at = Math.floor(size / TILE_WIDTH); at * TILE_WIDTH < files.head.size; at += 1) {
    const later = (files.bundle(at) ?? [])
      .map((leaf) => bareEntry(leaf, sha256))
      .filter((entry) => (entry?.log_index ?? 0) > size);
    if (later.some((entry) => EXPLAINS.includes(entry?.kind ?? ''))) return true;
  }
  return false;
}
