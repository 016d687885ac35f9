/** Work that is divided into steps, between which a caller can do other work. */

/** Runs all steps, one after the other. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
