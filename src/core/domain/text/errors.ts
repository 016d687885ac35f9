/** Every refusal has a stable code; what a client sees of it is told in `contract/problem.ts`. */

/** One fault of one place in the caller's input; `pointer` is a JSON Pointer fragment. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

export type ErrorCode =
  | 'account_limit_reached'
  | 'api_key_invalid'
  | 'as_of_unavailable'
  | 'audience_mismatch'
  | 'avatar_unacceptable'
  | 'bucket_duplicate'
  | 'codename_taken'
  | 'codename_too_soon'
  | 'codename_unknown'
  | 'confirmation_mismatch'
  | 'correction_invalid'
  | 'count_out_of_range'
  | 'credential_unsuitable'
  | 'csrf_rejected'
  | 'cursor_expired'
  | 'day_out_of_range'
  | 'device_not_replaceable'
  | 'enrollment_code_invalid'
  | 'envelope_invalid'
  | 'gone'
  | 'headers_too_large'
  | 'host_not_allowed'
  | 'http_version_unsupported'
  | 'idempotency_key_reused'
  | 'ingest_unreadable'
  | 'insufficient_scope'
  | 'interaction_expired'
  | 'internal_error'
  | 'json_key_duplicate'
  | 'key_known'
  | 'key_revoked'
  | 'key_unknown'
  | 'login_link_invalid'
  | 'malformed_json'
  | 'method_last'
  | 'method_not_allowed'
  | 'method_taken'
  | 'method_unavailable'
  | 'metrics_mismatch'
  | 'not_found'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'proof_invalid'
  | 'public_key_invalid'
  | 'query_invalid'
  | 'quota_exceeded'
  | 'request_malformed'
  | 'request_timeout'
  | 'service_unavailable'
  | 'sign_in_failed'
  | 'signature_invalid'
  | 'snapshot_stale'
  | 'state_conflict'
  | 'submission_id_reused'
  | 'token_invalid'
  | 'too_many_sources'
  | 'transfer_coding_unknown'
  | 'unauthenticated'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'window_unsupported';

/** A refusal that the caller can act on: a permanent `code` and a sentence about this occurrence. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** The single faults, where the input was checked against a schema. */
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, detail: string, faults: readonly Fault[] = []) {
    super(detail);
    this.code = code;
    this.faults = faults;
  }
}

/**
 * An error as the refusal that it may be.
 *
 * @throws The error itself if it is no refusal with one of these codes.
 */
export function refusalAmong(error: unknown, ...codes: readonly ErrorCode[]): DomainError {
  if (error instanceof DomainError && codes.includes(error.code)) return error;
  throw error;
}

/** What is read, or null where it is refused with one of these codes; every other error is thrown on. */
export function nullIfRefused<Found>(
  read: () => Found,
  ...codes: readonly ErrorCode[]
): Found | null {
  try {
    return read();
  } catch (error) {
    refusalAmong(error, ...codes);
    return null;
  }
}
