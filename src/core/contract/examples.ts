import type { Example } from './example.ts';
import { ACCOUNT_EXAMPLES } from './examples-account.ts';
import { BOARD_EXAMPLES } from './examples-board.ts';
import { LOG_EXAMPLES } from './examples-log.ts';
import { BUCKET, ENTRY } from './examples-parts.ts';

/** An example of every operation, by its id. */
export const EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries([
  ...BOARD_EXAMPLES,
  ...LOG_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
]);

/** Values of parameters that are optional and stand in no example of an operation, by name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string>> = {
  as_of: BUCKET.day,
  cursor: `${ENTRY.log_index}`,
  include: 'unranked',
  q: 'ada',
  tool: BUCKET.tool,
};
