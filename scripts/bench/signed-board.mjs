// A synthetic board on which everything is as if it had come in over HTTP: devices are enrolled in the log, and
// each operator's days came in one signed snapshot, so that the log verifies and has its size.
import { randomUUID } from 'node:crypto';
import { usualDays } from '#core/domain/checks/day-outlier.ts';
import { readConfig } from '#server/config/config.ts';
import { createContext } from '#server/context.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { readAccount } from '#server/publication/checks/checked-account.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { storeSubmission } from '#server/submission/store-submission.ts';
import { enterVisibility } from '#server/operator/visibility.ts';
import { signedSnapshot, signingKey } from './devices.mjs';
import { bucketsOf, codenameOf } from './seed.mjs';

/** Operators that share a transaction. */
const BATCH = 500;
const SILENT = { info() {}, warn() {}, error() {} };

/** What the server's commands work with, for a board of this address; no server may have the folder yet. */
export function openContext(dataDir, baseUrl) {
  const config = { ...readConfig({ DATA_DIR: dataDir }), baseUrl };
  return createContext({ config, logger: SILENT });
}

/** Fills a board with operators, each with an enrolled device and `days` days of usage up to today. */
export function seedSignedBoard(ctx, { operators, days }) {
  for (let first = 0; first < operators; first += BATCH) {
    ctx.store.transaction(() => {
      for (let number = first; number < Math.min(first + BATCH, operators); number += 1) {
        submitDays(ctx, addOperator(ctx, number), bucketsOf(number, days));
      }
    });
  }
}

/** The operator with this number on a board that was filled so. */
export function operatorOf({ store }, number) {
  const key = signingKey(number);
  const { operator_id, device_id } = store.devices.key(key.keyid);
  return { operator_id, device_id, key };
}

/** Checks everybody for implausible days, which a served board would do at leisure. */
export function checkEverybody({ store, now }) {
  store.transaction(() => new Checks(store).run(now(), Number.POSITIVE_INFINITY));
}

/**
 * Remembers everybody as checked, with their usual days, but not the hashes of these by which copies are found:
 * they take 5 KB an operator, and an hour for 100,000.
 */
export function takeAsChecked({ store }) {
  const ids = store.operators.logged();
  for (let first = 0; first < ids.length; first += BATCH) {
    store.transaction(() => {
      for (const id of ids.slice(first, first + BATCH)) {
        const { days, log_index } = readAccount(store, id, { after: 0 });
        for (const row of usualDays(days)) store.checks.addUsual({ operator_id: id, ...row });
        store.checks.setChecked(id, log_index);
      }
    });
  }
}

/** Stores buckets as the snapshot that the operator's device sends now. Call it inside a transaction. */
export function submitDays(ctx, { operator_id, device_id, key }, buckets) {
  const { baseUrl: audience } = ctx.config;
  const { payload, ...snapshot } = signedSnapshot(key, { audience, buckets });
  const submission = {
    ...{ ...snapshot, operator_id, device_id, keyid: key.keyid, buckets, trust: 'signed' },
    ...{ idempotency_key_hash: null, payloadHash: sha256Hex(payload), correction: null },
  };
  return storeSubmission(ctx, submission, ctx.now());
}

/** An account with an enrolled device, as the command that enrols makes them. */
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
