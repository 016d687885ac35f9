/**
 * What is remembered of logs that were counted. A log that is deleted or moved takes days away that a board still
 * has, and only this shows it.
 *
 * @module
 */

/** The logs of one tool that were counted. */
export interface CountedLogs {
  /** The last day of which something is gone, as far as that was noticed; null if nothing is. */
  gone_to: string | null;
  /** By the hash of their path: the last day on which a log was written to, and its size then. */
  logs: Record<string, [day: string, size: number]>;
}

/** The logs of one tool as they are now. */
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
