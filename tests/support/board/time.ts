/** How tests wait and measure, on a machine that may have much else to do. */
import { readFileSync } from 'node:fs';

/** How long a test waits for what has to come, in milliseconds; no wait is shorter. */
export const PATIENCE_MS = 30_000;

/** The processor time that some work takes on this thread, in milliseconds, however busy the machine is. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The processor time that another process has taken until now, in milliseconds; 0 where there is no Linux to tell it. */
export function processCpuMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  // Behind the name, which may hold anything, come the third field and the others.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
