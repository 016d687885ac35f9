import { DomainError, type ErrorCode } from '#core/domain/errors.ts';
import type { RateLimiter } from '../rate-limit.ts';

/** Refusals of bodies that prove nobody. Whoever can prove something is limited as an operator. */
const UNPROVEN: readonly ErrorCode[] = [
  'envelope_invalid',
  'json_key_duplicate',
  'key_revoked',
  'key_unknown',
  'malformed_json',
  'payload_too_large',
  'signature_invalid',
];

/**
 * Reads a body that is to prove itself. A large one counts against its client before it is read, and no
 * longer once it has proven itself.
 *
 * @param read Calls its argument before it reads anything large.
 * @throws {QuotaError} if the client sent too many large bodies that proved nothing.
 */
export async function countUnproven<Result>(
  { limiter, client }: { limiter: RateLimiter; client: string },
  read: (admitLarge: () => void) => Promise<Result>,
): Promise<Result> {
  let isCounted = false;
  let isProven = true;
  try {
    return await read(() => {
      limiter.take('uploads', client);
      isCounted = true;
    });
  } catch (error) {
    isProven = !(error instanceof DomainError && UNPROVEN.includes(error.code));
    throw error;
  } finally {
    if (isCounted && isProven) limiter.giveBack('uploads', client);
  }
}
