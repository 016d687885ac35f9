import { randomBytes } from 'node:crypto';
import type { EnrollmentCodeRow } from '#db/devices.ts';
import type { EnrollmentCode } from '#core/contract/devices.ts';
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { CODE_TTL_MS, formatCode, normalizeCode } from '#core/domain/signing/enrollment.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';

/** Creates a one-time enrollment code. Only its hash is stored. */
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

export function codeHashOf(typed: string): string {
  return sha256Hex(normalizeCode(typed) ?? '');
}

/** The code with this hash, which may already be used. */
export function readCode(ctx: AppContext, codeHash: string): EnrollmentCodeRow {
  const code = ctx.store.enrollmentCodes.byHash(codeHash);
  if (!code || Date.parse(code.expires_at) <= ctx.now().getTime()) throw invalidCode();
  return code;
}

/** Returns a typed code that can still enroll a device. */
export function unusedCode(ctx: AppContext, typed: string): EnrollmentCodeRow {
  const code = readCode(ctx, codeHashOf(typed));
  if (code.used_by_keyid !== null) throw invalidCode();
  return code;
}

export function invalidCode(): DomainError {
  return new DomainError(
    'enrollment_code_invalid',
    'The code is mistyped, was already used, or is more than 10 minutes old',
  );
}
