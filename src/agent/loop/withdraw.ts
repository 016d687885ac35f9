import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { MeAnswer, SubmissionAnswer } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure, Refusal, nullIfFailure } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import { receiptsIn } from '../state/board-files.ts';
import type { Outbox } from '../state/outbox.ts';

const MAX_LISTED = 10;

interface SentSubmission {
  id: string;
  received_at: string;
  records: number;
  state: 'accepted' | 'held' | 'rejected' | 'withdrawn';
}

/** The submission, by ID or as `last`, and what to do with it. */
interface WithdrawRequest {
  id: string;
  isUndo: boolean;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Withdraws a submission of this device, or restores it. `last` is the newest submission of this device or, to undo,
 * the newest withdrawn one.
 *
 * @throws {Failure} if there is no such submission, or the board rejects or does not support the request.
 */
export async function withdraw(
  device: LocalDevice,
  identity: Identity,
  { id, isUndo }: WithdrawRequest,
): Promise<SubmissionAnswer> {
  const meant = await submissionMeant(device, identity, { id, isUndo });
  try {
    const kind = isUndo ? 'restore' : 'withdraw';
    return await device.client.changeSubmission(identity, meant, kind);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    throw new Failure(EXIT.refused, error.message, LIST_HINT);
  }
}

/** @throws {Failure} `usage` if there is none. */
async function submissionMeant(
  device: LocalDevice,
  identity: Identity,
  { id, isUndo }: WithdrawRequest,
): Promise<string> {
  const { withdrawn } = await askWithdrawn(device, identity);
  if (UUID.test(id)) return id.toLowerCase();
  if (id !== 'last') throw new Failure(EXIT.usage, `"${id}" is not a submission ID`, LIST_HINT);
  const last = isUndo ? withdrawn[0]?.id : sentIds(device, identity).at(-1)?.id;
  if (last !== undefined) return last;
  const none = isUndo
    ? 'This device has no withdrawn submission'
    : 'This device has no receipt of a submission';
  throw new Failure(EXIT.usage, `${none} on ${identity.board}`, LIST_HINT);
}

const LIST_HINT = 'To list the submissions of this device: opbench withdraw';

/**
 * The last submissions of this device, newest first.
 *
 * @throws {Failure} if the request fails, or the board does not support it.
 */
export async function listSubmissions(
  device: LocalDevice,
  identity: Identity,
): Promise<SentSubmission[]> {
  const { withdrawn, notices } = await askWithdrawn(device, identity);
  const states = new Map<string, SentSubmission['state']>();
  for (const { kind, submission } of notices) {
    if (submission && (kind === 'held' || kind === 'rejected')) states.set(submission, kind);
  }
  for (const { id } of withdrawn) states.set(id, 'withdrawn');
  const sent = sentIds(device, identity).slice(-MAX_LISTED).reverse();
  return sent.map((one) => ({ ...one, state: states.get(one.id) ?? 'accepted' }));
}

/** @throws {Failure} `refused` if the board is too old. */
async function askWithdrawn({ client }: LocalDevice, identity: Identity) {
  const { withdrawn, notices } = await client.me(identity);
  if (withdrawn) return { withdrawn, notices: notices ?? [] };
  const message = `${identity.board} runs a version that does not support withdrawing submissions`;
  throw new Failure(EXIT.refused, message, 'Ask its admin to upgrade to version 0.10 or later.');
}

/** Submissions with a saved receipt, oldest first. */
function sentIds({ keystore }: LocalDevice, { board }: Identity): Omit<SentSubmission, 'state'>[] {
  return receiptsIn(keystore.folderOf(board)).flatMap(({ id, received_at, records }) => {
    if (typeof id !== 'string' || typeof received_at !== 'string') return [];
    return [{ id, received_at, records: typeof records === 'number' ? records : 0 }];
  });
}

/**
 * Buckets of this device that are in a withdrawn submission and that the board has no longer, or only in part.
 * Buckets that another submission also states are not among them.
 *
 * @throws {Failure} if the request fails.
 */
export async function withdrawnBuckets(
  { client }: Pick<LocalDevice, 'client'>,
  { identity, outbox }: { identity: Identity; outbox: Outbox },
  me: Pick<MeAnswer, 'withdrawn'>,
): Promise<Bucket[]> {
  const withdrawn = me.withdrawn ?? [];
  const sent = outbox.sent().filter(({ day }) => {
    return withdrawn.some(({ first_day, last_day }) => first_day <= day && day <= last_day);
  });
  return lackingOf(client, identity, sent);
}

/** The sent buckets that the board has no longer, or only in part. */
async function lackingOf(
  client: LocalDevice['client'],
  identity: Identity,
  sent: readonly Bucket[],
): Promise<Bucket[]> {
  if (sent.length === 0) return [];
  const days = daysOf(sent);
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' };
  const counts = await client.counts(identity, { device: identity.device_id, ...range });
  // Boards before 0.10 list neither counts nor withdrawn submissions.
  if (counts === null) return [];
  const stated = new Map(counts.map((count) => [bucketKey(count), totalOf(count)]));
  return sent.filter((bucket) => totalOf(bucket) > (stated.get(bucketKey(bucket)) ?? -1));
}

/** Like {@linkcode withdrawnBuckets}, but null if the request fails. */
export async function knownWithdrawn(
  ...asked: Parameters<typeof withdrawnBuckets>
): Promise<Bucket[] | null> {
  return withdrawnBuckets(...asked).catch(nullIfFailure);
}

/**
 * The last day since the last stated one of which the board lacks counts that this device has sent, because they are
 * withdrawn, on hold or rejected. To state such a day would send them again.
 *
 * @param withdrawn The withdrawn buckets.
 * @throws {Failure} if the request fails.
 */
export async function lackingTo(
  { client }: Pick<LocalDevice, 'client'>,
  { identity, outbox }: { identity: Identity; outbox: Outbox },
  { notices }: Pick<MeAnswer, 'notices'>,
  withdrawn: readonly Bucket[],
): Promise<{ day: string | null }> {
  const from = outbox.nextToState() ?? '';
  const isDecided = notices?.some(({ kind }) => kind === 'held' || kind === 'rejected') ?? false;
  const sent = isDecided ? outbox.sent().filter(({ day }) => day >= from) : [];
  const lacking = await lackingOf(client, identity, sent);
  return { day: daysOf([...withdrawn, ...lacking]).at(-1) ?? null };
}

export function daysOf(buckets: readonly Bucket[]): string[] {
  return [...new Set(buckets.map(({ day }) => day))].sort();
}
