// A synthetic board whose log verifies and has a realistic size: devices are enrolled in the log, and each operator's
// days are in one signed snapshot, as if submitted over HTTP. It is the same on every run, except for its last day.
import { createPrivateKey, createPublicKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { usualDays } from '#core/domain/checks/day-outlier.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { envelopeOf, keyIdOf, preAuthEncoding } from '#core/domain/signing/dsse.ts';
import { composeSnapshot } from '#core/domain/signing/snapshot.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { readConfig } from '#server/config/config.ts';
import { createContext } from '#server/context.ts';
import { enterVisibility } from '#server/operator/visibility.ts';
import { sha256, sha256Hex } from '#server/process/crypto.ts';
import { readAccount } from '#server/publication/checks/checked-account.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { storeSubmission } from '#server/submission/store-submission.ts';
import { randomOf } from '../random.mjs';

/** The address of seeded boards, for their devices and pages. */
export const BASE_URL = 'https://board.test';

const TOOLS = {
  'claude-code': { provider: 'anthropic', model: 'claude-opus-4-5', writesCache: true },
  codex: { provider: 'openai', model: 'gpt-5-codex', writesCache: false },
};
/** The share of days on which an operator uses the second tool as well. */
const SECOND_TOOL = 0.3;
/** The share of operators whose tool does not report cache reads. */
const BLIND = 0.05;
/** Operators that share a transaction. */
const BATCH = 500;
const SILENT = { info() {}, warn() {}, error() {} };
const COLLECTOR = { name: 'opbench', version: '0.1.0' };
/** The bytes before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The context of the server's functions for a board at this address. No server may use the folder yet. */
export function openContext(dataDir, { baseUrl = BASE_URL, now } = {}) {
  const config = { ...readConfig({ DATA_DIR: dataDir }), baseUrl };
  return createContext({ config, logger: SILENT, now });
}

/** Fills a board with operators, each with an enrolled device and `days` days of usage up to today. */
export function seedBoard(ctx, { operators, days }) {
  inBatches(ctx, [...Array(operators).keys()], (number) => {
    const operator = addOperator(ctx, number);
    if (days > 0) submitDays(ctx, operator, bucketsOf(number, days));
  });
}

/** Adds operators with an enrolled device each, but without any usage. */
export function addOperators(ctx, operators) {
  inBatches(ctx, [...Array(operators).keys()], (number) => addOperator(ctx, number));
}

/** An operator's counts by day and tool. `growth` multiplies all counts. */
export function bucketsOf(index, days, growth = 1) {
  const random = randomOf(index + 1);
  const skill = 4 * random() - 2;
  const blind = random() < BLIND;
  const count = (mean) => Math.round(growth * Math.exp(mean + 2 * random() - 1));
  const today = dayNumber(utcDay(Date.now()));
  const buckets = [];
  for (let day = today - days + 1; day <= today; day += 1) {
    for (const [tool, { writesCache, ...source }] of Object.entries(TOOLS)) {
      if (tool === 'codex' && random() >= SECOND_TOOL) continue;
      buckets.push({
        day: dayName(day),
        tool,
        ...source,
        input: count(9.5),
        output: count(10.5 + skill / 2),
        cache_write: writesCache ? count(12.5) : null,
        cache_read: blind ? null : count(14.5 + skill),
      });
    }
  }
  return buckets;
}

/** The codename of the operator with this number. */
export function codenameOf(number) {
  return `synthetic-${String(number).padStart(6, '0')}`;
}

/** The key of the device with this number. */
export function signingKey(number) {
  const secret = sha256(`the key of the synthetic device ${number}`);
  const der = Buffer.concat([PKCS8_HEAD, secret]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = Buffer.from(jwk.x, 'base64url');
  const signs = (bytes) => sign(null, bytes, privateKey);
  return { keyid: keyIdOf(publicKey, sha256), jwk, publicKey, sign: signs };
}

/** A snapshot that a device signs now: its envelope, and the signed bytes. */
export function signedSnapshot(key, { audience, buckets }) {
  const submission_id = uuidV7(Date.now(), randomBytes(10));
  const payload = composeSnapshot({
    audience,
    submission_id,
    issuedAtMs: Date.now(),
    collector: COLLECTOR,
    correction: null,
    buckets,
  });
  const signature = key.sign(preAuthEncoding(SNAPSHOT_PAYLOAD_TYPE, payload));
  const envelope = envelopeOf(SNAPSHOT_PAYLOAD_TYPE, payload, key.keyid, signature);
  return { submission_id, collector: COLLECTOR, payload, envelope };
}

/** The operator with this number on a seeded board. */
export function operatorOf({ store }, number) {
  const key = signingKey(number);
  const { operator_id, device_id } = store.devices.key(key.keyid);
  return { operator_id, device_id, key };
}

/** Runs the plausibility checks for all operators, which a server would spread over time. */
export function checkEverybody({ store, now }) {
  store.transaction(() => new Checks(store).run(now(), Number.POSITIVE_INFINITY));
}

/**
 * Marks all operators as checked, with their usual days, but without the hashes that find copies. These take 5 KB for
 * each operator, and an hour for 100,000 operators.
 */
export function takeAsChecked(ctx) {
  const { store } = ctx;
  inBatches(ctx, store.operators.logged(), (id) => {
    const { days, log_index } = readAccount(store, id, { after: 0 });
    for (const row of usualDays(days)) store.checks.addUsual({ operator_id: id, ...row });
    store.checks.setChecked(id, log_index);
  });
}

/** Stores buckets as a snapshot that the operator's device sends now. Call it inside a transaction. */
export function submitDays(ctx, { operator_id, device_id, key }, buckets) {
  const { baseUrl: audience } = ctx.config;
  const { payload, ...snapshot } = signedSnapshot(key, { audience, buckets });
  const submission = {
    ...{ ...snapshot, operator_id, device_id, keyid: key.keyid, buckets, trust: 'signed' },
    ...{ idempotency_key_hash: null, payloadHash: sha256Hex(payload), correction: null },
  };
  return storeSubmission(ctx, submission, ctx.now());
}

/** An account with an enrolled device. */
function addOperator(ctx, number) {
  const { store } = ctx;
  const now = ctx.now();
  const created_at = now.toISOString();
  const key = signingKey(number);
  const operator = { public_id: randomUUID(), codename: codenameOf(number), created_at };
  const { id: operator_id } = store.operators.add(operator);
  enterVisibility(ctx, operator_id);
  const device = { public_id: randomUUID(), installation_id: randomUUID(), label: 'synthetic' };
  const device_id = store.devices.add({ ...device, operator_id, created_at });
  const { keyid, publicKey: public_key, jwk } = key;
  store.devices.addKey({ keyid, device_id, public_key, enrolled_at: created_at });
  const enrolled = { operator: operator.public_id, device: device.public_id, keyid };
  const payload = { ...enrolled, public_key: jwk.x };
  store.log.append({ kind: 'enroll', operator_id, payload, now });
  return { operator_id, device_id, key };
}

function inBatches({ store }, all, work) {
  for (let first = 0; first < all.length; first += BATCH) {
    store.transaction(() => all.slice(first, first + BATCH).forEach(work));
  }
}
