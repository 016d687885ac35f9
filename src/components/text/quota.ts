/** Describes rate limits. */
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

/** @example `60 requests a minute for each address` */
export function quotaText({ quota, windowSeconds, unit, of }: Quota): string {
  const counted = unit === 'requests' ? count(quota, 'request') : `${whole(quota / MIB)} MiB`;
  return `${counted} ${spanText(windowSeconds)} for each ${of}`;
}

function spanText(seconds: number): string {
  const [length, one] = SPANS.find(([span]) => seconds % span === 0) ?? [1, 'second'];
  return seconds === length ? `a ${one}` : `in ${count(seconds / length, one)}`;
}
