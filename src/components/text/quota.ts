/** Rate limits in words. */
import { count, whole } from './format.ts';

interface Quota {
  quota: number;
  windowSeconds: number;
  unit: string;
  of: string;
}

const SPANS: readonly [seconds: number, one: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];
const MIB = 1024 * 1024;

/** Returns a limit in words, such as `60 requests per minute and address`. */
export function quotaText({ quota, windowSeconds, unit, of }: Quota): string {
  const counted = unit === 'requests' ? count(quota, 'request') : `${whole(quota / MIB)} MiB`;
  return `${counted} per ${spanText(windowSeconds)} and ${of}`;
}

function spanText(seconds: number): string {
  const [length, one] = SPANS.find(([span]) => seconds % span === 0) ?? [1, 'second'];
  return seconds === length ? one : count(seconds / length, one);
}
