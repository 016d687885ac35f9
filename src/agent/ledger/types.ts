/**
 * The ledger stores every response that was ever in this machine's logs, once, so that daily counts stay complete after
 * logs are deleted. Submissions are composed from it.
 *
 * @module
 */
import type { Bucket, LoggedResponse } from '#core/schema/usage.ts';

/** The result of a scan for one tool. */
export interface Sighting {
  tool: string;
  /** The version of the reader's counting rules. */
  rules: number;
  /** Responses in the logs that the ledger may not have. With new rules, all if `seen.isAll`. */
  responses: readonly LoggedResponse[];
  /** The other responses in the logs. */
  known: readonly LoggedResponse[];
  /** The current logs. Missing ones decide which days a change of rules may lower. */
  seen: SeenLogs;
  /** The first day for which no log can be missing; null if unknown. */
  wholeFrom: string | null;
}

/** A daily count that a board has. */
export interface Stated extends Bucket {
  /** The time up to which it counts responses, in milliseconds since the epoch. */
  untilMs: number;
}

/** One response of the ledger, as a fingerprint needs it. */
export interface KeptResponse {
  /** 11 base64url characters: the first 8 bytes of the SHA-256 of tool, LF, {@linkcode LoggedResponse.key}. */
  name: string;
  /** The number of the update that added it, starting at 1. */
  run: number;
  at: number;
}

/** The logs of one tool that were counted. They show which days are incomplete after logs were deleted or moved. */
export interface CountedLogs {
  /** The last day with deleted logs, as far as noticed; null if there is none. */
  gone_to: string | null;
  /** By the hash of the path: the day of the last modification of a log, and its size. */
  logs: Record<string, [day: string, size: number]>;
}

export interface SeenLogs {
  logs: CountedLogs['logs'];
  /** Whether these are all logs. False if some could not be read, or the folder is missing. */
  isAll: boolean;
}

/** Updates the counted logs. A log that is gone or was truncated leaves its last day in `gone_to`. */
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
