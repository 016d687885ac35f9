/**
 * The payloads of log entries, as far as a replay needs them. Unknown members are accepted, because later versions
 * may add some.
 *
 * @module
 */
import * as z from 'zod';
import { PrivacyMode } from './record.ts';
import { Day, Digest, KeyId, Label, PublicKey, TokenCount } from './scalars.ts';

/** The media type of the envelope in which a board publishes its key. */
export const BOARD_KEY_PAYLOAD_TYPE = 'application/vnd.opbench.board-key.v1+json';

/** The media type of the envelope in which a board publishes the key of its checkpoints. */
export const LOG_KEY_PAYLOAD_TYPE = 'application/vnd.opbench.log-key.v1+json';

const LogIndex = z.int().min(1);
const operator = z.uuid();

export const EnrollPayload = z.looseObject({
  operator,
  device: z.uuid(),
  keyid: KeyId,
  public_key: PublicKey,
  /** A device of the operator whose counts belong to the new device from this entry on. */
  replaces: z.uuid().optional(),
});
export type EnrollPayload = z.infer<typeof EnrollPayload>;
export const RevokePayload = z.looseObject({
  operator,
  device: z.uuid(),
  keyid: KeyId,
  reason: z.string(),
});
export type RevokePayload = z.infer<typeof RevokePayload>;
export const VisibilityPayload = z.looseObject({
  operator,
  codename: z.string(),
  privacy_mode: PrivacyMode,
  data_opt_out: z.boolean(),
});
export type VisibilityPayload = z.infer<typeof VisibilityPayload>;
/** For `erase` and `lost`: ranges of entries that are empty, each with the first and the last. */
export const ErasePayload = z.looseObject({ entries: z.array(z.tuple([LogIndex, LogIndex])) });
/** For `withdraw`, `restore`, `hold`, `release` and `reject`; `log_index` is the entry of the submission. */
export const DecisionPayload = z.looseObject({ operator, log_index: LogIndex });
/** For `hide` and `unhide`. */
export const HidePayload = z.looseObject({ operator });

export const BoardPayload = z.looseObject({
  day: Day,
  /** The entry that the day's board is based on. */
  log_index: LogIndex,
  /** SHA-256 of the board's `standing` lines as the public log has them, each with its line feed. */
  sha256: Digest,
});
export type BoardPayload = z.infer<typeof BoardPayload>;

const Least = z.number().min(0);
const LeastByWindow = z.looseObject({ '7d': Least, '30d': Least, '90d': Least, all_time: Least });
export const RulesetPayload = z.looseObject({
  id: z.string().min(1),
  // Boards before 0.4 had no intervals.
  interval: z.string().min(1).optional(),
  active_day_tokens: Least,
  active_days: LeastByWindow,
  effective_days: LeastByWindow,
  total_tokens: Least,
  output_tokens: Least,
  coverage: Least,
  stated_days: Least.max(1).optional(),
});

/** By kind of entry, except the signed kinds: submissions, and keys of the board and the log. */
export const PAYLOADS = {
  board: BoardPayload,
  enroll: EnrollPayload,
  erase: ErasePayload,
  hide: HidePayload,
  hold: DecisionPayload,
  lost: ErasePayload,
  reject: DecisionPayload,
  release: DecisionPayload,
  restore: DecisionPayload,
  revoke: RevokePayload,
  ruleset: RulesetPayload,
  unhide: HidePayload,
  visibility: VisibilityPayload,
  withdraw: DecisionPayload,
} as const;
export type LogPayload<Kind extends keyof typeof PAYLOADS> = z.infer<(typeof PAYLOADS)[Kind]>;

export const BoardKeyStatement = z.looseObject({
  keyid: KeyId,
  public_key: PublicKey,
  previous: KeyId.nullable(),
});

/** The statement in a `log-key`: the log's name in checkpoints, and the key that signs them. */
export const LogKeyStatement = z.looseObject({
  origin: z.string().min(1).max(255),
  vkey: z.string().max(500),
});
export type LogKeyStatement = z.infer<typeof LogKeyStatement>;

/** The envelope of a `board-key`. A later key is also signed by the previous one. */
export const BoardKeyEnvelope = z.looseObject({
  payloadType: z.literal(BOARD_KEY_PAYLOAD_TYPE),
  payload: z.string(),
  signatures: z.array(z.looseObject({ keyid: KeyId, sig: z.string().length(88) })).min(1),
});

/** A submission, signed or not. Checks made on receipt are not repeated. */
export const StatementPayload = z.looseObject({
  /** The board that a signed submission is for. */
  audience: z.string().optional(),
  /** The account, if the records were submitted by hand. */
  operator: operator.optional(),
  submission_id: z.string().optional(),
  collector: z.looseObject({ name: z.string(), version: z.string() }).nullish(),
  correction: z.looseObject({ tool: Label, from: Day, to: Day }).nullish(),
  covers: z.looseObject({ from: Day, to: Day }).nullish(),
  records: z.array(
    z.looseObject({
      timestamp: z.iso.datetime({ offset: true }),
      source: z.looseObject({ provider: z.string(), model: z.string(), tool: Label }),
      telemetry: z.looseObject({
        input: TokenCount,
        output: TokenCount,
        cache_write: TokenCount.nullish(),
        cache_read: TokenCount.nullish(),
      }),
    }),
  ),
});
export type StatementPayload = z.infer<typeof StatementPayload>;
