/** The names of windows and classes. Without a schema, because `opbench` loads them at every start. */

export const WINDOW_NAMES = ['7d', '30d', '90d', 'all_time'] as const;

/** All classes, lowest first, and the state of having none. */
export const CLASS_NAMES = [
  'rill',
  'brook',
  'stream',
  'river',
  'rapids',
  'falls',
  'cataract',
  'delta',
  'sea',
  'ocean',
  'unclassed',
] as const;
