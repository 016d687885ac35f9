import type { Database } from 'better-sqlite3';
import { accountDataIn, accountEventsIn } from './account-data.ts';
import { apiKeysIn, boardKeysIn, secretsIn } from './secrets.ts';
import { applicationsIn, oidcIn } from './oidc.ts';
import { announcementsIn } from './announcements.ts';
import { auditLogIn } from './audit-log.ts';
import { avatarsIn, codenamesIn, operatorsIn, shownRowsIn } from './operators.ts';
import { boardSettingsIn, setupLinksIn } from './board-settings.ts';
import { calibrationIn } from './calibration.ts';
import { invitationsIn } from './invitations.ts';
import { bucketsIn } from './buckets.ts';
import { challengesIn } from './challenges.ts';
import { changedDaysIn } from './changed-days.ts';
import { checksIn } from './checks.ts';
import { contactAnswersIn, contactMessagesIn } from './contact-messages.ts';
import { corpusIn, recordsIn } from './records.ts';
import { countsIn } from './counts.ts';
import { compromisedDevicesIn, devicesIn, enrollmentCodesIn, knownDevicesIn } from './devices.ts';
import { deviceReplacementsIn } from './device-replacements.ts';
import { erasureIn } from './engine/erasure.ts';
import { expiryIn } from './engine/expiry.ts';
import { filePresence } from './engine/file-presence.ts';
import { groupCommit } from './engine/group-commit.ts';
import { identitiesIn, loginLinksIn, mailLinksIn, signInAttemptsIn } from './sign-in.ts';
import { keptDaysIn } from './kept-days.ts';
import { leftoversIn } from './engine/leftovers.ts';
import { logIn } from './log.ts';
import { movesIn } from './moves.ts';
import { mailQueueIn, memberMailIn } from './member-mail.ts';
import { moderationIn } from './moderation.ts';
import { operatorChangesIn } from './operator-changes.ts';
import { type OpenOptions, openMigrated } from './engine/open.ts';
import { passkeyChallengesIn, passkeysIn } from './passkeys.ts';
import { publicLogIn } from './public-log.ts';
import { publicationsIn } from './publications.ts';
import { replicaOutIn } from './replica-out.ts';
import { sessionsIn, upstreamTokensIn } from './sessions.ts';
import { signalRecordsIn } from './signal-records.ts';
import { submissionsIn } from './submissions.ts';
import { WriteLock, lockWrites, writeTransaction } from './engine/write-lock.ts';
import { tilesIn } from './tiles.ts';
import { usageIn } from './usage.ts';
import { webhookOutboxIn } from './webhook-outbox.ts';
import { announcedIn, webhooksIn } from './webhooks.ts';
import { witnessedLogsIn } from './witnessed-logs.ts';

const PARTS = {
  operators: operatorsIn,
  operatorChanges: operatorChangesIn,
  accountData: accountDataIn,
  accountEvents: accountEventsIn,
  avatars: avatarsIn,
  checks: checksIn,
  codenames: codenamesIn,
  contactAnswers: contactAnswersIn,
  contactMessages: contactMessagesIn,
  compromisedDevices: compromisedDevicesIn,
  deviceReplacements: deviceReplacementsIn,
  devices: devicesIn,
  enrollmentCodes: enrollmentCodesIn,
  knownDevices: knownDevicesIn,
  secrets: secretsIn,
  sessions: sessionsIn,
  loginLinks: loginLinksIn,
  oidc: oidcIn,
  applications: applicationsIn,
  upstreamTokens: upstreamTokensIn,
  identities: identitiesIn,
  passkeys: passkeysIn,
  passkeyChallenges: passkeyChallengesIn,
  signInAttempts: signInAttemptsIn,
  mailLinks: mailLinksIn,
  boardKeys: boardKeysIn,
  apiKeys: apiKeysIn,
  announcements: announcementsIn,
  auditLog: auditLogIn,
  boardSettings: boardSettingsIn,
  calibration: calibrationIn,
  setupLinks: setupLinksIn,
  invitations: invitationsIn,
  log: logIn,
  publicLog: publicLogIn,
  tiles: tilesIn,
  mailQueue: mailQueueIn,
  memberMail: memberMailIn,
  moderation: moderationIn,
  submissions: submissionsIn,
  buckets: bucketsIn,
  changedDays: changedDaysIn,
  usage: usageIn,
  records: recordsIn,
  counts: countsIn,
  corpus: corpusIn,
  publications: publicationsIn,
  keptDays: keptDaysIn,
  replicaOut: replicaOutIn,
  shownRows: shownRowsIn,
  signalRecords: signalRecordsIn,
  challenges: challengesIn,
  erasure: erasureIn,
  expiry: expiryIn,
  leftovers: leftoversIn,
  moves: movesIn,
  webhooks: webhooksIn,
  webhookOutbox: webhookOutboxIn,
  announced: announcedIn,
  witnessedLogs: witnessedLogsIn,
};

interface StoreOptions extends OpenOptions {
  /** The write lock of the thread that goes before this one: its store's `writeLock`. */
  writeLock?: SharedArrayBuffer;
}

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the board's database, or creates it.
 *
 * @throws {StoreError} `newer`, `older` without `beforeUpgrade`, or `damaged`.
 */
export function openStore(options: StoreOptions) {
  const db = openMigrated(options);
  const lock = new WriteLock(options.writeLock);
  lockWrites(db, lock);
  const confirmFile = filePresence(options.path);
  return Object.assign(partsIn(db), {
    /** Runs `work` in one write transaction. All of it is durable when this returns, or none. */
    transaction<Result>(work: () => Result): Result {
      confirmFile();
      return writeTransaction(db, work);
    },
    /** Runs `work` in a write transaction that may be shared. It is durable when the promise resolves. */
    commit: groupCommit(db, lock, confirmFile),
    /** Throws if the file was removed or replaced, as a write does, because further writes would be lost. */
    confirmFile,
    /** Runs `work` on one unchanging state of the database. */
    snapshot<Result>(work: () => Result): Result {
      return db.transaction(work).deferred();
    },
    /** The memory of the write lock, for stores in other threads. */
    writeLock: lock.memory,
    /** Changes after another process or thread has written. */
    version: () => db.pragma('data_version', { simple: true }) as number,
    close() {
      db.close();
    },
  });
}

export type Parts = { readonly [Name in keyof typeof PARTS]: ReturnType<(typeof PARTS)[Name]> };

/** The parts of a store, each created on first use, because most commands need only a few of their statements. */
export function partsIn(db: Database): Parts {
  const parts = {};
  for (const [name, make] of Object.entries(PARTS)) {
    const get = () => {
      const value = make(db);
      Object.defineProperty(parts, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(parts, name, { get, enumerable: true, configurable: true });
  }
  return parts as Parts;
}
