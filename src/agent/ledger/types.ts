/**
 * The ledger: every response that this machine's logs ever told, once, so that daily counts outlive the
 * logs. What boards are sent is composed from it.
 *
 * @module
 */
import type { Bucket, LoggedResponse } from '#core/schema/usage.ts';
import type { SeenLogs } from '../state/remember-logs.ts';

/** What a scan tells of one tool's logs. */
export interface Sighting {
  tool: string;
  /** The rules of the tool's reader that counted the responses. */
  rules: number;
  /** What the logs tell; all that those of this machine tell now if `seen.isAll`. */
  responses: readonly LoggedResponse[];
  /** The logs as they look now; what vanished decides which days a change of rules may lower. */
  seen: SeenLogs;
  /** The first day of which no log can be missing, as far as the logs show it; null if that is unknown. */
  wholeFrom: string | null;
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
  at: number;
}
