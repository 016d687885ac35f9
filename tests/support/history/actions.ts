/** What can happen in a history. Each action returns what it did, or throws the error of the function that it calls. */
import { dayName } from '#core/domain/counting/day.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { PrivacyMode } from '#core/schema/record.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { operatorOf } from '#server/operator/operator.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { aDevice } from '../board/builders.ts';
import { check } from '../board/checks.ts';
import { enroll, rankBy } from '../board/context.ts';
import { replace } from '../board/replacing.ts';
import {
  announce,
  change,
  corrected,
  decide,
  endDevice,
  heldOne,
  hiddenOne,
  hide,
  join,
  send,
} from './deeds.ts';
import type { Person, RandomHistory } from './random-history.ts';
import { randomUsage } from './random-usage.ts';
import { RULESETS } from './rulesets.ts';

interface Action {
  /** How often it happens, compared with the others. */
  weight: number;
  run: (history: RandomHistory, person: Person) => Promise<string> | string;
}

const DISPLAY_NAMES = ['Ann Lee', 'Zoe', 'Ännchen 木', null];
const NEXT_DAYS = [1, 1, 1, 1, 1, 1, 1, 2, 6, 7, 7, 24, 61];

export const ACTIONS = {
  join: {
    weight: 4,
    run: async (history) => {
      const person = await join(history);
      return send(history, person, randomUsage(history.today, history.below));
    },
  },
  enroll: {
    weight: 2,
    async run({ ctx }, person) {
      const device = await aDevice();
      await enroll(ctx, { id: person.id }, device);
      person.devices.push(device);
      return `${person.id}`;
    },
  },
  submit: {
    weight: 12,
    run: (history, person) => send(history, person, randomUsage(history.today, history.below)),
  },
  /** Gives an operator the counts of another one, so that they are equal. */
  twin: {
    weight: 6,
    run: (history, person) => send(history, person, history.one(history.people).sent),
  },
  correct: {
    weight: 5,
    run: (history, person) => {
      const buckets = corrected(person.sent, history);
      const days = person.sent.map(({ day }) => day).sort();
      const today = dayName(history.today);
      const [from = today, to = today] = [days[0], days.at(-1)];
      const tool = person.sent[0]?.tool ?? 'codex';
      return send(history, person, buckets, {
        correction: { tool, from, to: to < today ? to : today },
      });
    },
  },
  selfReport: {
    weight: 4,
    async run(history, person) {
      const records = randomUsage(history.today, history.below).slice(0, 40).map(composeRecord);
      const sent = { text: JSON.stringify({ records }), idempotencyKey: undefined };
      const { answer } = await submitRecords(history.ctx, { operator_id: person.id }, sent);
      person.submissions.push(answer.id);
      return `${person.id} ${records.length} records`;
    },
  },
  withdraw: {
    weight: 5,
    run: (history, person) =>
      change(history, person, (id) =>
        withdrawSubmission(history.ctx, { operator_id: person.id, device_id: null }, id),
      ),
  },
  restore: {
    weight: 4,
    run: (history, person) =>
      change(history, person, (id) =>
        restoreSubmission(history.ctx, { operator_id: person.id, device_id: null }, id),
      ),
  },
  hold: { weight: 4, run: (history, person) => decide(history, person, 'hold') },
  release: {
    weight: 4,
    run: (history, person) => decide(history, heldOne(history) ?? person, 'release'),
  },
  reject: { weight: 2, run: (history, person) => decide(history, person, 'reject') },
  hide: { weight: 3, run: (history, person) => hide(history, person, 'hide') },
  unhide: {
    weight: 4,
    run: (history, person) => hide(history, hiddenOne(history) ?? person, 'unhide'),
  },
  mode: {
    weight: 6,
    async run(history, { id }) {
      const privacy_mode = history.one([
        ...PrivacyMode.options,
        'pseudonymous',
        'anonymous',
      ] as const);
      await updateProfile(history.ctx, id, { privacy_mode });
      return `${id} ${privacy_mode}`;
    },
  },
  profile: {
    weight: 4,
    async run(history, { id }) {
      const display_name = history.one(DISPLAY_NAMES);
      const cohort_id = history.one(['red', 'blue', null]);
      await updateProfile(history.ctx, id, { privacy_mode: 'identified', display_name, cohort_id });
      return `${id} ${display_name} ${cohort_id}`;
    },
  },
  rename: {
    weight: 3,
    async run(history, { id }) {
      const codename = history.newName();
      await setCodename(history.ctx, id, codename);
      return `${id} ${codename}`;
    },
  },
  optOut: {
    weight: 3,
    async run(history, { id }) {
      const opt_out = history.below(2) === 0;
      await setDataOptOut(history.ctx, id, { opt_out });
      return `${id} ${opt_out}`;
    },
  },
  deleteAccount: {
    weight: 1,
    async run(history, person) {
      await deleteAccount(history.ctx, person.id, operatorOf(history.ctx, person.id).codename);
      history.people.splice(history.people.indexOf(person), 1);
      return `${person.id}`;
    },
  },
  revoke: { weight: 2, run: (history, person) => endDevice(history, person, 'revoked') },
  compromise: { weight: 1, run: (history, person) => endDevice(history, person, 'compromised') },
  replace: {
    weight: 2,
    async run(history, person) {
      const old = history.one(person.devices);
      if (!old) return `${person.id} has no device`;
      person.devices[person.devices.indexOf(old)] = await replace(history.ctx, old);
      return `${person.id}`;
    },
  },
  createChallenge: { weight: 3, run: (history) => announce(history) },
  cancelChallenge: {
    weight: 1,
    run(history) {
      const { store, now } = history.ctx;
      const id = history.one(store.challenges.all())?.id ?? 'none';
      cancelChallenge(store, { id, reason: 'A test.', now: now() });
      return id;
    },
  },
  check: { weight: 2, run: ({ ctx }) => `failures: ${check(ctx).join()}` },
  newDay: {
    weight: 10,
    run(history) {
      const days = history.one(NEXT_DAYS);
      history.moveDays(days);
      return `${days}`;
    },
  },
  newRules: {
    weight: 2,
    run(history) {
      rankBy(history.ctx, history.one(RULESETS));
      return history.ctx.ruleset.id;
    },
  },
  nothing: { weight: 2, run: () => '' },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;
