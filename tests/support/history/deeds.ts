/** The parts of actions that several of them share. */
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { operatorOf } from '#server/operator/operator.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { aDevice } from '../board/builders.ts';
import { enroll, submit, submitStating } from '../board/context.ts';
import { revoke } from '../board/replacing.ts';
import type { Person, RandomHistory } from './random-history.ts';

/** Adds an operator with a device. */
export async function join(history: RandomHistory): Promise<Person> {
  const { ctx, people } = history;
  const codename = history.newName();
  const public_id = uuidOf(`operator ${codename}`);
  const created_at = ctx.now().toISOString();
  const operator = ctx.store.operators.add({ public_id, codename, created_at });
  if (!operator) throw new Error(`The codename ${codename} is taken`);
  const device = await aDevice();
  await enroll(ctx, operator, device);
  const person = { id: operator.id, devices: [device], submissions: [], sent: [] };
  people.push(person);
  return person;
}

function uuidOf(text: string): string {
  const hex = sha256Hex(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export async function send(
  history: RandomHistory,
  person: Person,
  buckets: readonly Bucket[],
  over: Parameters<typeof submit>[3] = {},
): Promise<string> {
  const device = history.one(person.devices);
  if (!device || buckets.length === 0) return `${person.id} sends nothing`;
  const covers = spanAround(history, buckets);
  const { answer } = covers
    ? await submitStating(history.ctx, device, covers, buckets, over)
    : await submit(history.ctx, device, buckets, over);
  person.submissions.push(answer.id);
  person.sent = buckets;
  const stated = covers ? `, stating ${covers.from} to ${covers.to}` : '';
  return `${person.id} ${buckets.length} days to ${buckets[0]?.day} ${buckets[0]?.tool}${stated}`;
}

/** Days that a snapshot may state: a part of the days of its counts and some around them; null for none. */
function spanAround({ today, below }: RandomHistory, buckets: readonly Bucket[]) {
  if (below(2) === 0) return null;
  const days = buckets.map(({ day }) => dayNumber(day));
  const from = Math.min(...days) + below(20) - 10;
  const to = Math.min(Math.max(...days) + below(20) - 10, today - 1);
  return from <= to ? { from: dayName(from), to: dayName(to) } : null;
}

/** The counts of some of the days, smaller than before. */
export function corrected(sent: readonly Bucket[], { below }: RandomHistory): Bucket[] {
  return sent
    .filter(() => below(3) > 0)
    .map((bucket) => ({ ...bucket, output: Math.floor(bucket.output / (1 + below(3))) }));
}

/** An operator with a submission that the admin or a check has put on hold; undefined if there is none. */
export function heldOne({ ctx, people }: RandomHistory): Person | undefined {
  const held = ctx.store.moderation.held().map(({ operator_id }) => operator_id);
  return people.find(({ id }) => held.includes(id));
}

export function hiddenOne({ ctx, people }: RandomHistory): Person | undefined {
  return people.find(({ id }) => operatorOf(ctx, id).hidden_at !== null);
}

/** Changes one of an operator's submissions. */
export async function change(
  history: RandomHistory,
  { id, submissions }: Person,
  run: (submission: string) => Promise<void> | void,
): Promise<string> {
  const submission = history.one(submissions);
  if (submission === undefined) return `${id} has no submission`;
  await run(submission);
  return `${id} number ${submissions.indexOf(submission)}`;
}

export function decide(
  history: RandomHistory,
  person: Person,
  kind: 'hold' | 'reject' | 'release',
): Promise<string> {
  return change(history, person, (id) => {
    decideSubmission(history.ctx, { kind, id, reason: 'A test.' });
  });
}

export function hide({ ctx }: RandomHistory, { id }: Person, kind: 'hide' | 'unhide'): string {
  hideOperator(ctx, { kind, name: operatorOf(ctx, id).codename, reason: 'A test.' });
  return `${id}`;
}

/** Revokes a device, which cannot sign any more. */
export function endDevice(
  history: RandomHistory,
  { id, devices }: Person,
  reason: 'compromised' | 'revoked',
): string {
  const device = history.one(devices);
  if (!device) return `${id} has no device`;
  revoke(history.ctx, device, reason);
  devices.splice(devices.indexOf(device), 1);
  return `${id}`;
}

const EASY = { active_days: 1, total_tokens: 1, output_tokens: 1 };

/** Creates a challenge that begins soon. */
export function announce(history: RandomHistory): string {
  const { ctx, today, below } = history;
  const first = today + below(3);
  const request = {
    id: `number-${ctx.store.challenges.all().length}`,
    title: 'A challenge',
    description: 'A test.',
    metric: history.one(METRIC_NAMES),
    tool: history.one([null, null, 'claude-code', 'codex']),
    first_day: dayName(first),
    last_day: dayName(first + 1 + below(20)),
    eligibility: history.one([{}, EASY, { ...EASY, stated_days: 0.7 }]),
  };
  return createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
}
