import type { Database } from 'better-sqlite3';
import { epochSeconds } from '#core/domain/counting/day.ts';
import { statementsIn } from '../statements.ts';

/** Tables whose rows expire at a time in ISO 8601, and the column with that time. */
const ENDING = {
  sessions: 'expires_at',
  login_links: 'expires_at',
  mail_links: 'expires_at',
  sign_in_attempts: 'expires_at',
  passkey_challenges: 'expires_at',
  enrollment_codes: 'expires_at',
  invitations: 'forget_at',
  announcements: 'ends_at',
  former_codenames: 'until',
  reserved_codenames: 'until',
  webhook_events: 'expires_at',
};
/** Tables whose rows expire at a time in epoch seconds. */
const ENDING_S = ['device_token_ids', 'oidc_entities'];

/**
 * Everything that grants access, or soon will, whether it has expired or not: sessions, sign-ins in progress, and the
 * tokens of connected apps. The apps' registrations stay, because they grant nothing. Also forgets the email addresses
 * of members, who confirm them again.
 */
const ACCESS = [
  'DELETE FROM sessions',
  'DELETE FROM login_links',
  'DELETE FROM setup_links',
  'DELETE FROM mail_links',
  'DELETE FROM sign_in_attempts',
  'DELETE FROM passkey_challenges',
  'DELETE FROM enrollment_codes',
  `DELETE FROM oidc_entities WHERE kind <> 'Client'`,
  // Members may have turned email off since, and the emails of a backup were already sent.
  'DELETE FROM mail_queue WHERE due_at IS NOT NULL',
  `UPDATE member_mail SET address = NULL, confirm_hash = NULL, confirm_until = NULL,
     confirmed_at = NULL, problem = 'unreadable', problem_at = since`,
];

/** Deletes expired rows. Readers must still check a row's expiry, because it may not be deleted yet. */
export function expiryIn(db: Database) {
  const sql = statementsIn(db);
  const ended = Object.entries(ENDING).map(([table, end]) =>
    sql.run<(now: string) => void>(`DELETE FROM ${table} WHERE ${end} <= ?`),
  );
  const access = ACCESS.map((text) => sql.run<() => void>(text));
  const endedS = ENDING_S.map((table) =>
    sql.run<(now: number) => void>(`DELETE FROM ${table} WHERE expires_at <= ?`),
  );

  return {
    /** Ends everyone's sessions, links, codes and consents. Device keys and API keys stay. */
    endAccess() {
      access.forEach((run) => run());
    },
    /** Deletes expired rows table by table, so that other writers do not wait long. */
    forgetExpired(now: Date) {
      ended.forEach((run) => run(now.toISOString()));
      endedS.forEach((run) => run(epochSeconds(now)));
    },
  };
}
