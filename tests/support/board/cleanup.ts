/** What is cleaned up after a test, or after all tests of a file where they share it. */
import { onTestFinished } from 'vitest';

let shared: (() => void)[] | null = null;

/** Does this when the test is over, or, while something is made for a whole file, when that file is. */
export function whenOver(work: () => void): void {
  if (shared) shared.push(work);
  else onTestFinished(work);
}

/** Makes something, up to its first `await`, whose cleaning up is collected instead of done after the test. */
export function sharing<Made>(cleanups: (() => void)[], make: () => Made): Made {
  shared = cleanups;
  try {
    return make();
  } finally {
    shared = null;
  }
}
