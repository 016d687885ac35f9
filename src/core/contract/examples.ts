import type { Example } from './example.ts';
import { ACCOUNT_EXAMPLES } from './examples-account.ts';
import { BOARD_EXAMPLES } from './examples-board.ts';
import { CONTEST_EXAMPLES } from './examples-contests.ts';
import { DATA_EXAMPLES } from './examples-data.ts';
import { LOG_EXAMPLES } from './examples-log.ts';
import { MANIFEST_EXAMPLES } from './examples-manifests.ts';
import { OAUTH_EXAMPLES } from './examples-oauth.ts';
import { BUCKET, DEVICE_ID, ENTRY } from './examples-parts.ts';
import { PEER_EXAMPLES } from './examples-peers.ts';
import { SESSION_EXAMPLES } from './examples-sessions.ts';
import { PROFILE_EXAMPLES } from './examples-profile.ts';

/** An example of every operation, by its id. */
export const EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries([
  ...BOARD_EXAMPLES,
  ...CONTEST_EXAMPLES,
  ...LOG_EXAMPLES,
  ...DATA_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...PEER_EXAMPLES,
  ...OAUTH_EXAMPLES,
  ...SESSION_EXAMPLES,
  ...PROFILE_EXAMPLES,
  ...MANIFEST_EXAMPLES,
]);

/** Values of parameters that are optional and stand in no example of an operation, by name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string>> = {
  as_of: BUCKET.day,
  class: 'rapids',
  cohort: 'students',
  cursor: `${ENTRY.log_index}`,
  device: DEVICE_ID,
  'Idempotency-Key': 'report-of-2026-11-20',
  include: 'unranked',
  q: 'ada',
  tool: BUCKET.tool,
};
