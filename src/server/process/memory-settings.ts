/** Settings that make the server use less memory. Decision 065 and `scripts/bench/memory.mjs` have the reasons. */
import { accessSync, constants } from 'node:fs';
import { isSea } from 'node:sea';
import { setFlagsFromString } from 'node:v8';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings of the C library, which reads them only when a process starts: one heap for all threads, and blocks of 128
 * KiB or more outside it, which are returned to the system as soon as they are free.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' } as const;

/** A small young generation in each thread, as an option of Node. */
export const SMALL_YOUNG_GENERATION = '--max-semi-space-size=2';

/** Collects garbage when a heap has grown by half since the last collection. V8 lets it grow to up to four times its size. */
const SLOW_GROWTH = '--heap-growing-percent=50';

/**
 * Makes the heaps of all threads grow slowly, and gives threads that start later a small young generation. For the first
 * thread, Node must be started with that option.
 */
export function keepThreadsSmall(): void {
  setFlagsFromString(SMALL_YOUNG_GENERATION);
  setFlagsFromString(SLOW_GROWTH);
}

/** Returns the environment with the allocator's settings that it lacks; null if it lacks none. */
export function withAllocator(environment: Environment): Environment | null {
  const missing = Object.entries(ALLOCATOR).filter(([name]) => environment[name] === undefined);
  return missing.length === 0 ? null : { ...environment, ...Object.fromEntries(missing) };
}

/**
 * Restarts the program in the same process if its environment lacks a setting of the allocator, and then never
 * returns. The process ID, working directory and standard streams stay the same. Takes 40 ms.
 *
 * Does nothing on systems other than Linux, where the settings have no effect, and in a child process with a channel
 * to its parent, which a restart would close.
 */
export function restartWithAllocator(): void {
  const environment = withAllocator(process.env);
  if (environment === null || process.platform !== 'linux' || process.connected) return;
  const { argv, argv0, execArgv, execPath } = process;
  // A single executable file has the option built in, and its second argument is another copy of its path.
  const words = isSea() ? argv.slice(2) : [SMALL_YOUNG_GENERATION, ...execArgv, ...argv.slice(1)];
  if (isExecutable(execPath)) process.execve?.(execPath, [argv0, ...words], environment);
}

/** A failing `execve` would end the process. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
