/** Accounts at the limits of a board, and larger ones from boards up to 0.8.0. */
import { randomUUID } from 'node:crypto';
import { PROFILE_LENGTHS, type ProfileChange } from '#core/schema/profile.ts';
import {
  type Bucket,
  LABEL_LENGTH,
  MAX_MODELS,
  MAX_PAIRS,
  MAX_PROVIDERS,
  MAX_TOOLS,
} from '#core/schema/usage.ts';
import { aBucket, aCountedBucket } from './builders.ts';
import { type TestContext, anEnrolledDevice, submit } from './context.ts';
import { daysAgo } from '../agent/installation.ts';
import { identify } from './people.ts';
import type { Walked } from '../http/walk.ts';

/** The number of records with the longest names in one submission. More would exceed 4 MiB. */
const RECORDS = 1_500;

/** The longest name, with four bytes for each character. */
const longName = (index: number) => {
  const number = String(index).padStart(4, '0');
  return '\u{20000}'.repeat(LABEL_LENGTH - number.length) + number;
};

const LONGEST_PROFILE: ProfileChange = {
  display_name: '\u{20000}'.repeat(PROFILE_LENGTHS.display_name),
  bio: '\u{20000}'.repeat(PROFILE_LENGTHS.bio),
  location: '\u{20000}'.repeat(PROFILE_LENGTHS.location),
  links: [1, 2, 3].map((at) => `https://b.example/${at}${'x'.repeat(180)}`),
};

/**
 * An operator with as many tools, providers, models and pairs as a board accepts, all with the longest names, and with
 * devices that were enrolled repeatedly.
 */
export async function addLargest(
  ctx: TestContext,
  codename: string,
  { submissions, devices }: { submissions: number; devices: number },
): Promise<Walked> {
  const device = await anEnrolledDevice(ctx, codename);
  let submission = '';
  for (let at = 0; at < submissions; at += 1) {
    const buckets = Array.from({ length: RECORDS }, (_, index) => largestBucket(at, index));
    submission = (await submit(ctx, device, buckets)).answer.id;
  }
  await enrollAgain(ctx, codename, devices);
  await identify(ctx, codename, LONGEST_PROFILE);
  return { codename, submission };
}

/** Enrolls this many devices over many days, and revokes each of them. */
async function enrollAgain(ctx: TestContext, codename: string, devices: number): Promise<void> {
  const limiter: TestContext['limiter'] = Object.create(ctx.limiter, {
    take: { value: () => undefined },
  });
  for (let at = 0; at < devices; at += 1) {
    const { keyid } = await anEnrolledDevice({ ...ctx, limiter }, codename);
    ctx.store.devices.revokeKey(keyid, 'revoked', ctx.now().toISOString());
  }
}

/** The day of each submission. The tools take turns, each time with other pairs. */
function largestBucket(submission: number, index: number): Bucket {
  const pair = (Math.floor(index / MAX_TOOLS) + submission * (RECORDS / MAX_TOOLS)) % MAX_PAIRS;
  return aBucket({
    day: daysAgo(submission),
    tool: longName(index % MAX_TOOLS),
    provider: longName(pair % MAX_PROVIDERS),
    model: longName(pair % MAX_MODELS),
    input: 1_000 + submission,
    output: 20_000 + 7 * index,
  });
}

/** Writes thousands of providers, each with a model, in submissions that boards no longer accept. */
export async function addOversized(
  ctx: TestContext,
  codename: string,
  { submissions, providers }: { submissions: number; providers: number },
): Promise<Walked> {
  const device = await anEnrolledDevice(ctx, codename);
  const { answer } = await submit(ctx, device, [aBucket({ day: daysAgo(0) })]);
  const { store } = ctx;
  const { id: operator_id = 0 } = store.operators.byCodename(codename) ?? {};
  const [{ id: device_id = 0 } = {}] = store.devices.ofOperator(operator_id);
  for (let at = 0; at < submissions; at += 1) {
    store.transaction(() => {
      const payload = { note: randomUUID() };
      const { log_index } = store.log.append({
        kind: 'snapshot',
        operator_id,
        payload,
        now: ctx.now(),
      });
      const stated = Array.from({ length: providers }, (_, index) => {
        return aCountedBucket({
          day: daysAgo(at + 1),
          provider: `provider-${at}-${index}`,
          model: `model-${index % MAX_MODELS}`,
          output: 900 + index,
          device_id,
          log_index,
        });
      });
      store.buckets.replaceGroups(operator_id, [], stated);
      store.operators.touch(operator_id, log_index);
    });
  }
  return { codename, submission: answer.id };
}
