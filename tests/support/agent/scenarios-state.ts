/** Scenarios of the state folder: lost, copied, restored, written by another version. */
import type { Household } from './household.ts';
import type { Machine } from './simulated-machine.ts';
import type { Scenario } from './scenario.ts';

/** The output of enroll if it recognizes an earlier device of the account. */
export const RECOGNIZED = [/--replace/, /--new/, /laptop/];
/** The output on a copy of an installation. */
export const COPIED = [/--same-machine/, /enroll/];

/** A device that has submitted its first day. */
export async function aLaptop(house: Household, count = 3): Promise<Machine> {
  const laptop = house.machine('laptop');
  laptop.work(count);
  await laptop.enroll();
  await laptop.submit();
  return laptop;
}

/** Another device that starts as a copy of one. */
export function aCopyOf(house: Household, of: Machine, name: string, withState = true): Machine {
  const copy = house.machine(name);
  copy.restore(of.backUp(), { withState });
  return copy;
}

/** An enrollment and submissions of a version without a ledger and fingerprints. */
async function anEarlierLaptop(house: Household): Promise<Machine> {
  const laptop = house.machine('laptop');
  laptop.network = 'before';
  laptop.work(2);
  laptop.work(2);
  await laptop.enroll();
  await laptop.submit();
  laptop.hideWhatIsNew();
  return laptop;
}

export const STATE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'two concurrent runs, and one that is killed, count everything once',
    counts: { [-1]: 6 },
    async steps(house) {
      const laptop = house.machine('laptop');
      const yesterday = { atMs: house.instant(-1) };
      laptop.work(2, yesterday);
      await laptop.enroll();
      await Promise.all([
        laptop.runApart('submit'),
        laptop.runApart('submit'),
        laptop.runApart('auto', 'run'),
      ]);
      laptop.work(2, yesterday);
      for (const afterMs of [40, 90, 140, 190, 240]) await laptop.killed(afterMs);
      laptop.work(2, { ...yesterday, tool: 'codex' });
      await Promise.all([laptop.runApart('submit'), laptop.runApart('submit')]);
    },
  },
  {
    name: 'lost state: the device is recognized, and continues as itself',
    counts: { 0: 5 },
    told: RECOGNIZED,
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.loseState();
      await laptop.fails(...(await laptop.enrollment()));
      await laptop.enroll('--replace', 'laptop');
      laptop.work(2);
      await laptop.submit();
    },
  },
  {
    name: 'lost state with unsent counts, enrolled as a new device',
    counts: { 0: 7 },
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.work(2);
      laptop.loseState();
      await laptop.enroll('--new');
      laptop.work(2);
      await laptop.submit();
    },
  },
  {
    name: 'lost state and half of the logs deleted, replaced',
    counts: { 0: 4, 1: 2 },
    async steps(house) {
      const laptop = house.machine('laptop');
      laptop.work(2);
      laptop.work(2);
      await laptop.enroll();
      await laptop.submit();
      house.goTo(1);
      laptop.cleanUpHalf();
      laptop.loseState();
      laptop.work(2);
      await laptop.enroll('--replace', 'laptop');
      await laptop.submit();
    },
  },
  {
    name: 'lost state and half of the logs deleted, enrolled as a new device',
    counts: { 0: 4, 1: 2 },
    async steps(house) {
      const laptop = house.machine('laptop');
      laptop.work(2);
      laptop.work(2);
      await laptop.enroll();
      await laptop.submit();
      house.goTo(1);
      laptop.cleanUpHalf();
      laptop.loseState();
      laptop.work(2);
      await laptop.enroll('--new');
      await laptop.submit();
    },
  },
  {
    name: 'lost state, twice',
    counts: { 0: 3, 1: 2, 2: 2 },
    async steps(house) {
      const laptop = await aLaptop(house);
      for (const day of [1, 2]) {
        house.goTo(day);
        laptop.loseState();
        laptop.work(2);
        await laptop.enroll('--replace', 'laptop');
        await laptop.submit();
      }
    },
  },
  {
    name: 'home folder restored with its state, both devices in use',
    counts: { 0: 6, 1: 3 },
    told: COPIED,
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = aCopyOf(house, laptop, 'desktop');
      laptop.work(1);
      desktop.work(2);
      await laptop.submit();
      await desktop.fails('submit');
      await desktop.enroll('--new');
      await desktop.submit();
      house.goTo(1);
      laptop.work(1);
      desktop.work(2);
      await laptop.submit();
      await desktop.submit();
    },
  },
  {
    name: 'home folder restored with its state, as the same device on other hardware',
    counts: { 0: 4, 1: 2 },
    told: COPIED,
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = aCopyOf(house, laptop, 'desktop');
      desktop.work(1);
      await desktop.fails('submit');
      await desktop.enroll('--replace', 'laptop');
      await desktop.submit();
      house.goTo(1);
      desktop.work(2);
      await desktop.submit();
    },
  },
  {
    name: 'home folder restored from an older copy of itself: state and logs go back',
    counts: { 0: 3, 1: 2, 2: 2, 3: 1 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const copy = laptop.backUp();
      for (const day of [1, 2]) {
        house.goTo(day);
        laptop.work(2);
        await laptop.submit();
      }
      laptop.restore(copy);
      house.goTo(2, 18);
      await laptop.submit();
      house.goTo(3);
      laptop.work(1);
      await laptop.submit();
    },
  },
  {
    name: 'home folder restored without its state from an older copy, replaced',
    counts: { 0: 3, 1: 4 },
    told: RECOGNIZED,
    async steps(house) {
      const laptop = await aLaptop(house);
      const copy = laptop.backUp();
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
      laptop.restore(copy, { withState: false });
      laptop.work(2);
      await laptop.fails(...(await laptop.enrollment()));
      await laptop.enroll('--replace', 'laptop');
      await laptop.submit();
    },
  },
  {
    name: 'the state folder goes back to an earlier copy, the logs stay',
    counts: { 0: 3, 1: 2, 2: 2 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const copy = laptop.backUp();
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
      laptop.restoreState(copy);
      house.goTo(2);
      laptop.work(2);
      await laptop.submit();
    },
  },
  {
    name: 'the index of logs is lost',
    counts: { 0: 3, 1: 2 },
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.loseIndex();
      await laptop.submit();
      house.goTo(1);
      laptop.work(2);
      laptop.loseIndex();
      await laptop.submit();
    },
  },
  {
    name: 'home renamed',
    counts: { 0: 3, 1: 2 },
    untold: [/--same-machine/],
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.rename();
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
    },
  },
  {
    name: 'upgrade from 0.9 with half-deleted logs',
    counts: { 0: 4, 1: 2 },
    async steps(house) {
      const laptop = await anEarlierLaptop(house);
      house.goTo(1);
      laptop.cleanUpHalf();
      laptop.network = 'whole';
      laptop.work(2);
      await laptop.submit();
      await laptop.submit();
    },
  },
  {
    name: 'upgrade from 0.9, more work on the same day, half of the logs deleted',
    counts: { 0: 7 },
    async steps(house) {
      const laptop = await anEarlierLaptop(house);
      laptop.cleanUpHalf();
      laptop.network = 'whole';
      house.goTo(0, 20);
      laptop.work(3);
      await laptop.submit();
    },
  },
  {
    name: 'downgrade to 0.9, logs deleted there, and back',
    counts: { 0: 3, 1: 2, 2: 2 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const putBack = laptop.hideWhatIsNew();
      laptop.network = 'before';
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
      laptop.cleanUp(0);
      putBack();
      laptop.network = 'whole';
      house.goTo(2);
      laptop.work(2);
      await laptop.submit();
    },
  },
  {
    name: 'days that were doubled under 0.8.0 are repaired',
    counts: { 0: 6, 1: 1 },
    async steps(house) {
      const laptop = await anEarlierLaptop(house);
      laptop.loseState();
      laptop.network = 'before';
      laptop.work(2);
      await laptop.enroll('--label', 'laptop again');
      await laptop.submit();
      laptop.hideWhatIsNew();
      laptop.network = 'whole';
      house.goTo(1);
      laptop.work(1);
      await laptop.submit();
      const [doubled] = await house.differences();
      if (doubled === undefined) throw new Error('0.8.0 doubled nothing');
      await laptop.enroll('--replace', 'laptop');
      await laptop.submit();
    },
  },
];
