/**
 * What this command reads of a board's answers. An installed command meets boards that are newer
 * than itself: members and words that it does not know are let through.
 */
import * as z from 'zod';
import { Digest, PublicKey } from '#core/schema/scalars.ts';

const Envelope = z.looseObject({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.looseObject({ keyid: z.string(), sig: z.string() })).min(1),
});

export const EnrollmentAnswer = z.looseObject({
  // It becomes part of a path.
  device: z.looseObject({ id: z.uuid() }),
  codename: z.string(),
  board: z.looseObject({ name: z.string(), public_key: PublicKey }),
});
export type EnrollmentAnswer = z.infer<typeof EnrollmentAnswer>;

export const ReceiptAnswer = z.looseObject({
  log_index: z.number(),
  entry_hash: z.string(),
  received_at: z.string(),
  ruleset: z.string(),
  receipt: Envelope,
  proof: z.looseObject({ previous: z.string(), salt: Digest }),
});
export type ReceiptAnswer = z.infer<typeof ReceiptAnswer>;

const Reason = z.looseObject({
  code: z.string(),
  required: z.number().nullish(),
  actual: z.number().nullish(),
});
export type Reason = z.infer<typeof Reason>;

const Standing = z.looseObject({
  window: z.string(),
  metrics: z.looseObject({ yield: z.number().nullable() }),
  rank: z.number().nullable(),
  total: z.number(),
  reasons: z.array(Reason),
});
export type Standing = z.infer<typeof Standing>;

export const MeAnswer = z.looseObject({
  codename: z.string(),
  device: z.looseObject({ last_submission_at: z.string().nullable() }).nullable(),
  generated_at: z.string(),
  next_refresh_at: z.string(),
  standings: z.array(Standing),
});
export type MeAnswer = z.infer<typeof MeAnswer>;

export const RevokeAnswer = z.looseObject({ id: z.string() });

export const ProblemAnswer = z.looseObject({
  code: z.string(),
  detail: z.string(),
  hint: z.string().nullish().catch(null),
  errors: z
    .array(z.looseObject({ pointer: z.string(), detail: z.string() }))
    .nullish()
    .catch(null),
});
