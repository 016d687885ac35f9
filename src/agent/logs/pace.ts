/** How far the reading of logs has come, told now and then; whoever wants to stop it is let in. */
import { setImmediate } from 'node:timers/promises';
import type { Pace } from './bytes.ts';

const PAUSE_MS = 100;

/** Bytes, as the threads that read together have added them up, in KiB. */
export type BytesRead = Int32Array<SharedArrayBuffer>;

/**
 * Counts bytes and lets others have a turn ten times a second.
 *
 * @param tell Hears how many of all KiB were read.
 */
export function paceOf(read: BytesRead, tell: (kib: number) => void = () => undefined): Pace {
  let pausedMs = performance.now();
  return (bytes) => {
    const kib = Atomics.add(read, 0, kibOf(bytes)) + kibOf(bytes);
    if (performance.now() - pausedMs < PAUSE_MS) return undefined;
    tell(kib);
    return setImmediate().then(() => void (pausedMs = performance.now()));
  };
}

function kibOf(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
