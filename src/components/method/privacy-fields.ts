/** Every field that a device sends, and why: what the privacy page tells, and tests hold against the schemas. */
import { composeSnapshot } from '#core/domain/signing/snapshot.ts';

export interface ToldField {
  name: string;
  why: string;
}

/** The signed text of a snapshot; members of `records` stand for each of them. */
export const PAYLOAD_FIELDS: readonly ToldField[] = [
  { name: 'type', why: 'Names the format.' },
  { name: 'audience', why: 'The board that it is meant for, so that no other takes it.' },
  { name: 'submission_id', why: 'A random number with the time, so that nothing counts twice.' },
  { name: 'issued_at', why: 'When it was signed: an old one is refused.' },
  { name: 'collector', why: 'The program that counted, and its version.' },
  {
    name: 'correction',
    why: 'Null, or the tool and days of which this replaces all that was sent before.',
  },
  { name: 'records[].spec', why: 'The format of a record.' },
  { name: 'records[].timestamp', why: 'The UTC day; never an hour.' },
  { name: 'records[].source', why: 'Provider, model and tool, as the tool names them.' },
  { name: 'records[].telemetry', why: 'The four sums of tokens of that day.' },
  { name: 'records[].metrics', why: 'What follows from them; the board computes it again.' },
  { name: 'records[].warnings', why: 'Why a metric is null.' },
  {
    name: 'records[].context',
    why: 'That a record covers one day. A fingerprint lets the board count responses once that several of your devices have logged: up to 15 numbers, computed from the IDs of responses with a secret key of your account.',
  },
];

/** What the envelope has around that text. */
export const ENVELOPE_FIELDS: readonly ToldField[] = [
  { name: 'payloadType', why: 'Names what is inside.' },
  { name: 'payload', why: 'The exact text above, in base64.' },
  { name: 'signatures', why: 'The signature, and the name of the key that made it.' },
];

/** What `opbench enroll` sends, once. */
export const ENROLLMENT_FIELDS: readonly ToldField[] = [
  { name: 'code', why: 'The code from the settings: it says whose device it is.' },
  { name: 'public_key', why: 'By which the board checks signatures. The private key stays.' },
  {
    name: 'installation_id',
    why: 'A random number, so that the same machine stays one device when it enrols again.',
  },
  { name: 'label', why: 'What the settings call it: system and processor, or what --label says.' },
  {
    name: 'proof',
    why: 'A signature by the new key over address, hash of the code, key, number and time.',
  },
  {
    name: 'replaces',
    why: 'Only if you said so: the device whose place this one takes, so that nothing counts twice.',
  },
];

/** The claims of the token that speaks for a device. */
export const TOKEN_FIELDS: readonly ToldField[] = [
  { name: 'aud', why: 'The board.' },
  { name: 'iat', why: 'When it was made.' },
  { name: 'exp', why: 'When it ends: a minute later.' },
  { name: 'jti', why: 'A random number: it works once.' },
  { name: 'htm', why: 'The method of the one request that it is good for.' },
  { name: 'htu', why: 'The address of that request.' },
];

/** A snapshot as `opbench submit --dry-run` shows it, but on several lines. */
export function examplePayload(audience: string, version: string): string {
  const bytes = composeSnapshot({
    audience,
    submission_id: '019aa3c1-6f00-7b3e-9f55-0e3b7a1c4f10',
    issuedAtMs: Date.UTC(2026, 10, 21, 9, 30),
    collector: { name: 'opbench', version },
    correction: null,
    buckets: [
      {
        day: '2026-11-20',
        provider: 'anthropic',
        model: 'claude-example',
        tool: 'claude-code',
        input: 52_180,
        output: 118_402,
        cache_write: 264_711,
        cache_read: 5_210_338,
        fingerprint: 'AS9qEQVxwN4LPp9VEaTC8Bx7PgE',
      },
    ],
  });
  return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2);
}
