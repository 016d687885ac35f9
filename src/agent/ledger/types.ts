/**
 * The ledger: every response that this machine's logs ever told, once, so that daily counts outlive the
 * logs. What boards are sent is composed from it.
 *
 * @module
 */
import type { Bucket, LoggedResponse, Pillars } from '#core/schema/usage.ts';
import type { Failure } from '../failure.ts';
import type { SeenLogs } from '../kept/counted-logs.ts';

/** What a scan tells of one tool's logs. */
export interface Sighting {
  tool: string;
  /** The rules of the tool's reader that counted the responses. */
  rules: number;
  /** Responses of the logs that changed since the last sighting, or of all logs. */
  responses: readonly LoggedResponse[];
  /** Whether `responses` is all that the logs of this machine tell now. */
  isWhole: boolean;
  /** The logs as they look now; what vanished decides which days a change of rules may lower. */
  seen: SeenLogs;
  /** The first day of which no log can be missing, as far as the logs show it; null if that is unknown. */
  wholeFrom: string | null;
}

/** What became of an update. */
export interface LedgerNews {
  /** What its owner should know: what could not be recounted, or not be kept. */
  notes: string[];
}

/** A daily count that a board has, and that no log tells any more. */
export interface Stated extends Bucket {
  /** The instant up to which it counted, in milliseconds since the epoch. */
  untilMs: number;
}

/** One response of the ledger, as a fingerprint needs it. */
export interface KeptResponse {
  /** 11 base64url characters: the first 8 bytes of the SHA-256 of tool, LF, {@linkcode LoggedResponse.key}. */
  name: string;
  /** The update that brought it, from 1 on. */
  run: number;
  /** The instant, in milliseconds since the epoch. */
  at: number;
}

export interface LedgerPort {
  /** A UUID that changes when a ledger is begun anew. */
  readonly id: string;
  /** How many updates have changed it; only ever grows. */
  readonly run: number;
  /**
   * Why nothing may be sent that was composed from it: a newer version wrote it, or it cannot be read.
   * It then holds what this run scanned, in memory only. Null if all is well.
   */
  readonly blocked: Failure | null;
  /** The reader's rules by which a tool was last counted; undefined if it never was. */
  rulesOf(tool: string): number | undefined;
  /** All daily counts, sorted by their key: responses, and what was carried over. */
  buckets(): readonly Bucket[];
  /** The sums of the responses of a day and tool up to an instant, by provider and model. */
  bucketsUntil(day: string, tool: string, untilMs: number): Bucket[];
  /** The responses behind a daily count. */
  responsesOf(bucket: Pick<Bucket, 'day' | 'model' | 'provider' | 'tool'>): KeptResponse[];
  /**
   * Whether a part of a daily count was carried over.
   *
   * @param sinceMs Only what was stated after that instant is looked at.
   */
  isCarried(bucket: Pick<Bucket, 'day' | 'model' | 'provider' | 'tool'>, sinceMs?: number): boolean;
  /**
   * The fingerprint of what was carried over into a daily count from a board; null if there is none, or
   * if it does not cover all of that.
   *
   * @param sinceMs Only what was stated after that instant is looked at.
   */
  carriedFingerprint(
    board: string,
    bucket: Pick<Bucket, 'day' | 'model' | 'provider' | 'tool'>,
    sinceMs?: number,
  ): string | null;
  /** Adds what logs tell. It is on disk when this returns, or a note says why not. */
  update(sightings: readonly Sighting[], today: string): Promise<LedgerNews>;
  /**
   * Carries over the part of what a board has that the ledger cannot account for: the stated count
   * minus the responses up to `untilMs`, where that is positive.
   *
   * @param board Whose account the fingerprints of `stated` are keyed for.
   * @returns The parts that were added.
   */
  carry(board: string, stated: readonly Stated[]): Promise<(Bucket & { added: Pillars })[]>;
}
