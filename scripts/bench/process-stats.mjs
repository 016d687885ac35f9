// What Linux counts of a process. Elsewhere it is all null.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** What the process holds in memory, and the most that it ever held, in MB. */
export function memoryOf(pid) {
  const status = orNull(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  const field = (name) => {
    const [, kib] = new RegExp(`${name}:\\s+(\\d+)`).exec(status ?? '') ?? [];
    return kib === undefined ? null : Number(kib) / 1024;
  };
  return { rssMb: field('VmRSS'), peakMb: field('VmHWM') };
}

/** Ticks a second in which Linux tells times. */
const TICKS = 100;

/** The seconds for which all its threads kept a processor busy. */
export function cpuSecondsOf(pid) {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name, in brackets, may hold spaces; the times are the 12th and 13th field after it.
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) / TICKS;
}

/** The files, sockets and pipes that it has open, by name; of sockets and pipes the kind only. */
export function openFilesOf(pid) {
  const folder = `/proc/${pid}/fd`;
  const links = orNull(() => readdirSync(folder)) ?? [];
  return links.flatMap((name) => {
    const target = orNull(() => readlinkSync(`${folder}/${name}`));
    return target === null ? [] : [target.replace(/:\[\d+\]$/, '')];
  });
}

function orNull(read) {
  try {
    return read();
  } catch {
    return null;
  }
}
