import { type Check, checksOf } from './check.ts';
import { durationText } from './words.ts';

const { ok, warning, problem } = checksOf('clock');

/** Those outside tell whole seconds, and late. */
const NOTICED_MS = 30_000;
/** Snapshots are dated, and days are counted, by clocks that agree this much. */
const WRONG_MS = 300_000;
const ADVICE = 'Have the system set its clock by the network: timedatectl set-ntp true';

/**
 * Whether this machine's time can be right.
 *
 * @param aheadMs By how many milliseconds the clocks of those asked outside are ahead.
 * @param newestEntry When the newest entry of the log was made; null if that is not known.
 */
export function clockChecks(aheadMs: readonly number[], newestEntry: string | null): Check[] {
  const now = Date.now();
  const lateMs = newestEntry === null ? 0 : Date.parse(newestEntry) - now;
  if (lateMs > NOTICED_MS) {
    const text = `it is ${durationText(lateMs)} before the newest entry of the log, of ${newestEntry}`;
    return [problem(text, ADVICE)];
  }
  if (aheadMs.length === 0) {
    const than = newestEntry === null ? '' : ', after the newest entry of the log';
    const text = `${new Date(now).toISOString()}${than}; nobody outside was asked for the time`;
    return [ok(text)];
  }
  // One may be wrong: what the middle one says counts.
  const sorted = [...aheadMs].sort((a, b) => a - b);
  const ahead = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const by = durationText(Math.abs(ahead));
  const text = `it is ${by} ${ahead > 0 ? 'behind' : 'ahead of'} the clocks of others`;
  if (Math.abs(ahead) > WRONG_MS) return [problem(text, ADVICE)];
  if (Math.abs(ahead) > NOTICED_MS) return [warning(text, ADVICE)];
  return [ok(`${new Date(now).toISOString()}, as the clocks of others say`)];
}
