// Linux statistics of a process. On other systems all values are null.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The current and the highest memory of the process, in MB. */
export function memoryOf(pid) {
  const status = orNull(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  const field = (name) => {
    const [, kib] = new RegExp(`${name}:\\s+(\\d+)`).exec(status ?? '') ?? [];
    return kib === undefined ? null : Number(kib) / 1024;
  };
  return { rssMb: field('VmRSS'), anonymousMb: field('RssAnon'), peakMb: field('VmHWM') };
}

/** Ticks per second in Linux process times. */
const TICKS = 100;

/** The processor time of all threads, in seconds. */
export function cpuSecondsOf(pid) {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name in brackets can contain spaces. The times are the 12th and 13th fields after it.
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) / TICKS;
}

/** The open files by name, and the kinds of open sockets and pipes. */
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
