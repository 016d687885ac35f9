/** What to use instead of `export --whole` and `import`, which earlier versions had. */
export const MOVING =
  'use "opbench-board backup FILE" to copy a whole board and "opbench-board restore FILE" to restore it, also on another machine or with a later version';
