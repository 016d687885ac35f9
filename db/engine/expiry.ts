import type { Database } from 'better-sqlite3';
import { epochSeconds } from '#core/domain/counting/day.ts';

/** What ends at a moment in ISO 8601, and the column that holds it. */
const ENDING = {
  sessions: 'expires_at',
  login_links: 'expires_at',
  mail_links: 'expires_at',
  sign_in_attempts: 'expires_at',
  enrollment_codes: 'expires_at',
  former_codenames: 'until',
  reserved_codenames: 'until',
};
/** What ends at a moment in epoch seconds. */
const ENDING_S = ['device_token_ids', 'oidc_entities'];

/**
 * What lets somebody in, or soon will, whatever its end: sign-ins that are open or under way, and what applications
 * were given. The applications' own names stay, since they let nobody in.
 */
const ACCESS = [
  'DELETE FROM sessions',
  'DELETE FROM login_links',
  'DELETE FROM mail_links',
  'DELETE FROM sign_in_attempts',
  'DELETE FROM enrollment_codes',
  `DELETE FROM oidc_entities WHERE kind <> 'Client'`,
];

/** Rows whose time is over. Who reads one looks at its end all the same: it may still be there. */
export function expiryIn(db: Database) {
  const ended = Object.entries(ENDING).map(([table, end]) =>
    db.prepare(`DELETE FROM ${table} WHERE ${end} <= ?`),
  );
  const access = ACCESS.map((sql) => db.prepare(sql));
  const endedS = ENDING_S.map((table) => db.prepare(`DELETE FROM ${table} WHERE expires_at <= ?`));

  return {
    /** Ends all sessions, links, codes and consents of everybody; devices' keys and API keys stay. */
    endAccess() {
      access.forEach((statement) => statement.run());
    },
    /** Forgets what is over; table by table, so that nobody else waits long to write. */
    forgetExpired(now: Date) {
      ended.forEach((statement) => statement.run(now.toISOString()));
      endedS.forEach((statement) => statement.run(epochSeconds(now)));
    },
  };
}
