import { randomBytes } from 'node:crypto';
import type { EnrollmentCode } from '#core/contract/devices.ts';
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { CODE_TTL_MS, formatCode, normalizeCode } from '#core/domain/signing/enrollment.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';

/** Makes a one-time code; only its hash is kept. */
export function createEnrollmentCode(ctx: AppContext, operatorId: number): EnrollmentCode {
  const code = formatCode(randomBytes(15));
  const now = ctx.now();
  const expires_at = new Date(now.getTime() + CODE_TTL_MS).toISOString();
  const row = {
    code_hash: sha256Hex(normalizeCode(code) ?? ''),
    operator_id: operatorId,
    created_at: now.toISOString(),
    expires_at,
  };
  const { most } = ACCOUNT_LIMITS.enrollment_codes;
  ctx.store.transaction(() => ctx.store.enrollmentCodes.add(row, most));
  return { code, expires_at };
}
