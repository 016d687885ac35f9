import { randomUUID } from 'node:crypto';
import type { Enrollment, EnrollmentRequest } from '#core/contract/devices.ts';
import { checkEnrollment } from '#core/domain/signing/enrollment.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { MAX_SKEW_MS } from '#core/domain/signing/snapshot.ts';
import type { AppContext } from '../context.ts';
import { codeHashOf, invalidCode, readCode } from './create-enrollment-code.ts';
import { sha256, verifyEd25519 } from '../process/crypto.ts';
import { checkDeviceLimits } from '../operator/operator-limits.ts';
import { deviceOf, fingerprintKey } from './devices.ts';
import { operatorOf } from '../operator/operator.ts';
import { untilStored } from '../counting/recount.ts';
import {
  type PreparedReplacement,
  prepareReplacement,
  replaceableDevice,
  storeReplacement,
} from './replace-device.ts';
import { revokeKey } from './revoke-device.ts';
import { runYielding } from '../process/yield-to-event-loop.ts';
import { enterVisibility } from '../operator/visibility.ts';

interface Enrolled {
  created: boolean;
  enrollment: Enrollment;
}

/**
 * Binds a device's key to the account that created the code. If this account has already enrolled the key, it returns
 * the first response again, because that one may have been lost. The installation's earlier key is revoked. A replaced
 * device becomes part of the new one.
 */
export async function enrollDevice(ctx: AppContext, request: EnrollmentRequest): Promise<Enrolled> {
  const code_hash = codeHashOf(request.code);
  const { public_key, installation_id, replaces } = request;
  readCode(ctx, code_hash);
  const key = await checkEnrollment(
    { audience: ctx.config.baseUrl, code_hash, public_key, installation_id, replaces },
    request.proof,
    { verify: verifyEd25519, sha256, nowMs: ctx.now().getTime(), maxSkewMs: MAX_SKEW_MS },
  );
  const enrolling = { ...request, ...key, code_hash };
  return runYielding(untilStored(() => enroll(ctx, enrolling)));
}

interface Enrolling extends EnrollmentRequest {
  keyid: string;
  publicKey: Uint8Array;
  code_hash: string;
}

/** Prepares the slow part, then enrolls in one transaction. Returns null if the account changed in between. */
function* enroll(ctx: AppContext, enrolling: Enrolling): Generator<void, Enrolled | null> {
  const { store } = ctx;
  const wanted = store.snapshot(() => wantedReplacement(ctx, enrolling));
  const replacement = wanted && (yield* prepareReplacement(ctx, wanted));
  return store.transaction(() => {
    // Every change of the devices or their submissions changes the operator's log index.
    const last = replacement && store.operators.byId(replacement.operator_id);
    if (last?.log_index !== replacement?.log_index) return null;
    const { operator_id } = usableCode(ctx, enrolling);
    const known = knownKey(ctx, operator_id, enrolling);
    const device_id = known ?? bindKey(ctx, { operator_id, replacement }, enrolling);
    store.enrollmentCodes.use(enrolling.code_hash, enrolling.keyid);
    return { created: known === null, enrollment: enrollmentOf(ctx, device_id) };
  });
}

/** The code that a key may use, even if the same key has already used it. */
function usableCode(ctx: AppContext, { code_hash, keyid }: Enrolling) {
  const code = readCode(ctx, code_hash);
  if (code.used_by_keyid !== null && code.used_by_keyid !== keyid) throw invalidCode();
  return code;
}

/** The replacement to make; null if there is none, or if this key has already made it. */
function wantedReplacement(ctx: AppContext, enrolling: Enrolling) {
  const { installation_id, replaces } = enrolling;
  if (replaces === undefined) return null;
  const { operator_id } = usableCode(ctx, enrolling);
  if (knownKey(ctx, operator_id, enrolling) !== null) return null;
  const own = ctx.store.devices.ofInstallation(operator_id, installation_id);
  const device = replaceableDevice(ctx, operator_id, { replaces, own });
  return device && { operator_id, old: device.id, own };
}

/**
 * The device of a key that the account has already enrolled; null if the key is new.
 *
 * @throws {DomainError} `key_known` if the key belongs to another account, was revoked, or was enrolled without
 *   the requested replacement.
 */
function knownKey({ store }: AppContext, operator_id: number, { keyid, replaces }: Enrolling) {
  const known = store.devices.key(keyid);
  if (!known) return null;
  if (known.operator_id !== operator_id || known.revoked_at !== null) {
    throw new DomainError('key_known', `The key ${keyid} was already enrolled`);
  }
  const { device_id } = known;
  const replaced = replaces && store.deviceReplacements.find(operator_id, replaces)?.replaced_by;
  if (replaces !== undefined && replaced !== device_id) {
    const detail = `The key ${keyid} was already enrolled, without replacing the device ${replaces}`;
    throw new DomainError('key_known', detail);
  }
  return device_id;
}

function bindKey(
  ctx: AppContext,
  { operator_id, replacement }: { operator_id: number; replacement: PreparedReplacement | null },
  { installation_id, label, public_key, keyid, publicKey }: Enrolling,
): number {
  const { store } = ctx;
  const now = ctx.now();
  const at = now.toISOString();
  // The log first names an account when its first device is enrolled.
  const operator = operatorOf(ctx, operator_id);
  if (operator.log_index === 0) enterVisibility(ctx, operator_id);
  const replaced = replacement && endReplaced(ctx, replacement.old);
  let device_id = store.devices.ofInstallation(operator_id, installation_id);
  checkDeviceLimits(ctx, operator_id, device_id);
  if (device_id === undefined) {
    const device = { public_id: randomUUID(), operator_id, installation_id, label, created_at: at };
    device_id = store.devices.add(device);
  } else {
    const earlier = store.devices.activeKey(device_id);
    if (earlier) revokeKey(ctx, earlier, 'rotated');
    store.devices.relabel(device_id, label);
  }
  store.devices.addKey({ keyid, device_id, public_key: publicKey, enrolled_at: at });
  const device = store.devices.byId(device_id)?.public_id;
  const replaces = replaced && { replaces: replaced.public_id };
  const payload = { operator: operator.public_id, device, keyid, public_key, ...replaces };
  const { log_index } = store.log.append({ kind: 'enroll', operator_id, payload, now });
  const event = { operator_id, created_at: at };
  store.accountEvents.add({ ...event, kind: 'device_enrolled', detail: label });
  if (!replacement || !replaced) return device_id;
  const detail = `${replaced.label} by ${label}`;
  store.accountEvents.add({ ...event, kind: 'device_replaced', detail });
  store.operators.touch(operator_id, log_index);
  return storeReplacement(ctx, replacement, { own: device_id, at });
}

/** Revokes the key of a device that is about to be replaced. */
function endReplaced(ctx: AppContext, id: number) {
  const { devices } = ctx.store;
  const active = devices.activeKey(id);
  if (active) revokeKey(ctx, active, 'rotated');
  const device = devices.byId(id);
  if (!device) throw new Error('A device that can be replaced has a key');
  return device;
}

function enrollmentOf(ctx: AppContext, deviceId: number): Enrollment {
  const device = ctx.store.devices.byId(deviceId);
  const operator = device && ctx.store.operators.byId(device.operator_id);
  if (!operator) throw new DomainError('not_found', 'The account was deleted');
  const { keyid, public_key } = ctx.boardKey;
  return {
    device: deviceOf(device),
    codename: operator.codename,
    board: { name: ctx.config.site.name, base_url: ctx.config.baseUrl, keyid, public_key },
    fingerprint_key: fingerprintKey(ctx, operator),
  };
}
