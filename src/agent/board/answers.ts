/**
 * Schemas of the parts of boards' responses that this program reads. A board may be newer than the program, so
 * unknown members and values are accepted.
 */
import * as z from 'zod';
import { Digest, PublicKey } from '#core/schema/scalars.ts';

const Envelope = z.looseObject({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.looseObject({ keyid: z.string(), sig: z.string() })).min(1),
});

export const EnrollmentAnswer = z.looseObject({
  // Becomes part of a URL path.
  device: z.looseObject({ id: z.uuid() }),
  codename: z.string(),
  board: z.looseObject({ name: z.string(), public_key: PublicKey }),
  // Absent before 0.10.
  fingerprint_key: z.string().nullish(),
});

/** The devices of the account that created a code. */
export const KnownDevicesAnswer = z.looseObject({
  devices: z.array(
    z.looseObject({
      id: z.uuid(),
      label: z.string(),
      revoked_at: z.string().nullable(),
      last_submission_at: z.string().nullable(),
      days: z.array(
        z.looseObject({
          day: z.string(),
          tool: z.string(),
          total: z.number(),
          stated_at: z.string(),
        }),
      ),
    }),
  ),
});
export type KnownDeviceAnswer = z.infer<typeof KnownDevicesAnswer>['devices'][number];

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
  detail: z.string().nullish(),
});
export type Reason = z.infer<typeof Reason>;

const Standing = z.looseObject({
  window: z.string(),
  metrics: z.looseObject({ yield: z.number().nullable() }),
  rank: z.number().nullable(),
  // Both are absent before 0.4.
  rank_range: z.tuple([z.number(), z.number()]).nullish(),
  movement: z.looseObject({ day: z.number().nullish() }).nullish(),
  total: z.number(),
  reasons: z.array(Reason),
});
export type StandingAnswer = z.infer<typeof Standing>;

const Notice = z.looseObject({
  kind: z.string(),
  submission: z.string().nullish(),
  reason: z.string().nullish(),
  checks: z.array(z.looseObject({ text: z.string() })).nullish(),
  advice: z.string().nullish(),
});
export type NoticeAnswer = z.infer<typeof Notice>;

const ToolStanding = z.looseObject({
  tool: z.string(),
  has_board: z.boolean().nullish(),
  class_tier: z.string().nullish(),
  standings: z.array(Standing),
});
export type ToolStanding = z.infer<typeof ToolStanding>;

const Withdrawn = z.looseObject({
  id: z.string(),
  received_at: z.string(),
  records: z.number(),
  first_day: z.string(),
  last_day: z.string(),
});

export const SubmissionAnswer = z.looseObject({
  ...Withdrawn.shape,
  states: z.record(z.string(), z.number()),
});
export type SubmissionAnswer = z.infer<typeof SubmissionAnswer>;

export const MeAnswer = z.looseObject({
  codename: z.string(),
  privacy_mode: z.string().nullish(),
  // Absent before 0.4.
  class_tier: z.string().nullish(),
  device: z.looseObject({ last_submission_at: z.string().nullable() }).nullable(),
  // The next three are absent before 0.10.
  fingerprint_key: z.string().nullish(),
  // Absent before 0.17.
  snapshot_types: z.array(z.string()).nullish(),
  device_count: z.number().nullish(),
  shared: z
    .looseObject({
      records: z.number(),
      tokens: z.number(),
      in_part: z.number().nullish(),
      days: z.number(),
    })
    .nullish(),
  generated_at: z.string(),
  next_refresh_at: z.string(),
  standings: z.array(Standing),
  // Absent before 0.9.
  tools: z.array(ToolStanding).nullish(),
  // Absent before 0.4.
  notices: z.array(Notice).nullish(),
  // Absent before 0.10.
  withdrawn: z.array(Withdrawn).nullish(),
});
export type MeAnswer = z.infer<typeof MeAnswer>;

export const LeadersAnswer = z.looseObject({
  tools: z.array(z.string()),
  metrics: z.array(
    z.looseObject({
      metric: z.string(),
      class_medians: z
        .array(z.looseObject({ class_tier: z.string(), median: z.number().nullable() }))
        .nullish(),
    }),
  ),
});
export type LeadersAnswer = z.infer<typeof LeadersAnswer>;

export const LogAnswer = z.looseObject({
  head: z.looseObject({ log_index: z.number(), entry_hash: z.string(), signature: Envelope }),
  entries: z.array(
    z.looseObject({
      log_index: z.number(),
      kind: z.string(),
      previous: z.string(),
      received_at: z.string(),
      payload_digest: z.string(),
      entry_hash: z.string(),
      salt: Digest.nullable(),
      payload: z.string().nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type LogAnswer = z.infer<typeof LogAnswer>;

export const BoardAnswer = z.looseObject({
  as_of: z.string(),
  log_index: z.number(),
  entries: z.array(
    z.looseObject({
      codename: z.string(),
      rank: z.number(),
      metrics: z.looseObject({ yield: z.number().nullable() }),
      interval: z.tuple([z.number(), z.number().nullable()]).nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type BoardAnswer = z.infer<typeof BoardAnswer>;

export const BoardPageAnswer = z.looseObject({
  ruleset: z.string().nullish(),
  window: z.string(),
  metric: z.string(),
  as_of: z.string(),
  total: z.number(),
  tools: z.array(z.string()),
  entries: z.array(
    z.looseObject({
      rank: z.number(),
      rank_range: z.tuple([z.number(), z.number()]).nullish(),
      codename: z.string(),
      class_tier: z.string().nullish(),
      metrics: z.record(z.string(), z.number().nullable()),
      // Absent before 0.17, when the lower bound ranked.
      conservative: z.number().nullish(),
      interval: z.tuple([z.number(), z.number().nullable()]).nullable(),
      trust: z.string().nullish(),
    }),
  ),
});
export type BoardPageAnswer = z.infer<typeof BoardPageAnswer>;

export const BoardKeysAnswer = z.looseObject({
  keys: z.array(
    z.looseObject({ keyid: z.string(), public_key: z.string(), log_index: z.number() }),
  ),
  // Absent before 0.17.
  log_key: z.looseObject({ vkey: z.string(), statement: Envelope }).nullish().catch(null),
});

const Pillar = z.number().nullable();
const FourPillars = {
  input: z.number(),
  output: z.number(),
  cache_write: Pillar,
  cache_read: Pillar,
};
const DailyCount = z.looseObject({
  device: z.string(),
  label: z.string(),
  day: z.string(),
  tool: z.string(),
  provider: z.string(),
  model: z.string(),
  ...FourPillars,
  fingerprint: z.string().nullable(),
  stated_at: z.string(),
  submission: z.string(),
  counted: z.looseObject(FourPillars),
  same_as: z.string().nullable(),
});
/** A daily count of one device of the account. */
export type DailyCountAnswer = z.infer<typeof DailyCount>;

export const CountsAnswer = z.looseObject({
  entries: z.array(DailyCount),
  next_cursor: z.string().nullable(),
});

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
