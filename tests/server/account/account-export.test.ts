import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AccountExport } from '#core/contract/account-export.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { exportAccount } from '#server/account/account-export.ts';
import { NOW, aBucket, aRecord, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  anOperator,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { aPasskeyBoard } from '#tests/support/http/passkey-board.ts';

function read(pieces: Iterable<string>): AccountExport {
  return AccountExport.parse(JSON.parse([...pieces].join('')));
}

/** Everything that can be stored about an account. */
async function aScene() {
  const ctx = testContext();
  const operator = anOperator(ctx, 'ada');
  const { store } = ctx;
  const { id } = operator;
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, bucketsOfDays(250, '2025-01-01'));
  await submit(ctx, device, [aBucket({ output: 9 })]);
  const text = JSON.stringify(aRecord());
  await submitRecords(ctx, { operator_id: id }, { text, idempotencyKey: 'secret key' });
  const cookie = await ctx.sessions.start(id, { method: 'github', userAgent: null });
  store.avatars.set({
    operator_id: id,
    hash: 'a'.repeat(64),
    body: randomBytes(900),
    updated_at: NOW,
  });
  store.codenames.addFormer({
    codename: 'lovelace',
    operator_id: id,
    until: '2026-05-01T00:00:00.000Z',
  });
  store.accountEvents.add({
    operator_id: id,
    kind: 'method_linked',
    detail: 'GitHub',
    created_at: NOW,
  });
  const message = { subject: 'Hello', message: 'To the keeper', created_at: NOW };
  store.contactMessages.add({ id: 'c1', operator_id: id, ...message }, 9);
  const answer = { answer: 'Hello, too', created_at: NOW };
  const about = { operator_id: anOperator(ctx, 'grace').id, via: 'page' } as const;
  store.contactAnswers.add({ message_id: 'c1', is_mailed: 1, ...answer, ...about });
  const method = { method: 'github' as const, label: 'octocat', linked_at: NOW };
  store.identities.add({ id: 'i1', operator_id: id, subject: 'keyed hash', ...method });
  const grant = { kind: 'Grant', id_hash: 'grant hash', grant_hash: null, uid_hash: null };
  store.oidc.put({ ...grant, payload: '{}', account: operator.public_id, expires_at: 4e9 });
  const application = { name: 'Agent', redirect_host: 'localhost', created_at: NOW };
  store.applications.put({ id: 'a1', grant_hash: 'grant hash', operator_id: id, ...application });
  return { ctx, operator, device, cookie, message, answer, method, application };
}

describe('exportAccount()', () => {
  test('contains everything that is stored about the account', async () => {
    const { ctx, operator, device, message, answer, method, application } = await aScene();

    const data = read(exportAccount(ctx, operator.id));

    expect(data).toMatchObject({
      account: operator.public_id,
      profile: { codename: 'ada', has_avatar: true },
      former_codenames: ['lovelace'],
      avatar: { sha256: 'a'.repeat(64) },
      methods: [{ ...method, last_used_at: null }],
      sessions: [{ method: 'github' }],
      applications: [application],
      messages: [{ ...message, done_at: null, answers: [{ ...answer, is_mailed: true }] }],
      devices: [
        { trust: 'signed', keys: [{ keyid: device.keyid, public_key: device.public_key }] },
        { trust: 'self_reported', installation_id: null, keys: [] },
      ],
    });
    expect(data.events.map(({ kind }) => kind)).toContain('method_linked');
    expect(data.log.map(({ kind }) => kind)).toEqual(['visibility', 'enroll']);
    expect(data.log[0]?.payload).toContain('"codename":"ada"');
    expect(data.submissions.map(({ envelope }) => envelope?.signatures.length)).toEqual([1, 1, 0]);
    expect(data.buckets).toHaveLength(252);
    const shown = data.buckets.filter(({ day }) => day === '2026-03-01');
    expect(shown.map(({ output, counts }) => [output, counts])).toEqual([
      [9, true],
      [10_000, false],
    ]);
  });

  test('contains the public key and the credential ID of a passkey', async () => {
    const { ctx, signUp } = aPasskeyBoard();
    const { operator, passkey } = await signUp();

    const { methods } = read(exportAccount(ctx, operator.id));

    expect(methods).toMatchObject([
      {
        method: 'passkey',
        label: 'Firefox on Linux',
        passkey: {
          credential_id: passkey.rawId,
          public_key: expect.stringMatching(/^[\w-]{90,}$/),
        },
      },
    ]);
  });

  test('contains the reported counts with fingerprints, and how much of each counts', async () => {
    const ctx = testContext();
    const fingerprints = [fingerprintOfResponses(0, 14), fingerprintOfResponses(12, 16)];
    for (const [at, fingerprint] of fingerprints.entries()) {
      const bucket = aBucket({ input: 100 - at, fingerprint });
      await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [bucket]);
    }

    const { buckets } = read(exportAccount(ctx, 1));

    expect(buckets).toMatchObject([
      { input: 100, fingerprint: fingerprints[0], counts: true, counted: { input: 100 } },
      { input: 99, fingerprint: fingerprints[1], counts: true, counted: { input: 49 } },
    ]);
  });

  test('contains no data of others and no secrets', async () => {
    const { ctx, operator, cookie } = await aScene();
    const other = await anEnrolledDevice(ctx, 'grace');
    await submit(ctx, other, [aBucket({ model: 'of-grace' })]);

    const text = [...exportAccount(ctx, operator.id)].join('');
    const { submissions } = JSON.parse(text) as AccountExport;

    expect(submissions).toHaveLength(3);
    expect(text).not.toMatch(/grace|secret key|keyed hash|grant hash/);
    expect(text).not.toContain(cookie.split(/[=;]/)[1] ?? '');
    const [session] = query<{ id_hash: string }>(ctx, 'SELECT id_hash FROM sessions');
    expect(text).not.toContain(session?.id_hash);
  });

  test('is complete for a new account too', () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');

    const data = read(exportAccount(ctx, id));

    expect(data).toMatchObject({
      avatar: null,
      devices: [],
      log: [],
      submissions: [],
      buckets: [],
    });
  });

  test('throws not_found for an account that was deleted', () => {
    expect(() => exportAccount(testContext(), 1)).toThrow(refusal('not_found'));
  });

  test('has a member for every table with data of an account', () => {
    const tables = query<{ name: string }>(
      testContext(),
      `SELECT DISTINCT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'operator_id' ORDER BY m.name`,
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(WHERE).sort());
  });
});

/** Where the export contains an account's rows, or why it does not. */
const WHERE = {
  account_events: 'events',
  announced_leaders: 'computed from the buckets',
  applications: 'applications',
  audit_log: 'keeper',
  avatars: 'avatar',
  daily_counts: 'buckets',
  sources: 'buckets',
  unmoved_buckets: 'buckets',
  usage_blocks: 'computed from the buckets',
  checked_operators: 'how far the checks came',
  changed_days: 'changed_days',
  challenge_standings: 'computed from the buckets',
  contact_answers: 'messages, own_actions',
  contact_messages: 'messages',
  daily_standings: 'computed from the buckets',
  day_vectors: 'hashes computed from the buckets',
  devices: 'devices',
  invitations: 'own_actions',
  enrollment_codes: 'a hash that is good for minutes',
  former_codenames: 'former_codenames',
  identities: 'methods',
  log_entries: 'log, submissions',
  packed_entries: 'log, submissions',
  packed_submissions: 'submissions',
  login_links: 'a hash that is good for minutes',
  mail_queue: 'emails',
  member_mail: 'email',
  mail_links: 'a hash that is good for minutes',
  oidc_entities: 'applications; the rest are hashes and what the provider needs of them',
  passkey_challenges: 'a hash that is good for minutes',
  sessions: 'sessions',
  signal_records: 'computed from the buckets',
  sign_in_attempts: 'a hash that is good for minutes',
  submission_checks: 'submissions',
  submissions: 'submissions',
  usual_days: 'computed from the buckets',
  webhook_subjects: 'computed from the buckets',
  words: 'submissions',
};
