/**
 * The ledger: every response that this machine's logs ever told, once, so that daily counts outlive the
 * logs. What boards are sent is composed from it.
 *
 * @module
 */
import type { Bucket, LoggedResponse } from '#core/schema/usage.ts';

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

/**
 * What is remembered of logs that were counted. A log that is deleted or moved takes days away that a board still
 * has, and only this shows it.
 *
 * @module
 */

/**
 * The logs of one tool that were counted. One that is deleted or moved takes days away that a board
 * still has, and only this shows it.
 */
export interface CountedLogs {
  /** The last day of which something is gone, as far as that was noticed; null if nothing is. */
  gone_to: string | null;
  /** By the hash of their path: the last day on which a log was written to, and its size then. */
  logs: Record<string, [day: string, size: number]>;
}

export interface SeenLogs {
  logs: CountedLogs['logs'];
  /** Whether these are all that there are: some could not be read, or the folder is not there. */
  isAll: boolean;
}

/** What is to be remembered from now on; a log that is gone or was cut leaves its last day. */
export function rememberLogs(before: CountedLogs, { logs, isAll }: SeenLogs): CountedLogs {
  if (!isAll) return { ...before, logs: { ...before.logs, ...logs } };
  const gone = Object.entries(before.logs).flatMap(([name, [day, size]]) => {
    const now = Object.hasOwn(logs, name) ? logs[name] : undefined;
    return now === undefined || now[1] < size ? [day] : [];
  });
  return { gone_to: latest([before.gone_to, ...gone]), logs };
}

function latest(days: readonly (string | null)[]): string | null {
  return days.reduce((last, day) => (day !== null && (last === null || day > last) ? day : last));
}
