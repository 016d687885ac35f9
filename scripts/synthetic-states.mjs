// Adds operators, submissions and challenges in every state that a page must show to those of synthetic-board.mjs,
// through the same code as real ones.
import sharp from 'sharp';
import { dayName } from '../src/core/domain/counting/day.ts';
import { composeRecord } from '../src/core/domain/metrics/record.ts';
import { setAnnouncement } from '../src/server/announcement/set-announcement.ts';
import { cancelChallenge } from '../src/server/challenge/cancel-challenge.ts';
import { createChallenge } from '../src/server/challenge/create-challenge.ts';
import { decideSubmission } from '../src/server/submission/decide-submission.ts';
import { deleteAccount } from '../src/server/account/delete-account.ts';
import { answerMessage } from '../src/server/messages/answer-message.ts';
import { contactAdmin } from '../src/server/messages/contact-admin.ts';
import { hideOperator } from '../src/server/operator/hide-operator.ts';
import { setAvatar } from '../src/server/operator/set-avatar.ts';
import { setRole } from '../src/server/operator/set-role.ts';
import { setCodename } from '../src/server/operator/set-codename.ts';
import { setDataOptOut } from '../src/server/operator/set-data-opt-out.ts';
import { submitRecords } from '../src/server/submission/submit-records.ts';
import { updateProfile } from '../src/server/operator/update-profile.ts';
import { withdrawSubmission } from '../src/server/submission/withdraw-submission.ts';
import { Projection } from '../src/server/publication/projection.ts';
import { publishAndStore } from '../src/server/publication/publish.ts';
import {
  DAY_MS,
  TOOLS,
  addDevice,
  bucketOf,
  openBoard,
  randomSource,
  submit,
  uuidOf,
} from './synthetic-board.mjs';
import { CODENAMES, HABITS, NAMES, PROFILES, USUAL } from './synthetic-cast.mjs';

/** The settings of a board with these operators. */
export const STATES_ENV = {
  COHORTS: 'lab=The laboratory, guild=The guild of careful prompters',
  GITHUB_CLIENT_ID: 'synthetic',
  GITHUB_CLIENT_SECRET: 'synthetic',
};

const MESSAGE = {
  subject: 'A submission on hold',
  message: 'Two days were a test of the counters.\nCan they count again?',
};
const REASON = 'Two days look like a test of the counters. The admin has asked about them.';

const CHALLENGES = {
  complete: { from: -28, to: -14, metric: 'yield' },
  scoring: { from: -12, to: -1, metric: 'leverage' },
  active: { from: -5, to: 9, metric: 'yield', tool: 'claude-code' },
  upcoming: { from: 3, to: 17, metric: 'snr' },
  cancelled: { from: -10, to: 4, metric: 'velocity' },
};

/** Opens a board on which it is 30 days ago, and creates its past. Nothing else may use the board meanwhile. */
export async function openStates(dataDir) {
  const clock = { daysAgo: 30 };
  const ctx = openBoard(dataDir, { env: STATES_ENV, clock });
  for (const [id, days] of Object.entries(CHALLENGES)) addChallenge(ctx, id, days);
  clock.daysAgo = 13;
  const cast = await addCast(ctx);
  const earlier = await submitDays(ctx, cast, { first: -60, last: -14, part: ' of before' });
  clock.daysAgo = 10;
  publishAndStore(ctx.store, new Projection(ctx.ruleset), ctx.now().getTime());
  clock.daysAgo = 9;
  const reason = 'The tool counted every answer twice for two days';
  cancelChallenge(ctx.store, { id: 'cancelled', reason, now: ctx.now() });
  await deleteAccount(ctx, cast.deleted.id, cast.deleted.codename);
  delete cast.deleted;
  clock.daysAgo = 0;
  const submissions = await submitDays(ctx, cast, { first: -13, last: 0, part: '' });
  await changeStates(ctx, cast, submissions);
  decideSubmission(ctx, { kind: 'hold', id: earlier.held, reason: REASON });
  const codenames = Object.entries(cast).map(([name, { codename }]) => [name, codename]);
  return { ctx, states: { codenames: Object.fromEntries(codenames), submissions } };
}

async function addCast(ctx) {
  const cast = {};
  for (const name of NAMES) {
    const codename = CODENAMES[name] ?? `synthetic-${name}`;
    const created_at = ctx.now().toISOString();
    const public_id = uuidOf(`operator ${codename}`, 4);
    const { id } = ctx.store.operators.add({ public_id, codename, created_at });
    const device = name === 'self-reported' ? null : await addDevice(ctx, id, `${codename} laptop`);
    cast[name] = { id, codename, device };
  }
  return cast;
}

/** Submits the buckets of all operators for some days, counted from today. Returns the submissions by operator. */
async function submitDays(ctx, cast, { first, last, part }) {
  const today = Math.floor(Date.now() / DAY_MS);
  const submissions = {};
  for (const [name, { id, device }] of Object.entries(cast)) {
    const random = randomSource(`state ${name}${part}`);
    const days = name === 'one-day' ? [last] : daysFrom(first, last);
    const shown = name === 'idle' ? [] : days.filter(() => name === 'one-day' || random() < 0.8);
    const buckets = shown.map((day) => stateBucket(random, name, dayName(today + day)));
    const half = name === 'mixed' ? Math.floor(buckets.length / 2) : buckets.length;
    const signed = device && (await submit(ctx, device, buckets.slice(0, half), part));
    const byHand = device ? buckets.slice(half) : buckets;
    submissions[name] = signed ?? (await sendByHand(ctx, id, byHand));
    if (signed && byHand.length > 0) await sendByHand(ctx, id, byHand);
  }
  return submissions;
}

function daysFrom(first, last) {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function stateBucket(random, name, day) {
  const tool = name === 'unreported' ? { ...TOOLS[1], tool: 'a-tool-without-cache' } : TOOLS[0];
  const bucket = bucketOf(random, day, tool, HABITS[name] ?? USUAL);
  return name === 'unreported' ? { ...bucket, cache_read: null, cache_write: null } : bucket;
}

async function sendByHand(ctx, operator_id, buckets) {
  if (buckets.length === 0) return null;
  const text = JSON.stringify({ records: buckets.map(composeRecord) });
  const { answer } = await submitRecords(ctx, { operator_id }, { text, idempotencyKey: undefined });
  return answer.id;
}

async function changeStates(ctx, cast, submissions) {
  for (const [name, profile] of Object.entries(PROFILES)) {
    await updateProfile(ctx, cast[name].id, { ...profile, privacy_mode: 'identified' });
  }
  await setAvatar(ctx, cast.identified.id, await aPicture());
  for (const mode of ['anonymous', 'private']) {
    await updateProfile(ctx, cast[mode].id, { privacy_mode: mode });
  }
  setRole(ctx, { name: cast.identified.codename, role: 'admin' });
  const text =
    'Synthetic maintenance on Sunday, 14:00 to 15:00 UTC. Uploads wait until it is over.';
  const last_day = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
  setAnnouncement(ctx, { text, link: '/challenges', last_day });
  hideOperator(ctx, { kind: 'hide', name: cast.hidden.codename, reason: REASON });
  decideSubmission(ctx, { kind: 'reject', id: submissions.rejected, reason: REASON });
  for (const name of ['held', 'partly-held']) {
    decideSubmission(ctx, { kind: 'hold', id: submissions[name], reason: REASON });
  }
  await withdrawSubmission(
    ctx,
    { operator_id: cast.withdrawn.id, device_id: null },
    submissions.withdrawn,
  );
  for (const name of ['hidden', 'held']) contactAdmin(ctx, cast[name].id, MESSAGE);
  const { id } = contactAdmin(ctx, cast.identified.id, MESSAGE);
  await answerMessage(ctx, { id, answer: 'It counts again.', byMail: false });
  await setDataOptOut(ctx, cast['opted-out'].id, { opt_out: true });
  const former = cast.renamed.codename;
  cast.renamed = { ...cast.renamed, codename: 'synthetic-with-a-new-name' };
  cast.former = { codename: former };
  await setCodename(ctx, cast.renamed.id, cast.renamed.codename);
}

function aPicture() {
  const background = { r: 90, g: 130, b: 120 };
  return sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
}

function addChallenge(ctx, id, { from, to, metric, tool = null }) {
  const dayAt = (days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const state = id.replace('cancelled', 'canceled');
  const request = {
    id,
    title: `Two weeks, ${state}: who gets the most from each token`,
    description: `A synthetic challenge.\nEveryone can take part.\n\nIts state is: ${state}.`,
    metric,
    tool,
    first_day: dayAt(from),
    last_day: dayAt(to),
    eligibility: {},
  };
  createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
}
