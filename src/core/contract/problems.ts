/** Every kind of refusal, as a client sees it: one table for answers, pages and documents. */
import type { ErrorCode } from '../domain/text/errors.ts';
import { KEY_PROBLEMS } from './key-problems.ts';

interface ProblemKind {
  status: number;
  /** The same for every occurrence. */
  title: string;
  /** What the caller can do; null where nothing helps. */
  hint: string | null;
}

/** A code without an entry here does not compile. */
export const PROBLEMS = {
  account_limit_reached: {
    status: 409,
    title: 'The account has as much as it may have',
    hint: 'The detail says what there is too much of and how to make room. Open /settings to see what the account has.',
  },
  api_key_invalid: {
    status: 401,
    title: 'The API key is not valid',
    hint: 'Ask the keeper for a key. Only the corpus needs one: elsewhere, leave x-api-key out.',
  },
  as_of_unavailable: {
    status: 404,
    title: 'No board of that day is kept',
    hint: 'Choose a day that GET /api/v1/days lists. A board is kept for each UTC day that it was published on, once that day is over.',
  },
  audience_mismatch: {
    status: 422,
    title: 'The signed statement is meant for another board',
    hint: "Enroll at this board, or send the snapshot to the board whose address it names. The audience is the board's base URL, letter for letter.",
  },
  avatar_unacceptable: {
    status: 422,
    title: 'The picture cannot be used',
    hint: 'Send a PNG, JPEG or WebP of at most 4096 by 4096 pixels that is not damaged.',
  },
  bucket_duplicate: {
    status: 422,
    title: 'A bucket stands twice in one snapshot',
    hint: 'Send one record for each day, provider, model and tool.',
  },
  codename_taken: {
    status: 409,
    title: 'The codename is taken',
    hint: 'Choose another codename.',
  },
  codename_too_soon: {
    status: 409,
    title: 'The codename was changed not long ago',
    hint: 'A codename can be changed once in 30 days.',
  },
  codename_unknown: {
    status: 404,
    title: 'No operator has this codename',
    hint: 'Check the spelling, or create the operator with --new.',
  },
  confirmation_mismatch: {
    status: 422,
    title: 'The confirmation does not fit',
    hint: 'Type the codename of the account, letter for letter.',
  },
  correction_invalid: {
    status: 422,
    title: 'The correction names an impossible span of days',
    hint: 'Give `from` and `to` as UTC days, `from` not after `to`, neither in the future.',
  },
  count_out_of_range: {
    status: 422,
    title: 'The token counts are out of range',
    hint: "All of one operator's counts together must stay within 2^53-1.",
  },
  credential_unsuitable: {
    status: 403,
    title: 'The token is good, but not for this',
    hint: 'Another token of its kind does not help: sign in with a browser.',
  },
  csrf_rejected: {
    status: 403,
    title: 'The request came from another site',
    hint: "Send the form from this board's own pages.",
  },
  cursor_expired: {
    status: 410,
    title: 'The cursor belongs to a board that is no longer kept',
    hint: 'Start again at the first page.',
  },
  day_out_of_range: {
    status: 422,
    title: 'A record speaks of a day that cannot be reported',
    hint: 'Days run from 2023-01-01 to today, in UTC. Check the clock of your machine.',
  },
  device_not_replaceable: {
    status: 409,
    title: 'The device cannot be replaced',
    hint: 'Name another device of the account that is not compromised and not replaced yet, or enroll without replacing one. Settings, Devices lists them.',
  },
  enrollment_code_invalid: {
    status: 422,
    title: 'The enrolment code is not valid',
    hint: 'A code works once and for 10 minutes. Get another with "New key" in the settings.',
  },
  envelope_invalid: {
    status: 422,
    title: 'The body is not an acceptable DSSE envelope',
    hint: 'Send {"payloadType", "payload", "signatures": [{"keyid", "sig"}]} with exactly one signature.',
  },
  gone: {
    status: 410,
    title: 'The operation was retired',
    hint: 'The Link header names what replaces it.',
  },
  headers_too_large: {
    status: 431,
    title: 'The request head is too large',
    hint: 'Send shorter addresses, cookies and headers.',
  },
  host_not_allowed: {
    status: 403,
    title: 'The request names another host',
    hint: "Use the board's own address. Behind a proxy, have it pass the Host header on.",
  },
  http_version_unsupported: {
    status: 505,
    title: 'The HTTP version is not supported',
    hint: 'Send an HTTP/1.1 request.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was used for other content',
    hint: 'Give every request an Idempotency-Key of its own.',
  },
  ingest_unreadable: {
    status: 422,
    title: 'The text holds no usage that is known',
    hint: 'Send the JSON of ccusage, lines of a Claude Code or Codex log, an Operator Record, or four token counts.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The token does not allow this',
    hint: 'Ask for the scope that WWW-Authenticate names.',
  },
  interaction_expired: {
    status: 422,
    title: 'The sign-in took too long',
    hint: 'Start again at /login, in the browser that you want to use.',
  },
  internal_error: { status: 500, title: 'The server failed', hint: null },
  json_key_duplicate: {
    status: 400,
    title: 'A JSON object repeats a key',
    hint: 'Every key may stand once in an object.',
  },
  ...KEY_PROBLEMS,
  login_link_invalid: {
    status: 422,
    title: 'The login link is not valid',
    hint: 'A link works once and for 15 minutes. Ask the keeper for another.',
  },
  malformed_json: {
    status: 400,
    title: 'The text is not acceptable JSON',
    hint: 'Send one JSON value in UTF-8.',
  },
  method_last: {
    status: 409,
    title: 'The account would have no way to sign in',
    hint: 'Add another sign-in method first.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    hint: 'The Allow header names the methods of this address.',
  },
  method_taken: {
    status: 409,
    title: 'The sign-in method belongs to another account',
    hint: 'Sign in with it, or delete that account first.',
  },
  method_unavailable: {
    status: 503,
    title: 'The sign-in method cannot be used now',
    hint: 'Try again in a few minutes, or use another method if there is one.',
  },
  metrics_mismatch: {
    status: 422,
    title: 'A claimed metric does not follow from the telemetry',
    hint: 'Compute the metrics from the counts of the same record; the methodology page has the formulas.',
  },
  not_found: { status: 404, title: 'Nothing is here', hint: 'Check the spelling.' },
  origin_not_allowed: {
    status: 403,
    title: 'Pages of this origin may not call it',
    hint: 'Call it from a program, or ask the keeper to add the origin to MCP_ALLOWED_ORIGINS.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    hint: 'Send less at once; a snapshot may have 4 MiB, counted after decompression.',
  },
  proof_invalid: {
    status: 422,
    title: 'The proof of possession does not hold',
    hint: 'Sign exactly this request with the key that is to be enrolled.',
  },
  public_key_invalid: {
    status: 422,
    title: 'The public key is not acceptable',
    hint: 'Send 32 bytes of a canonical Ed25519 key in base64url, not of small order.',
  },
  query_invalid: {
    status: 400,
    title: 'The query is not acceptable',
    hint: 'Each item of `errors` names a parameter and the values that it accepts.',
  },
  quota_exceeded: {
    status: 429,
    title: 'Too many requests',
    hint: 'Wait as long as Retry-After says.',
  },
  request_malformed: {
    status: 400,
    title: 'The request is not acceptable HTTP',
    hint: 'Send a well-formed HTTP/1.1 request.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    hint: 'Send it again, all at once.',
  },
  service_unavailable: {
    status: 503,
    title: 'The board is not ready',
    hint: 'Try again in a few seconds.',
  },
  sign_in_failed: {
    status: 422,
    title: 'The sign-in did not succeed',
    hint: 'Start again at /login, in the browser that you want to use.',
  },
  signature_invalid: {
    status: 422,
    title: 'The signature does not hold',
    hint: 'Sign the DSSE pre-authentication encoding of exactly these payload bytes.',
  },
  snapshot_stale: {
    status: 422,
    title: 'The statement was not issued just now',
    hint: "issued_at must be within 10 minutes of the board's clock. Check the clock of your machine and sign again.",
  },
  state_conflict: {
    status: 409,
    title: 'The state does not allow it',
    hint: 'Look at its state first: what was decided or has ended cannot be changed so, and nothing of a compromised device comes back.',
  },
  submission_id_reused: {
    status: 409,
    title: 'The submission id was used for other content',
    hint: 'Give every snapshot an id of its own.',
  },
  token_invalid: {
    status: 401,
    title: 'The token is not valid',
    hint: 'A device signs a fresh token for each request; an application refreshes its access token, or asks the person again.',
  },
  too_many_sources: {
    status: 422,
    title: 'Too many different tools, providers, models or daily counts',
    hint: 'Leave out what you use least. On all devices together an operator may report at most 50 tools, 50 providers, 200 models, 200 pairs of provider and model, and 100,000 daily counts.',
  },
  transfer_coding_unknown: {
    status: 501,
    title: 'The transfer coding is not supported',
    hint: 'Send the body with Content-Length, or with Transfer-Encoding: chunked.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in first',
    hint: 'In a browser, sign in at /login; a program gets a token as WWW-Authenticate says.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not accepted here',
    hint: 'The Accept header of this answer names the media types of this address.',
  },
  validation_failed: {
    status: 422,
    title: 'The content does not fit its schema',
    hint: 'The errors name each place and what is wrong with it.',
  },
  window_unsupported: {
    status: 422,
    title: 'The record does not cover one UTC day',
    hint: 'Send daily records: timestamp 00:00:00Z of the day, context.window absent, null or "1d".',
  },
} as const satisfies Record<ErrorCode, ProblemKind>;
