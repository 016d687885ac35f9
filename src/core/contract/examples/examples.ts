import type { Example } from './example.ts';
import { ACCOUNT_EXAMPLES } from './account.ts';
import { BOARD_EXAMPLES } from './board.ts';
import { CONTEST_EXAMPLES } from './contests.ts';
import { DATA_EXAMPLES } from './data.ts';
import { LOG_EXAMPLES } from './log.ts';
import { MANIFEST_EXAMPLES } from './manifests.ts';
import { OAUTH_EXAMPLES } from './oauth.ts';
import { BUCKET, DEVICE_ID, ENTRY } from './parts.ts';
import { PEER_EXAMPLES } from './peers.ts';
import { SESSION_EXAMPLES } from './sessions.ts';
import { PROFILE_EXAMPLES } from './profile.ts';

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
