// Accounts during the soak test (../soak.mjs). New ones sign in by mail, use every function and are deleted. The
// devices of seeded ones submit.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { proveEnrollment } from '#core/domain/signing/enrollment.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { bucketsOf, signedSnapshot, signingKey } from './seed.mjs';
import { keepDoing } from './paced.mjs';
import { addressOf } from './soak-client.mjs';

/** Numbers of devices and days that no seeded operator has. */
const NEWCOMERS = 1_000_000;

/** Devices submit three records again and again, with higher counts each time. */
export async function submit(client, { operators, random, ...soak }) {
  await keepDoing(10, { ...soak, tally: client.tally }, async (turn) => {
    const number = Math.floor(random() * operators);
    const buckets = bucketsOf(number, 2, 1 + turn / 10_000).slice(-3);
    await send(client, signingKey(number), buckets);
  });
}

function send(client, key, buckets) {
  const { envelope } = signedSnapshot(key, { audience: client.url, buckets });
  const headers = { 'Content-Type': ENVELOPE_MEDIA_TYPE };
  return client.post('snapshot', '/api/v1/snapshots', envelope, { headers, expect: [201] });
}

/** Creates and deletes an account every twenty seconds. */
export async function comeAndGo(client, { mailServer, random, ...soak }) {
  const picture = await aPicture();
  await keepDoing(0.05, { ...soak, tally: client.tally }, async (turn) => {
    const person = new Person(client, { mailServer, address: addressOf(random) });
    const { url, status } = await person.signIn(`person-${turn}@example.org`);
    if (status !== 200) throw new Error(`Sign-in failed with ${status} at ${url}`);
    await person.live(NEWCOMERS + turn, picture);
    await person.leave();
  });
}

function aPicture() {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 };
  const create = { width: 640, height: 480, channels: 3, background: 'black', noise };
  return sharp({ create }).jpeg().toBuffer();
}

/** A person with a browser, at one address. */
export class Person extends Visitor {
  #client;
  #address;
  #mailServer;

  constructor(client, { mailServer, address }) {
    super(client.url);
    this.#client = client;
    this.#mailServer = mailServer;
    this.#address = address;
  }

  async request(target, init = {}) {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', this.#address);
    const startedMs = performance.now();
    const response = await super.request(target, { ...init, headers });
    const { tally, url } = this.#client;
    const { pathname } = new URL(target, url);
    const kind = `person ${/^(?:\/api\/v1)?\/[^/]*(?:\/delete|\/avatar)?/.exec(pathname)[0]}`;
    tally.note(kind, response.status, performance.now() - startedMs);
    if (response.status >= 400) tally.fault(`${kind}, ${pathname}: ${response.status}`);
    return response;
  }

  async answerByMail(asked, mailbox) {
    await this.post(`${new URL(asked.url).pathname}/mail`, { address: mailbox });
    const mail = await this.#mailServer.fetch(mailbox);
    const token = /\/login\/mail\/link\?token=([\w-]+)/.exec(mail)?.[1] ?? '';
    return this.post('/login/mail/link', { token });
  }

  /** Edits the profile, enrolls a device, submits, reports counts by hand, and reads the results. */
  async live(number, picture) {
    for (const page of ['', '/profile', '/privacy', '/sign-in', '/applications', '/data']) {
      await this.#read(`/settings${page}`);
    }
    const profile = { display_name: `Person ${number}`, privacy_mode: 'identified' };
    await this.#tell('/api/v1/profile', profile);
    const form = new FormData();
    form.set('file', new Blob([picture], { type: 'image/jpeg' }), 'me.jpg');
    await this.#read('/api/v1/profile/avatar', { method: 'POST', body: form });
    await send(this.#client, await this.#enroll(number), bucketsOf(number, 10));
    const records = bucketsOf(number + 1, 20)
      .slice(0, 10)
      .map(composeRecord);
    await this.#tell('/api/v1/snapshots', { records });
    for (const own of ['me', 'peers', 'improvements', 'devices', 'account/export']) {
      await this.#read(`/api/v1/${own}`);
    }
  }

  /** Deletes the account. */
  async leave() {
    const { operator } = JSON.parse(await this.#read('/api/auth/session'));
    await this.#tell('/api/v1/account/delete', { confirm: operator.codename });
  }

  /** Uses an admin's link, opens the settings and signs out. */
  async visitByLink(url) {
    const token = new URL(url).searchParams.get('token');
    await this.post('/login/link', { token });
    await this.#read('/settings');
    await this.post('/settings', { action: 'sign-out' });
  }

  async #enroll(number) {
    const key = signingKey(number);
    const { code } = JSON.parse(await this.#tell('/api/v1/devices/codes', {}));
    const device = { public_key: toBase64Url(key.publicKey), installation_id: randomUUID() };
    const code_hash = sha256Hex(code.replaceAll('-', ''));
    const issued_at = new Date().toISOString();
    const claim = { audience: this.#client.url, code_hash, issued_at, ...device };
    const proof = await proveEnrollment(claim, { keyid: key.keyid, sign: key.sign });
    await this.#tell('/api/v1/devices/enroll', { code, ...device, label: 'Laptop', proof });
    return key;
  }

  #tell(path, value) {
    const headers = { 'Content-Type': 'application/json' };
    return this.#read(path, { method: 'POST', headers, body: JSON.stringify(value) });
  }

  async #read(path, init) {
    const response = await this.request(path, init);
    return response.text();
  }
}
