/** Sends everything that one board does not have yet, one snapshot after the other. */
import { bucketKey, sourceKey, totalOf } from '#core/domain/counting/bucket.ts';
import { seal } from '#core/domain/signing/dsse.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { MAX_SKEW_MS } from '#core/domain/signing/snapshot.ts';
import { type Correction, SNAPSHOT_PAYLOAD_TYPE_2 } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { MeAnswer, ReceiptAnswer } from '../board/answers.ts';
import { Refusal, nullIfFailure } from '../failure.ts';
import { aboveBaseline } from '../state/baseline.ts';
import { keepFingerprintKey } from '../state/board-files.ts';
import { signingKey } from '../state/keystore.ts';
import type { Outbox, StatedBuckets } from '../state/outbox.ts';
import { counted } from '../text/figures.ts';
import { SEND_WITHDRAWN, withdrawnText } from '../text/known-devices.ts';
import { type Sendable, batchesOf, composePayload, statementsDue } from './compose.ts';
import type { Stating } from './covered-days.ts';
import { type Delivery, type Parcel, deliver, readableStatement } from './deliver.ts';
import { fingerprintSource } from './fingerprints.ts';
import { recover } from './recover.ts';
import { withRetries } from './retry.ts';
import { type SharedDue, sharedDue } from './shared-counts.ts';
import { keepForStatusLine } from './standing.ts';
import { daysOf, knownWithdrawn, lackingTo, withdrawnBuckets } from './withdraw.ts';

export interface SendResult {
  board: string;
  snapshots: number;
  records: number;
  receipts: ReceiptAnswer[];
  /** Days that the board replaced because they were counted with other rules. */
  corrections: Correction[];
}

interface Refused {
  refusal: Refusal;
  statement: StatedBuckets;
}

/** How often a statement with too many new sources is halved to find those that the board still accepts. */
const MAX_HALVINGS = 3;

/** Error codes for counts that exceed a limit together with those on the board. Other counts may still fit. */
const TOO_MUCH = ['count_out_of_range', 'too_many_sources'];

/**
 * Sends pending envelopes, then new counts of the ledger.
 *
 * @throws {Failure} at the first error. If a limit is exceeded, only after everything that fits was sent.
 */
export async function sendAll(
  asked: Delivery,
  sendable: Sendable,
  submission: SendResult,
): Promise<void> {
  const { device, identity, outbox, progress, note } = asked;
  const { me, isLost } = await compareWithBoard(asked);
  const fingerprints = fingerprintSource(device, identity, sendable.ledger);
  const delivery = { ...asked, fingerprints, statesDays: acceptsDays(me) };
  await sendWaiting(delivery, submission);
  const last = me?.device?.last_submission_at ?? null;
  if (!isLost) await recover(delivery, sendable.ledger, last);
  const stating = me ? await settleWithdrawn(delivery, me) : null;
  const { statements, notes } = statementsDue(outbox, sendable, stating);
  notes.forEach(note);
  const again = await againDue(delivery, sendable, me);
  statements.push(...batchesOf(without(again.buckets, statements)));
  const refused: Refused[] = [];
  for (const [at, statement] of statements.entries()) {
    progress(`batch ${at + 1} of ${statements.length}`);
    refused.push(...(await sendFitting(delivery, statement, submission)));
  }
  const rules = Object.entries(sendable.rules).filter(([tool]) => {
    return !refused.some(({ statement: { correction } }) => correction?.tool === tool);
  });
  outbox.settleRules(Object.fromEntries(rules));
  if (refused.length === 0) again.settle();
  if (refused[0]) throw refusalOf(refused[0].refusal, refused);
}

/**
 * Must run before anything is sent, because a new submission would hide that a board was restored from a backup.
 *
 * @returns The board's response, null if there is none, and whether the board lost submissions.
 */
async function compareWithBoard({
  device,
  identity,
  outbox,
  progress,
  note,
}: Delivery): Promise<{ me: MeAnswer | null; isLost: boolean }> {
  const { client, keystore } = device;
  try {
    const me = await withRetries(device, () => client.me(identity), progress);
    keepForStatusLine(device, identity, me);
    const isLost = outbox.compare(me.device?.last_submission_at ?? null);
    if (isLost)
      note('the board no longer has all submissions of this device, so all days are sent again');
    const { fingerprint_key: key } = me;
    if (key) keepFingerprintKey(keystore.folderOf(identity.board), identity.device_id, key);
    return { me, isLost };
  } catch (error) {
    // A wrong clock invalidates a token sooner than a snapshot.
    if (!(error instanceof Refusal) || error.code !== 'token_invalid') throw error;
    if (Math.abs(client.skewMs(identity.board) ?? 0) > MAX_SKEW_MS) throw error;
    return { me: null, isLost: false };
  }
}

/** Counts that another device has sent too, and that the board has from this one without a fingerprint. */
async function againDue(
  { device, identity, outbox, fingerprints, note }: Delivery,
  { buckets: kept, ...others }: Sendable,
  me: MeAnswer | null,
): Promise<SharedDue> {
  if (!me || !fingerprints) return { buckets: [], settle: () => undefined };
  const sendable = { ...others, buckets: aboveBaseline(kept, outbox.baseline()) };
  const due = await sharedDue(device, identity, { me, sendable, source: fingerprints });
  const records = counted(due.buckets.length, 'daily count');
  const text = `${records} sent again with fingerprints, because another device has the same days`;
  if (due.buckets.length > 0) note(text);
  return due;
}

function without(buckets: readonly Bucket[], statements: readonly StatedBuckets[]): Bucket[] {
  const held = new Set(statements.flatMap((statement) => statement.buckets.map(bucketKey)));
  return buckets.filter((bucket) => !held.has(bucketKey(bucket)));
}

/** Whether the board accepts statements of days. */
function acceptsDays(me: MeAnswer | null): boolean {
  return me?.snapshot_types?.includes(SNAPSHOT_PAYLOAD_TYPE_2) ?? false;
}

/**
 * Marks withdrawn days as not sent if `withWithdrawn` is set. Otherwise notes that they are not sent.
 *
 * @returns What can be stated; null if the board does not accept it, or its counts are unknown.
 * @throws {Failure} if `withWithdrawn` is set and the board cannot list them.
 */
async function settleWithdrawn(delivery: Delivery, me: MeAnswer): Promise<Stating | null> {
  const { device, outbox, note, withWithdrawn = false } = delivery;
  const find = withWithdrawn ? withdrawnBuckets : knownWithdrawn;
  const buckets = await find(device, delivery, me);
  if (buckets === null) return null;
  const left = withWithdrawn ? [] : buckets;
  if (withWithdrawn) outbox.forget(buckets);
  else if (buckets.length > 0)
    note(
      `${withdrawnText(daysOf(buckets), device.nowMs())}. To send them again: ${SEND_WITHDRAWN}`,
    );
  if (delivery.statesDays !== true) return null;
  const lacking = await lackingTo(device, delivery, me, left).catch(nullIfFailure);
  return lacking === null ? null : { today: utcDay(device.nowMs()), lackingTo: lacking.day };
}

async function sendWaiting(delivery: Delivery, submission: SendResult): Promise<void> {
  const { identity, outbox, progress, note } = delivery;
  const waiting = outbox.pending();
  for (const [at, parcel] of waiting.entries()) {
    progress(`pending batch ${at + 1} of ${waiting.length}`);
    const statement = readableStatement(parcel.envelope, identity.board);
    if (statement === null) {
      outbox.drop(parcel.id);
      note('a saved batch was damaged and was discarded; its counts are sent again');
      continue;
    }
    try {
      await send(delivery, parcel, statement, submission);
    } catch (error) {
      // Its counts are sent again with the rest.
      if (!isTooMuch(error)) throw error;
    }
  }
}

/** Sends a statement, in parts if the board rejects it as a whole. Returns the rejected parts. */
async function sendFitting(
  delivery: Delivery,
  statement: StatedBuckets,
  submission: SendResult,
  halvings = MAX_HALVINGS,
): Promise<Refused[]> {
  try {
    await sendStatement(delivery, statement, submission);
    return [];
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    const { isHalved, parts } = partsOf(delivery.outbox, statement, error);
    if (parts.length < 2 || (isHalved && halvings === 0)) return [{ refusal: error, statement }];
    const refused: Refused[] = [];
    for (const buckets of parts) {
      const part = { correction: null, buckets };
      refused.push(...(await sendFitting(delivery, part, submission, halvings - Number(isHalved))));
    }
    return refused;
  }
}

/**
 * The parts of a rejected statement to try one after the other. They are its tools or, for one tool with too many
 * sources, known sources before new ones. New sources are halved, because another device may have added some of them.
 */
function partsOf(
  outbox: Outbox,
  { correction, buckets }: StatedBuckets,
  { code }: Refusal,
): { isHalved: boolean; parts: (readonly Bucket[])[] } {
  if (correction) return { isHalved: false, parts: [] };
  const byTool = [...groupBy(buckets, ({ tool }) => tool).values()];
  if (byTool.length > 1 || code !== 'too_many_sources') return { isHalved: false, parts: byTool };
  const known = new Set(outbox.sent().map(sourceKey));
  const byAge = [...groupBy(buckets, (bucket) => known.has(sourceKey(bucket))).entries()];
  if (byAge.length > 1) {
    return {
      isHalved: false,
      parts: byAge.sort(([a], [b]) => Number(b) - Number(a)).map(([, part]) => part),
    };
  }
  const bySource = [...groupBy(buckets, sourceKey).values()].sort((a, b) => sumOf(b) - sumOf(a));
  const middle = Math.ceil(bySource.length / 2);
  const halves = [bySource.slice(0, middle), bySource.slice(middle)];
  return {
    isHalved: true,
    parts: halves.map((half) => half.flat()).filter((half) => half.length > 0),
  };
}

function sumOf(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
}

async function sendStatement(
  delivery: Delivery,
  statement: StatedBuckets,
  submission: SendResult,
): Promise<void> {
  const { device, identity, outbox } = delivery;
  const { id, payloadType, payload } = composePayload(device, identity.board, statement, delivery);
  const sealed = await seal(payloadType, payload, signingKey(identity));
  const envelope = JSON.stringify(sealed);
  outbox.add(id, envelope);
  await send(delivery, { id, envelope }, statement, submission);
}

async function send(
  delivery: Delivery,
  parcel: Parcel,
  { correction }: StatedBuckets,
  submission: SendResult,
): Promise<void> {
  const { receipt, records } = await deliver(delivery, parcel);
  submission.snapshots += 1;
  submission.records += records;
  submission.receipts.push(receipt);
  if (correction === null) return;
  submission.corrections.push(correction);
  const { tool, from, to } = correction;
  delivery.note(`corrected ${tool}, ${from} to ${to}, because its counting rules have changed`);
}

function isTooMuch(error: unknown): error is Refusal {
  return error instanceof Refusal && TOO_MUCH.includes(error.code);
}

function refusalOf(refusal: Refusal, refused: readonly Refused[]): Refusal {
  const sums = new Map<string, number>();
  for (const { tool } of refused.flatMap(({ statement }) => statement.buckets)) {
    sums.set(tool, (sums.get(tool) ?? 0) + 1);
  }
  const left = Array.from(
    sums,
    ([tool, records]) => `${counted(records, 'daily count')} of ${tool}`,
  );
  refusal.message += `; not sent: ${left.join(', ')}`;
  return refusal;
}
