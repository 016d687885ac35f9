/** How tests wait and measure on a busy computer. */
import { readFileSync } from 'node:fs';

/** How long a test waits for an expected event, in milliseconds. No wait is shorter. */
export const PATIENCE_MS = 30_000;

/** The processor time of some work on this thread, in milliseconds, independent of other load. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The processor time that another process has used so far, in milliseconds; 0 on systems other than Linux. */
export function processCpuMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  // The third and later fields follow the name, which may contain any characters.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
