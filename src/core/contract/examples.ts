import type { Example } from './example.ts';
import { ACCOUNT_EXAMPLES } from './examples-account.ts';
import { BOARD_EXAMPLES } from './examples-board.ts';
import { LOG_EXAMPLES } from './examples-log.ts';

/** An example of every operation, by its id. */
export const EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries([
  ...BOARD_EXAMPLES,
  ...LOG_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
]);
