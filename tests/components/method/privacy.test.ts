/** Compares the privacy pages with the code. */
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '#agent/commands.ts';
import { EnrollmentRequest } from '#core/contract/devices.ts';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import { Envelope, SNAPSHOT_PAYLOAD_TYPE_2, SnapshotPayload2 } from '#core/schema/snapshot.ts';
import { type RequestLogging, databasePath } from '#server/config/config.ts';
import { readPrivacyFacts } from '#server/account/privacy.ts';
import { cookieTerms } from '#components/method/cookie-words.ts';
import {
  ENROLLMENT_FIELDS,
  ENVELOPE_FIELDS,
  KEPT_DATA,
  PAYLOAD_FIELDS,
  SENT_BY_WORDS,
  type SentField,
  TOKEN_FIELDS,
  examplePayload,
} from '#components/method/privacy-tables.ts';
import { readersText, signInText } from '#components/method/privacy-words.ts';
import { VISIT_WORDS } from '#components/method/visit-words.ts';
import { BASE_URL, aDevice } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { SATELLITE } from '#tests/support/pages/satellite.ts';

const namesOf = (fields: readonly SentField[]) => fields.map(({ name }) => name).sort();
const keysOf = (shape: object, prefix = '') => Object.keys(shape).map((key) => prefix + key);

describe('what leaves the device', () => {
  test('every field of a snapshot is listed, and no other', () => {
    const payload = keysOf(SnapshotPayload2.shape).filter((name) => name !== 'records');
    const fields = [...payload, ...keysOf(OperatorRecord.shape, 'records[].')];
    expect(namesOf(PAYLOAD_FIELDS)).toEqual(fields.sort());
    expect(namesOf(ENVELOPE_FIELDS)).toEqual(keysOf(Envelope.shape).sort());
  });

  test('every field of an enrollment and of a device token is listed, and no other', async () => {
    const device = await aDevice();
    const request = { audience: BASE_URL, method: 'GET', path: '/api/v1/me' };
    const token = await signDeviceToken(request, device, 0, 'once');
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(namesOf(ENROLLMENT_FIELDS)).toEqual(keysOf(EnrollmentRequest.shape).sort());
    expect(namesOf(TOKEN_FIELDS)).toEqual(keysOf(claims).sort());
  });

  test('every command is listed once', () => {
    const listed = SENT_BY_WORDS.flatMap(({ words }) => words);
    expect(listed.sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  test('the example is a snapshot that this board would accept', () => {
    const text = examplePayload(BASE_URL, '1.2.3');
    const snapshot = readSnapshot(Buffer.from(text), BASE_URL, SNAPSHOT_PAYLOAD_TYPE_2);
    expect(judgeSnapshot(snapshot, Date.parse(snapshot.issued_at))).toHaveLength(1);
  });
});

/** Tables without personal data. */
const OF_THE_BOARD = [
  'announced_challenges',
  'announcements',
  'api_keys',
  'board_keys',
  'challenge_series',
  'challenges',
  'board_settings',
  'calibration',
  'dictionaries',
  'migrations',
  'secrets',
  'setup_links',
  'webhooks',
  'witnessed_logs',
];

test('every table with personal data is listed once', () => {
  const db = new Database(databasePath(testContext().config), { readonly: true });
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  db.close();

  const listed = KEPT_DATA.flatMap(({ tables: names }) => names);
  expect([...listed, ...OF_THE_BOARD].sort()).toEqual(tables.sort());
});

describe('readPrivacyFacts()', () => {
  const factsOf = (signIn: object, baseUrl = BASE_URL) => {
    const ctx = testContext({ baseUrl });
    return readPrivacyFacts({
      ...ctx,
      config: { ...ctx.config, signIn: { ...ctx.config.signIn, ...signIn } },
    });
  };

  test('uses the cookie names that browsers get, with and without https', () => {
    const names = (baseUrl: string) => factsOf({}, baseUrl).cookies.flatMap(({ names }) => names);
    expect(names('https://bench.example.org')).toContain('__Host-session');
    expect(names('http://127.0.0.1:4321')).toContain('session');
  });

  test('names a provider elsewhere, and then lists no cookies of an internal one', () => {
    const authority = { url: 'https://id.example.org/realm', clientId: 'x' };
    const { cookies, methods, provider } = factsOf({ authority, mail: {} });
    expect(provider).toBe('id.example.org');
    expect(methods).toEqual([]);
    expect(cookies.map(({ purpose }) => purpose)).toEqual(['session', 'away', 'invitation']);
  });

  test('names a companion site elsewhere', () => {
    const agents = { mcpOrigins: [], satellite: SATELLITE };
    expect(readPrivacyFacts(testContext({ agents })).satellite).toBe('peers.example.org');
    expect(factsOf({}).satellite).toBeNull();
  });

  test('lists only the sign-in methods and the address that are configured', () => {
    expect(factsOf({})).toMatchObject({ methods: [], provider: null, contact: null });
    const mail = { smtpUrl: 'smtp://mail.example.org', from: 'x' };
    const set = factsOf({ mail, github: {}, contactEmail: 'admin@example.org' });
    expect(set.methods).toEqual(['github', 'email_magic_link']);
    expect(set.contact).toBe('admin@example.org');
  });

  test('names passkeys where they work, and says that no other service is involved', () => {
    const url = 'https://bench.example.org';
    const { methods } = factsOf({}, url);
    expect(methods).toEqual(['passkey']);
    expect(signInText(methods, null)).toMatch(
      /no other site[^]*A passkey involves no other service/,
    );
    expect(factsOf({ passkeys: 'off' }, url).methods).toEqual([]);
  });

  test('says who can read a board for members, and nothing about readers of a public one', () => {
    const ctx = testContext();
    const access = { ...ctx.config.access, read: 'members' as const };
    const { readers } = readPrivacyFacts({ ...ctx, config: { ...ctx.config, access } });

    expect(readersText(readers)).toContain('only people who sign in can read it');
    expect(readersText(factsOf({}).readers)).toBe('');
  });

  test.each<[RequestLogging, RegExp]>([
    ['all', /a line for each request: /],
    ['errors', /a line for each request that the board failed to answer: /],
    ['none', /no line for requests/],
  ])('says which requests are logged with LOG_REQUESTS=%s', (requestLogging, says) => {
    const ctx = testContext();
    const { requests } = readPrivacyFacts({ ...ctx, config: { ...ctx.config, requestLogging } });
    expect(VISIT_WORDS[requests].logged).toMatch(says);
  });

  test('cookie lifetimes are given in days and minutes', () => {
    const remarks = cookieTerms(factsOf({}).cookies).map(({ remark }) => remark);
    expect(remarks.join('\n')).toMatch(/\b30 days/);
    expect(remarks.join('\n')).toMatch(/\b15 minutes/);
  });
});
