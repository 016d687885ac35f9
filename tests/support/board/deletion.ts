/** An account with every kind of data, so that tests can search for its traces. */
import { randomUUID } from 'node:crypto';
import { bucketsOfDays, type TestDevice } from './builders.ts';
import { type TestContext, anEnrolledDevice, query, submit, testContext } from './context.ts';
import { fingerprintOfResponses } from './fingerprints.ts';
import { aPublisher, publishThrough, untilStored } from './publisher.ts';
import type { Needle } from '../http/traces.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { linkIdentity } from '#server/identity/sign-in/accounts.ts';
import type { Publisher } from '#server/publication/publisher.ts';

export const EVE = 'evelyn-the-forgotten';

export interface DeletionScene {
  ctx: TestContext;
  publisher: Publisher;
  zoe: TestDevice;
  device: TestDevice;
  operator_id: number;
  cookie: string;
  /** Parts of all data that is stored about the account. */
  pieces: Readonly<Record<string, Needle>>;
}

const TOOL = 'a-tool-of-her-own';
const FINGERPRINT = fingerprintOfResponses(0, 100);
const PROFILE = {
  display_name: 'Eve Example-Name',
  bio: 'Says-much-of-herself',
  location: 'Nowhere-land',
  links: '["https://eve.example/x"]',
  cohort_id: null,
};

/** A published board with `zoe`, and with `eve`, whose profile is complete. */
export async function aDeletionScene(): Promise<DeletionScene> {
  const ctx = testContext();
  const publisher = aPublisher(ctx);
  await publishThrough(ctx, publisher);
  const zoe = await anEnrolledDevice(ctx, 'zoe');
  await submit(ctx, zoe, bucketsOfDays(10, '2026-03-01'));
  const device = await anEnrolledDevice(ctx, EVE);
  const stated = { tool: TOOL, output: 20_000, fingerprint: FINGERPRINT };
  await submit(ctx, device, bucketsOfDays(10, '2026-03-01', stated));
  const operator = ctx.store.operators.byCodename(EVE);
  if (!operator) throw new Error('There is no such operator');
  const cookie = await fillAccount(ctx, operator.id, device);
  await ctx.publications.publishNow({ hides: true });
  await untilStored(ctx, publisher);
  const pieces = { public_id: operator.public_id, ...piecesOf(ctx, device, cookie) };
  return { ctx, publisher, zoe, device, operator_id: operator.id, cookie, pieces };
}

/** Writes data of the account into every table that can hold it. Returns its cookie. */
async function fillAccount(ctx: TestContext, operator_id: number, { keyid }: TestDevice) {
  const { store } = ctx;
  const created_at = ctx.now().toISOString();
  const until = '2026-06-01T00:00:00.000Z';
  const body = Buffer.from('RIFF-a-picture');
  createEnrollmentCode(ctx, operator_id);
  store.transaction(() => {
    store.operators.setProfile(operator_id, PROFILE);
    changeVisibility(ctx, operator_id, { privacy_mode: 'anonymous' });
    changeVisibility(ctx, operator_id, { privacy_mode: 'identified' });
    store.avatars.set({ operator_id, hash: 'hash-of-picture', body, updated_at: created_at });
    store.codenames.addFormer({ codename: 'eve-was-called-so', operator_id, until });
    const identity = {
      method: 'email_magic_link',
      subject: 'hashed-subject',
      label: 'e***@example.org',
    };
    linkIdentity(ctx, operator_id, identity as Parameters<typeof linkIdentity>[2]);
    addPasskey(ctx, operator_id);
    store.devices.rememberToken({ keyid, jti: 'a-token-id', expires_at: 9e9 });
    addMessage(ctx, operator_id);
    receiveMail(ctx, operator_id);
    signInElsewhere(ctx, operator_id);
  });
  const setCookie = await ctx.sessions.start(operator_id);
  return setCookie.split(';')[0] ?? '';
}

/** A message, and the answer of an admin whose account stays. */
function addMessage({ store, now }: TestContext, operator_id: number): void {
  const [id, created_at] = [randomUUID(), now().toISOString()];
  const message = { subject: 'A-subject', message: 'A-message' };
  store.contactMessages.add({ id, operator_id, created_at, ...message }, 9);
  const by = { operator_id: null, via: 'command' } as const;
  const answer = 'An-answer-to-eve';
  store.contactAnswers.add({ message_id: id, answer, created_at, is_mailed: 0, ...by });
}

const PASSKEY = { credential_id: 'credential-of-eve', public_key: 'public-key-of-her-passkey' };

/** A passkey, and a challenge for another one. */
function addPasskey(ctx: TestContext, operator_id: number): void {
  linkIdentity(ctx, operator_id, {
    method: 'passkey',
    subject: 'hashed-credential',
    label: 'Passkey-of-Eve',
    passkey: {
      credential_id: Buffer.from(PASSKEY.credential_id),
      public_key: Buffer.from(PASSKEY.public_key),
      counter: 0,
    },
  });
  ctx.store.passkeyChallenges.add({
    challenge_hash: 'hash-of-challenge',
    browser_hash: 'b',
    interaction: null,
    operator_id,
    public_id: ctx.store.operators.byId(operator_id)?.public_id ?? '',
    codename: EVE,
    expires_at: '2026-06-01T00:00:00.000Z',
  });
}

/** An email address as the board stores it, and an email that waits. */
function receiveMail({ store, now }: TestContext, operator_id: number): void {
  const since = now().toISOString();
  store.memberMail.put({
    operator_id,
    address: Buffer.from('an-encrypted-address-of-eve'),
    kinds: ['weekly'],
    silent_days: 7,
    since,
    confirm_hash: 'hash-of-confirmation',
    confirm_until: since,
    confirmed_at: null,
    problem: null,
    problem_at: null,
  });
  store.mailQueue.add({ operator_id, kind: 'weekly', about: 'about-eve', occurred_at: since });
}

/** The stored data of an app, and of a pending sign-in, which belongs to no account yet. */
function signInElsewhere({ store, now }: TestContext, operator_id: number): void {
  const account = store.operators.byId(operator_id)?.public_id ?? '';
  const entity = { grant_hash: null, uid_hash: null, expires_at: 9e9 };
  const payload = (text: string) => JSON.stringify({ text, accountId: account });
  store.oidc.put({
    kind: 'Grant',
    id_hash: 'g',
    payload: payload('of-a-grant'),
    account,
    ...entity,
  });
  const asked = { kind: 'Interaction', id_hash: 'i', payload: payload('of-a-question') };
  store.oidc.put({ ...asked, account: null, ...entity });
  store.mailLinks.add({
    token_hash: 'hash-of-mailed-token',
    browser_hash: 'b',
    code_hash: 'c',
    subject: 'hashed-subject',
    label: 'e***@example.org',
    interaction: 'i',
    operator_id: null,
    is_expected: 0,
    invitation_hash: null,
    created_at: now().toISOString(),
    expires_at: '2026-06-01T00:00:00.000Z',
  });
}

function piecesOf(ctx: TestContext, device: TestDevice, cookie: string): Record<string, Needle> {
  const [session] = query<{ id_hash: string }>(ctx, 'SELECT id_hash FROM sessions');
  const [entry] = query<{ salt: Buffer; payload: Buffer; mark: number }>(
    ctx,
    `SELECT salt, payload, mark FROM packed_entries WHERE kind IS NULL ORDER BY log_index DESC`,
  );
  if (!session || !entry) throw new Error('The account is not filled');
  const { display_name, bio, location } = PROFILE;
  return {
    codename: EVE,
    display_name,
    bio,
    location,
    link: 'eve.example',
    keyid: device.keyid,
    public_key: Buffer.from(device.publicKey),
    'public key as text': device.public_key,
    installation: device.installation_id,
    salt: entry.salt,
    signature: entry.payload.subarray(0, 64),
    'packed payload': entry.payload.subarray(64, 100),
    mark: Buffer.from(entry.mark.toString(16), 'hex'),
    picture: 'RIFF-a-picture',
    'former name': 'eve-was-called-so',
    'masked address': 'e***@example.org',
    subject: 'hashed-subject',
    'passkey name': 'Passkey-of-Eve',
    'credential ID': PASSKEY.credential_id,
    'public key of the passkey': PASSKEY.public_key,
    'passkey subject': 'hashed-credential',
    challenge: 'hash-of-challenge',
    'encrypted address': 'an-encrypted-address-of-eve',
    'mailed link': 'hash-of-mailed-token',
    grant: 'of-a-grant',
    interaction: 'of-a-question',
    'token id': 'a-token-id',
    'message to the keeper': 'A-message',
    'answer to the message': 'An-answer-to-eve',
    cookie: cookie.split('=')[1] ?? '',
    session: session.id_hash,
    tool: TOOL,
    fingerprint: Buffer.from(FINGERPRINT, 'base64url'),
  };
}
