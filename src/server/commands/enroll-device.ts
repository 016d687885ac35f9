import { randomUUID } from 'node:crypto';
import type { Enrollment, EnrollmentRequest } from '#core/contract/devices.ts';
import { checkEnrollment, normalizeCode } from '#core/domain/enrollment.ts';
import { DomainError } from '#core/domain/errors.ts';
import { MAX_SKEW_MS } from '#core/domain/snapshot.ts';
import type { AppContext } from '../context.ts';
import { sha256, sha256Hex, verifyEd25519 } from '../identity/crypto.ts';
import { checkDeviceLimits } from '../account-limits.ts';
import { deviceOf } from '../device.ts';
import { operatorOf } from '../operator.ts';
import { revokeKey } from '../revoke-key.ts';
import { enterVisibility } from '../visibility.ts';

/**
 * Binds a device's key to the account that made the code. A key that this account has enrolled is
 * answered as it was the first time, because that answer may have been lost; the installation's
 * earlier key is revoked.
 *
 * @throws {DomainError} for every refusal; see the route's `errors`.
 */
export async function enrollDevice(
  ctx: AppContext,
  request: EnrollmentRequest,
): Promise<{ created: boolean; enrollment: Enrollment }> {
  const code_hash = sha256Hex(normalizeCode(request.code) ?? '');
  const { public_key, installation_id } = request;
  readCode(ctx, code_hash);
  const { keyid, publicKey } = await checkEnrollment(
    { audience: ctx.config.baseUrl, code_hash, public_key, installation_id },
    request.proof,
    { verify: verifyEd25519, sha256, nowMs: ctx.now().getTime(), maxSkewMs: MAX_SKEW_MS },
  );
  return ctx.store.transaction(() => {
    const { operator_id, used_by_keyid } = readCode(ctx, code_hash);
    if (used_by_keyid !== null && used_by_keyid !== keyid) throw invalidCode();
    const known = ctx.store.devices.key(keyid);
    if (known && (known.operator_id !== operator_id || known.revoked_at !== null)) {
      throw new DomainError('key_known', `The key ${keyid} was enrolled before`);
    }
    const device_id = known?.device_id ?? bindKey(ctx, { operator_id, keyid, publicKey }, request);
    ctx.store.enrollmentCodes.use(code_hash, keyid);
    return { created: !known, enrollment: enrollmentOf(ctx, device_id) };
  });
}

function readCode(ctx: AppContext, codeHash: string) {
  const code = ctx.store.enrollmentCodes.byHash(codeHash);
  if (!code || Date.parse(code.expires_at) <= ctx.now().getTime()) throw invalidCode();
  return code;
}

function invalidCode(): DomainError {
  return new DomainError(
    'enrollment_code_invalid',
    'The code is mistyped, used, or older than 10 minutes',
  );
}

/** Gives the key to the installation's device, which is made on its first enrolment. */
function bindKey(
  ctx: AppContext,
  { operator_id, keyid, publicKey }: { operator_id: number; keyid: string; publicKey: Uint8Array },
  { installation_id, label, public_key }: EnrollmentRequest,
): number {
  const { store } = ctx;
  const now = ctx.now();
  const at = now.toISOString();
  // The log names an account when its first device enrols, not before.
  const operator = operatorOf(ctx, operator_id);
  if (operator.log_index === 0) enterVisibility(ctx, operator_id);
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
  const payload = { operator: operator.public_id, device, keyid, public_key };
  store.log.append({ kind: 'enroll', operator_id, payload, now });
  const event = { kind: 'device_enrolled', detail: label, created_at: at } as const;
  store.accountEvents.add({ operator_id, ...event });
  return device_id;
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
  };
}
