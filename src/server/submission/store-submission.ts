import { BODY_LIMIT_BYTES, type LimitName } from '#core/contract/limits.ts';
import type { SnapshotReceipt, SubmissionPreview } from '#core/contract/snapshots.ts';
import { type CountedBucket, dayAndTool, settleGroup } from '#core/domain/counting/counting.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { DomainError } from '#core/domain/text/errors.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { factsOf } from '#core/domain/log/logged-statement.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import type { LoggedEnvelope } from '#core/schema/self-report.ts';
import {
  type Correction,
  type Covers,
  RECEIPT_PAYLOAD_TYPE,
  type Receipt,
} from '#core/schema/snapshot.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';
import { sha256 } from '../process/crypto.ts';
import { replaceCounts } from '../counting/replace-counts.ts';
import { announce } from '../webhooks/announce.ts';
import { changeWithinLimits, checkStoredBytes } from '../operator/operator-limits.ts';

type AppendedEntry = ReturnType<AppContext['store']['log']['append']>;
type Stored = Pick<AppContext, 'store'>;

/** Whether a submission was stored now or earlier, and its receipt. */
export interface SubmissionResult {
  created: boolean;
  answer: SnapshotReceipt;
}

/** A submission that passed all checks, from any sender. */
interface AcceptableSubmission {
  operator_id: number;
  device_id: number;
  trust: Trust;
  keyid: string | null;
  submission_id: string;
  idempotency_key_hash: string | null;
  payloadHash: string;
  collector: { name: string; version: string } | null;
  correction: Correction | null;
  covers: Covers | null;
  buckets: readonly Bucket[];
  envelope: LoggedEnvelope;
}

type CountedSubmission = Pick<
  AcceptableSubmission,
  'buckets' | 'correction' | 'device_id' | 'operator_id' | 'trust'
>;

type RecordedSubmission = Omit<
  AcceptableSubmission,
  'correction' | 'covers' | 'envelope' | 'trust'
> & { covers: Pick<Covers, 'from' | 'to'> | null };

/** The sender of a submission, and its size. */
interface Sender {
  operator_id: number;
  /** The key of the device's limits. Self-reports have limits of their own. */
  device: string;
  bytes: number;
}

/** A submission that was received: its ID and content are read but not checked. */
export interface ArrivedSubmission {
  /** SHA-256 of the content, hex. Sending the same content again is a repetition. */
  payloadHash: string;
  /** Checks inside the transaction that the sender may still submit. */
  confirm?: () => void;
  /** The submission that is already stored under the sender's ID. */
  earlier: () => { payload_hash: string; answer: string } | undefined;
  /** The error for using the same ID with other content. */
  reused: () => DomainError;
  judge: (nowMs: number) => Bucket[];
  /** Completes the submission, inside the transaction that stores it. */
  complete: (now: Date) => Omit<AcceptableSubmission, 'buckets' | 'payloadHash'>;
}

/** Checks a submission and stores all of it in one transaction, or nothing. */
export function acceptSubmission(ctx: AppContext, sender: Sender, arrive: () => ArrivedSubmission) {
  return withinQuota(ctx, sender, async () => ctx.store.commit(accepted(ctx, arrive())), false);
}

/** Stores a submission with all checks, reads the result, and rolls back. */
export function trySubmission(ctx: AppContext, sender: Sender, arrive: () => ArrivedSubmission) {
  return withinQuota(ctx, sender, async () => undone(ctx, accepted(ctx, arrive())), true);
}

/** Checks a submission that is not stored yet. Returns a function that stores it inside a transaction. */
function accepted(ctx: AppContext, arrived: ArrivedSubmission): () => SubmissionResult {
  const stored = () => {
    const earlier = arrived.earlier();
    if (earlier && earlier.payload_hash !== arrived.payloadHash) throw arrived.reused();
    return earlier && { created: false, answer: JSON.parse(earlier.answer) as SnapshotReceipt };
  };
  const before = stored();
  if (before) return () => before;
  const now = ctx.now();
  const { payloadHash } = arrived;
  const buckets = arrived.judge(now.getTime());
  return () => {
    arrived.confirm?.();
    // The same submission may have been stored while this one waited.
    const meanwhile = stored();
    if (meanwhile) return meanwhile;
    const submission = { ...arrived.complete(now), payloadHash, buckets };
    return { created: true, answer: storeSubmission(ctx, submission, now) };
  };
}

/** Stores a submission: log entry, buckets and receipt. Call it inside a transaction. */
export function storeSubmission(ctx: AppContext, submission: AcceptableSubmission, now: Date) {
  const { operator_id, envelope } = submission;
  const entry = ctx.store.log.append({ kind: 'snapshot', operator_id, payload: envelope, now });
  checkStoredBytes(ctx, operator_id);
  settleBuckets(ctx, submission, entry);
  const answer = answerOf(ctx, submission, entry);
  if (!ctx.store.submissions.hasAny(operator_id)) {
    const about = { data: { codename: 0 }, operators: [operator_id], now };
    announce(ctx.store, { type: 'operator.joined', ...about });
  }
  recordSubmission(ctx, submission, answer, entry);
  return answer;
}

/** Replaces what counts by the buckets of a submission. Call it inside the transaction that appends its entry. */
export function settleBuckets(
  ctx: Stored,
  { operator_id, device_id, trust, correction, buckets }: CountedSubmission,
  { log_index, received_at }: Pick<AppendedEntry, 'log_index' | 'received_at'>,
): void {
  const { store } = ctx;
  const groups = new Map<string, { day: string; tool: string; buckets: Bucket[] }>();
  const corrected = correction
    ? store.buckets.daysOfTool({ operator_id, device_id, ...correction })
    : [];
  for (const day of corrected) {
    const tool = correction?.tool ?? '';
    groups.set(dayAndTool({ day, tool }), { day, tool, buckets: [] });
  }
  for (const bucket of buckets) {
    const { day, tool } = bucket;
    const group = groups.get(dayAndTool(bucket));
    if (group) group.buckets.push(bucket);
    else groups.set(dayAndTool(bucket), { day, tool, buckets: [bucket] });
  }
  changeWithinLimits(ctx, operator_id, () => {
    const standing = standingOf(ctx, operator_id, [...groups.values()]);
    const before: CountedBucket[] = [];
    const after: CountedBucket[] = [];
    for (const [key, group] of groups) {
      const own = standing.groups.get(key) ?? [];
      const stated = { device_id, log_index, trust, correction, buckets: group.buckets };
      before.push(...own);
      after.push(...settleGroup(own, stated));
    }
    const isOwnCorrection = correction !== null;
    const { days } = standing;
    replaceCounts(ctx, { operator_id, before, after, days, received_at, isOwnCorrection });
  });
  store.operators.touch(operator_id, log_index);
}

/** The current counts of groups, and those of all their days if they are read in one step. */
function standingOf(
  { store: { buckets } }: Pick<AppContext, 'store'>,
  operator_id: number,
  groups: readonly { day: string; tool: string }[],
): { groups: ReadonlyMap<string, readonly CountedBucket[]>; days: CountedBucket[] | null } {
  const names = groups.map(({ day }) => day).sort();
  const [from = '', to = ''] = [names[0], names.at(-1)];
  if (dayNumber(to) - dayNumber(from) < 2 * groups.length) {
    const days = buckets.ofDays({ operator_id, from, to });
    return { groups: groupBy(days, dayAndTool), days };
  }
  const read = groups.map((group) => {
    const { day, tool } = group;
    return [dayAndTool(group), buckets.group({ operator_id, day, tool })] as const;
  });
  return { groups: new Map(read), days: null };
}

/** Follows from the entry, so that a board that takes its entries from a copy of its log knows it. */
export function submissionIdOf(received_at: string, salt: Uint8Array): string {
  return uuidV7(Date.parse(received_at), sha256(`submission ${hex(salt)}`));
}

function answerOf(
  ctx: AppContext,
  { submission_id, buckets }: AcceptableSubmission,
  { log_index, entry_hash, received_at, previous, salt }: AppendedEntry,
): SnapshotReceipt {
  const receipt: Receipt = { log_index, entry_hash, received_at, ruleset: ctx.ruleset.id };
  const payload = new TextEncoder().encode(JSON.stringify(receipt));
  return {
    id: submissionIdOf(received_at, salt),
    submission_id,
    ...receipt,
    records: buckets.length,
    receipt: ctx.boardKey.seal(RECEIPT_PAYLOAD_TYPE, payload),
    proof: { previous, salt: hex(salt) },
  };
}

/** Stores a submission of an entry that was appended in the same transaction. */
export function recordSubmission(
  ctx: Stored,
  submission: RecordedSubmission,
  answer: SnapshotReceipt,
  { packed }: Pick<AppendedEntry, 'packed'>,
): void {
  const { operator_id, device_id, keyid, submission_id, idempotency_key_hash } = submission;
  const { days, first_day, last_day, tools } = factsOf(submission.buckets);
  const row = {
    log_index: answer.log_index,
    id: answer.id,
    operator_id,
    device_id,
    keyid,
    submission_id,
    idempotency_key_hash,
    payload_hash: submission.payloadHash,
    collector_name: submission.collector?.name ?? null,
    collector_version: submission.collector?.version ?? null,
    records: answer.records,
    days,
    first_day,
    last_day,
    tools: JSON.stringify(tools),
    covers_from: submission.covers?.from ?? null,
    covers_to: submission.covers?.to ?? null,
    answer: JSON.stringify(answer),
  };
  ctx.store.submissions.add(row, packed);
}

/**
 * Counts a submission against its sender's limits. Rejected submissions and dry runs do not count, because the limit
 * on writes covers their work. However, the limit on snapshots a minute counts large ones in any case, because checking
 * them is most of the work.
 */
async function withinQuota<Result>(
  { limiter }: Pick<AppContext, 'limiter'>,
  { operator_id, device, bytes }: Sender,
  submit: () => Promise<Result>,
  isTried: boolean,
): Promise<Result> {
  const operator = String(operator_id);
  const wanted: readonly (readonly [LimitName, string, number])[] = [
    ['snapshots', operator, 1],
    ['account', operator, 1],
    ['account_bytes', operator, bytes],
    ['device', device, 1],
    ['device_bytes', device, bytes],
  ];
  const taken: (typeof wanted)[number][] = [];
  const giveBack = () => {
    for (const [policy, client, cost] of taken) {
      const isKept = policy === 'snapshots' && bytes > BODY_LIMIT_BYTES;
      if (!isKept) limiter.giveBack(policy, client, cost);
    }
  };
  try {
    for (const one of wanted) {
      const [policy, client, cost] = one;
      limiter.take(policy, client, { cost });
      taken.push(one);
    }
    const result = await submit();
    if (isTried) giveBack();
    return result;
  } catch (error) {
    giveBack();
    throw error;
  }
}

class Undo extends Error {}

async function undone(ctx: AppContext, store: () => SubmissionResult): Promise<SubmissionPreview> {
  const undo = new Undo();
  let preview: SubmissionPreview | undefined;
  const tried = ctx.store.commit(() => {
    preview = previewOf(ctx, store());
    throw undo;
  });
  await tried.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  if (!preview) throw undo;
  return preview;
}

function previewOf(
  { store }: AppContext,
  { created, answer }: SubmissionResult,
): SubmissionPreview {
  const row = store.submissions.byId(answer.id);
  if (!row) throw new Error(`The submission ${answer.id} was not stored`);
  const { operator_id, log_index, records, days, first_day, last_day } = row;
  const span = { operator_id, from: first_day, to: last_day, first: log_index, last: log_index };
  return {
    dry_run: true,
    already_stored: !created,
    records,
    counting: store.records.perSubmission(span).get(log_index) ?? 0,
    days,
    first_day,
    last_day,
    tools: JSON.parse(row.tools) as string[],
  };
}
