/** Notices logs that vanished. Without schemas, which scans do not load. */
import type { CountedLogs, SeenLogs } from './counted-logs.ts';

/** What is to be remembered from now on; a log that is gone or was cut leaves its last day. */
export function rememberLogs(before: CountedLogs, { logs, isAll }: SeenLogs): CountedLogs {
  if (!isAll) return { ...before, logs: { ...before.logs, ...logs } };
  const gone = Object.entries(before.logs).flatMap(([name, [day, size]]) => {
    const now = Object.hasOwn(logs, name) ? logs[name] : undefined;
    return now === undefined || now[1] < size ? [day] : [];
  });
  return { gone_to: latest([before.gone_to, ...gone]), logs };
}

/** The latest of days; null if there is none. */
function latest(days: readonly (string | null)[]): string | null {
  return days.reduce((last, day) => (day !== null && (last === null || day > last) ? day : last));
}
