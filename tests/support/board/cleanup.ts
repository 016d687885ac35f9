/** Cleanup after a test, or after all tests of a file if they share a resource. */
import { onTestFinished } from 'vitest';

let shared: (() => void)[] | null = null;

/** Runs a function after the test or, for something that a file shares, after the file's last test. */
export function whenOver(work: () => void): void {
  if (shared) shared.push(work);
  else onTestFinished(work);
}

/**
 * Creates something up to its first `await`, and collects its cleanup functions instead of running them after the test.
 */
export function sharing<Made>(cleanups: (() => void)[], make: () => Made): Made {
  shared = cleanups;
  try {
    return make();
  } finally {
    shared = null;
  }
}
