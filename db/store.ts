import { accountDataIn, accountEventsIn } from './account-data.ts';
import { apiKeysIn } from './api-keys.ts';
import { applicationsIn, oidcIn } from './oidc.ts';
import { auditLogIn } from './audit-log.ts';
import { avatarsIn, codenamesIn, operatorsIn, shownRowsIn } from './operators.ts';
import { boardKeysIn, secretsIn } from './secrets.ts';
import { bucketsIn } from './buckets.ts';
import { challengesIn } from './challenges.ts';
import { checksIn } from './checks.ts';
import { contactMessagesIn } from './contact-messages.ts';
import { corpusIn, recordsIn } from './records.ts';
import { countsIn } from './counts.ts';
import { dailyStandingsIn } from './daily-standings.ts';
import { compromisedDevicesIn, devicesIn, enrollmentCodesIn, knownDevicesIn } from './devices.ts';
import { deviceReplacementsIn } from './device-replacements.ts';
import { erasureIn } from './engine/erasure.ts';
import { expiryIn } from './engine/expiry.ts';
import { filePresence } from './engine/file-presence.ts';
import { groupCommit } from './engine/group-commit.ts';
import { identitiesIn, loginLinksIn, mailLinksIn, signInAttemptsIn } from './sign-in.ts';
import { leftoversIn } from './engine/leftovers.ts';
import { logIn } from './log.ts';
import { moderationIn } from './moderation.ts';
import { type OpenOptions, openMigrated } from './engine/open.ts';
import { publicLogIn } from './public-log.ts';
import { publicationsIn } from './publications.ts';
import { sessionsIn, upstreamTokensIn } from './sessions.ts';
import { signalRecordsIn } from './signal-records.ts';
import { submissionsIn } from './submissions.ts';

type StoreOptions = OpenOptions;

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the board's database; makes it if there is none.
 *
 * @throws {StoreError} `newer`, `older` without `beforeUpgrade`, or `damaged`.
 */
export function openStore(options: StoreOptions) {
  const db = openMigrated(options);
  const confirmFile = filePresence(options.path);
  return {
    operators: operatorsIn(db),
    accountData: accountDataIn(db),
    accountEvents: accountEventsIn(db),
    avatars: avatarsIn(db),
    checks: checksIn(db),
    codenames: codenamesIn(db),
    contactMessages: contactMessagesIn(db),
    compromisedDevices: compromisedDevicesIn(db),
    deviceReplacements: deviceReplacementsIn(db),
    devices: devicesIn(db),
    enrollmentCodes: enrollmentCodesIn(db),
    knownDevices: knownDevicesIn(db),
    secrets: secretsIn(db),
    sessions: sessionsIn(db),
    loginLinks: loginLinksIn(db),
    oidc: oidcIn(db),
    applications: applicationsIn(db),
    upstreamTokens: upstreamTokensIn(db),
    identities: identitiesIn(db),
    signInAttempts: signInAttemptsIn(db),
    mailLinks: mailLinksIn(db),
    boardKeys: boardKeysIn(db),
    apiKeys: apiKeysIn(db),
    auditLog: auditLogIn(db),
    log: logIn(db),
    publicLog: publicLogIn(db),
    moderation: moderationIn(db),
    submissions: submissionsIn(db),
    buckets: bucketsIn(db),
    records: recordsIn(db),
    counts: countsIn(db),
    corpus: corpusIn(db),
    publications: publicationsIn(db),
    dailyStandings: dailyStandingsIn(db),
    shownRows: shownRowsIn(db),
    signalRecords: signalRecordsIn(db),
    challenges: challengesIn(db),
    erasure: erasureIn(db),
    expiry: expiryIn(db),
    leftovers: leftoversIn(db),
    /** Runs `work` in one write transaction: all of it is durable when this returns, or none. */
    transaction<Result>(work: () => Result): Result {
      confirmFile();
      return db.transaction(work).immediate();
    },
    /** Runs `work` in a write transaction that may be shared; durable when the promise is kept. */
    commit: groupCommit(db, confirmFile),
    /** Throws what a write would if the file was removed or replaced: what is written then is lost. */
    confirmFile,
    /** Runs `work` on one unchanging state of the database. */
    snapshot<Result>(work: () => Result): Result {
      return db.transaction(work).deferred();
    },
    /** Another number after another process or thread has written. */
    version: () => db.pragma('data_version', { simple: true }) as number,
    close() {
      db.close();
    },
  };
}
