// Fills a board with invented operators, through the same code as real ones. The same seed gives the same operators
// and counts; only the days depend on the date.
import { createHash } from 'node:crypto';
import { getPublicKeyAsync } from '@noble/ed25519';
import { toBase64Url } from '../src/core/domain/text/base64.ts';
import { dayName } from '../src/core/domain/counting/day.ts';
import { keyIdOf, seal } from '../src/core/domain/signing/dsse.ts';
import { signerOf } from '../src/core/domain/signing/ed25519.ts';
import { normalizeCode, proveEnrollment } from '../src/core/domain/signing/enrollment.ts';
import { composeSnapshot } from '../src/core/domain/signing/snapshot.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '../src/core/schema/snapshot.ts';
import { readConfig } from '../src/server/config/config.ts';
import { createContext } from '../src/server/context.ts';
import { createEnrollmentCode } from '../src/server/device/create-enrollment-code.ts';
import { createLoginLink } from '#server/identity/sign-in/login-link.ts';
import { enrollDevice } from '../src/server/device/enroll-device.ts';
import { revokeDevice } from '../src/server/device/revoke-device.ts';
import { submitSnapshot } from '../src/server/submission/submit-snapshot.ts';
import { sha256, sha256Hex } from '../src/server/process/crypto.ts';
import { Projection } from '../src/server/publication/projection.ts';
import { publishAndStore } from '../src/server/publication/publish.ts';
import { randomOf } from './random.mjs';

const ANIMALS = (
  'otter heron lynx badger marten stoat osprey curlew plover tern puffin gannet hare vole beaver ' +
  'wolf elk ibex chamois marmot kestrel merlin hobby harrier bittern crane stork ibis avocet dunlin ' +
  'ruff snipe grebe loon teal smew eider scoter petrel skua'
).split(' ');

/** Tools that report everything, and tools that do not report cache writes. */
export const TOOLS = [
  { tool: 'claude-code', provider: 'anthropic', model: 'synthetic-large', writes: true, odds: 0.6 },
  { tool: 'codex', provider: 'openai', model: 'synthetic-medium', writes: false, odds: 0.28 },
  { tool: 'gemini-cli', provider: 'google', model: 'synthetic-small', writes: false, odds: 0.12 },
];

const HISTORY_DAYS = 100;
export const DAY_MS = 86_400_000;

/**
 * Opens the board of a data folder. No server may have it open yet.
 *
 * @param options.env The settings of the board.
 * @param options.clock How many days ago it is, to create a past.
 */
export function openBoard(dataDir, { env = {}, clock = { daysAgo: 0 } } = {}) {
  const config = { ...readConfig({ ...env, DATA_DIR: dataDir }), baseUrl: 'http://127.0.0.1' };
  const now = () => new Date(Date.now() - clock.daysAgo * DAY_MS);
  return createContext({ config, logger: { info() {}, warn() {}, error() {} }, now });
}

/** A sign-in link for an operator; `create` creates the operator first. */
export function loginLink({ ctx, url }, codename, create) {
  return createLoginLink(ctx.store, { codename, create, baseUrl: url, now: ctx.now() });
}

/** The codename of the operator with this number. */
export function codenameOf(number) {
  const round = Math.floor(number / ANIMALS.length);
  const animal = ANIMALS[number % ANIMALS.length];
  return round === 0 ? `synthetic-${animal}` : `synthetic-${animal}-${round + 1}`;
}

/**
 * Adds `operators` operators with a device and a history each.
 *
 * @param options.lastDaysAgo How many days ago the newest day of all operators is.
 * @param options.newcomers The share of operators with too little to be ranked.
 */
export async function fillBoard(ctx, { operators, seed = 1, lastDaysAgo = 0, newcomers = 0.12 }) {
  for (let number = 0; number < operators; number += 1) {
    const random = randomSource(`${seed} ${number}`);
    const buckets = historyOf(random, {
      today: Math.floor(ctx.now().getTime() / DAY_MS) - lastDaysAgo,
      isNewcomer: random() < newcomers,
    });
    await addOperator(ctx, number, buckets);
  }
}

/** Publishes the boards of a week and of a day ago, so that the current one can show changes of rank. */
export function publishEarlier(ctx) {
  for (const daysAgo of [7, 1]) {
    publishAndStore(ctx.store, new Projection(ctx.ruleset), ctx.now().getTime() - daysAgo * DAY_MS);
  }
}

/** An account with a device that submits the buckets. Every third account also has a revoked and an idle device. */
async function addOperator(ctx, number, buckets) {
  const codename = codenameOf(number);
  const created_at = ctx.now().toISOString();
  const public_id = uuidOf(`operator ${codename}`, 4);
  const { id } = ctx.store.operators.add({ public_id, codename, created_at });
  const device = await addDevice(ctx, id, `${codename} laptop`);
  await submit(ctx, device, buckets);
  if (number % 3 > 0) return;
  const old = await addDevice(ctx, id, `${codename} old laptop`);
  revokeDevice(ctx, { operator_id: id, device_id: null }, old.id);
  await addDevice(ctx, id, `${codename} build server`);
}

/** Enrolls a device of an account. */
export async function addDevice(ctx, operatorId, name) {
  const secretKey = sha256(`key ${name}`);
  const publicKey = await getPublicKeyAsync(secretKey);
  const key = { keyid: keyIdOf(publicKey, sha256), sign: signerOf(secretKey) };
  const { code } = createEnrollmentCode(ctx, operatorId);
  const claim = {
    audience: ctx.config.baseUrl,
    code_hash: sha256Hex(normalizeCode(code)),
    public_key: toBase64Url(publicKey),
    installation_id: uuidOf(`installation ${name}`, 4),
  };
  const issued_at = ctx.now().toISOString();
  const proof = await proveEnrollment({ ...claim, issued_at }, key);
  const { public_key, installation_id } = claim;
  const request = { code, public_key, installation_id, label: name.replace(/^\S+ /, ''), proof };
  const { enrollment } = await enrollDevice(ctx, request);
  return { id: enrollment.device.id, name, key };
}

/** Submits the buckets of a device and returns the submission's ID. `part` makes it different from others. */
export async function submit(ctx, { name, key }, buckets, part = '') {
  if (buckets.length === 0) return null;
  const submission_id = uuidOf(`submission ${name}${part}`, 7);
  const payload = composeSnapshot({
    audience: ctx.config.baseUrl,
    submission_id,
    issuedAtMs: ctx.now().getTime(),
    collector: { name: 'synthetic-board', version: '1' },
    correction: null,
    buckets,
  });
  const envelope = await seal(SNAPSHOT_PAYLOAD_TYPE, payload, key);
  const { answer } = await submitSnapshot(ctx, JSON.stringify(envelope));
  return answer.id;
}

function historyOf(random, { today, isNewcomer }) {
  const days = isNewcomer ? 2 + Math.floor(random() * 5) : HISTORY_DAYS;
  const habit = {
    presence: isNewcomer ? 0.7 : 0.35 + 0.6 * random(),
    input: logNormal(random, isNewcomer ? 9_000 : 60_000, 0.8),
    leverage: logNormal(random, 60, 1.4),
    velocity: logNormal(random, 2.2, 0.8),
  };
  const main = pickTool(random());
  const second = random() < 0.25 ? pickTool(random()) : main;
  const buckets = [];
  for (let day = today - days + 1; day <= today; day += 1) {
    if (random() > habit.presence) continue;
    const used = main === second ? [main] : [main, second];
    for (const tool of used) buckets.push(bucketOf(random, dayName(day), tool, habit));
  }
  return buckets;
}

/** One day of one tool, by an operator with a habit. */
export function bucketOf(random, day, { tool, provider, model, writes }, habit) {
  const input = Math.round(logNormal(random, habit.input, 0.6));
  const output = Math.round(input * logNormal(random, habit.velocity, 0.35));
  const cache_read = Math.round(input * logNormal(random, habit.leverage, 0.4));
  const cache_write = writes ? Math.round(cache_read * logNormal(random, 0.06, 0.3)) : null;
  return { day, provider, model, tool, input, output, cache_write, cache_read };
}

function pickTool(chance) {
  let left = chance;
  return TOOLS.find(({ odds }) => (left -= odds) < 0) ?? TOOLS[0];
}

function logNormal(random, median, sigma) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(sigma * normal);
}

/** A source of random numbers, with a text as seed. */
export function randomSource(seed) {
  return randomOf(createHash('sha256').update(seed).digest().readUInt32LE(0));
}

export function uuidOf(text, version) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
