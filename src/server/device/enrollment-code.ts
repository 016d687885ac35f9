import type { EnrollmentCodeRow } from '#db/enrollment-codes.ts';
import { normalizeCode } from '#core/domain/signing/enrollment.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';

/** SHA-256 of an enrollment code as somebody typed it, hex. */
export function codeHashOf(typed: string): string {
  return sha256Hex(normalizeCode(typed) ?? '');
}

/**
 * The code with this hash, which may be used already.
 *
 * @throws {DomainError} `enrollment_code_invalid` if it is unknown or expired.
 */
export function readCode(ctx: AppContext, codeHash: string): EnrollmentCodeRow {
  const code = ctx.store.enrollmentCodes.byHash(codeHash);
  if (!code || Date.parse(code.expires_at) <= ctx.now().getTime()) throw invalidCode();
  return code;
}

/**
 * A typed code that can still enroll a device.
 *
 * @throws {DomainError} `enrollment_code_invalid` if it is unknown, expired or used.
 */
export function unusedCode(ctx: AppContext, typed: string): EnrollmentCodeRow {
  const code = readCode(ctx, codeHashOf(typed));
  if (code.used_by_keyid !== null) throw invalidCode();
  return code;
}

export function invalidCode(): DomainError {
  return new DomainError(
    'enrollment_code_invalid',
    'The code is mistyped, used, or older than 10 minutes',
  );
}
