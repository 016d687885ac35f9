/** Scenarios of logs: deleted, synced, copied, growing, on several devices. */
import { syncLogs } from './simulated-machine.ts';
import type { Scenario } from './scenario.ts';
import { RECOGNIZED, aCopyOf, aLaptop } from './scenarios-state.ts';

/** More responses than a fingerprint can list individually. */
const MANY = 40;
/** The text about days that several devices sent. */
const SHARED = /on more than one device/;

export const LOG_SCENARIOS: readonly Scenario[] = [
  {
    name: 'two different devices on one day',
    counts: { 0: 5 + 2 * MANY },
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = house.machine('desktop');
      desktop.work(2);
      await desktop.enroll();
      await desktop.submit();
      for (const machine of [laptop, desktop]) {
        machine.work(MANY, { tool: 'codex' });
        await machine.submit();
      }
    },
  },
  {
    name: 'a log folder that two devices sync',
    counts: { 0: 8, 1: 3 + 2 * MANY },
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = house.machine('desktop');
      syncLogs(laptop, desktop);
      await desktop.enroll('--new');
      desktop.work(2);
      await desktop.submit();
      laptop.work(3);
      await laptop.submit();
      syncLogs(laptop, desktop);
      for (const machine of [laptop, desktop]) await machine.submit();
      house.goTo(1);
      laptop.work(MANY);
      desktop.work(MANY);
      await laptop.submit();
      syncLogs(laptop, desktop);
      desktop.work(3);
      for (const machine of [desktop, laptop]) await machine.submit();
    },
  },
  {
    name: 'partly synced folders: totals of long days are estimates',
    counts: { 0: 3, 1: 3 * MANY },
    about: { 1: 0.25 },
    told: [SHARED],
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = house.machine('desktop');
      await desktop.enroll();
      house.goTo(1);
      laptop.work(MANY, { project: 'shared' });
      laptop.work(MANY, { project: 'own' });
      syncLogs(laptop, desktop, 'shared');
      desktop.work(MANY, { project: 'other' });
      for (const machine of [laptop, desktop, laptop]) await machine.submit();
    },
  },
  {
    name: 'partly synced folders: for short days, the number of shared responses is known, but not which',
    counts: { 0: 12 },
    about: { 0: 0.01 },
    told: [SHARED],
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = house.machine('desktop');
      await desktop.enroll();
      laptop.work(3, { project: 'shared' });
      syncLogs(laptop, desktop, 'shared');
      desktop.work(6, { project: 'other' });
      for (const machine of [laptop, desktop, laptop]) await machine.submit();
    },
  },
  {
    name: "a new device gets the old one's logs, and both are used",
    counts: { 0: 3, 1: 3, 2: 3 },
    told: RECOGNIZED,
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = aCopyOf(house, laptop, 'desktop', false);
      house.goTo(1);
      laptop.work(2);
      desktop.work(1);
      await laptop.submit();
      await desktop.fails(...(await desktop.enrollment()));
      await desktop.enroll('--new');
      await desktop.submit();
      house.goTo(2);
      laptop.work(1);
      desktop.work(2);
      for (const machine of [laptop, desktop]) await machine.submit();
    },
  },
  {
    name: '35 days offline, with logs deleted after 10 days',
    counts: Object.fromEntries(Array.from({ length: 36 }, (_, day) => [day, day === 0 ? 3 : 1])),
    told: [/cannot be reached/],
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.network = 'none';
      for (let day = 1; day <= 35; day += 1) {
        house.goTo(day);
        laptop.work(1, { tool: day % 3 === 0 ? 'codex' : 'claude-code' });
        laptop.cleanUp(10);
        if (day % 4 === 0) await laptop.fails('submit');
        if (day % 8 === 2) await laptop.run('auto', 'run');
      }
      laptop.network = 'whole';
      await laptop.submit();
    },
  },
  {
    name: 'logs are deleted every day, and come back once',
    counts: { 0: 3, 1: 2, 2: 1 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const copy = laptop.backUp();
      laptop.cleanUp();
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
      laptop.cleanUp();
      await laptop.submit();
      const old = house.machine('old');
      old.restore(copy);
      laptop.takeLogsOf(old);
      house.goTo(2);
      laptop.work(1);
      await laptop.submit();
    },
  },
  {
    name: 'sessions are resumed: history is copied into new ones, and the old ones deleted',
    counts: { 0: 3, 1: 8, 2: 4 },
    async steps(house) {
      const laptop = await aLaptop(house);
      house.goTo(1);
      const claude = laptop.work(4);
      const codex = laptop.work(4, { tool: 'codex' });
      await laptop.submit();
      house.goTo(2);
      const later = [laptop.resume(claude), laptop.resume(codex)];
      later.forEach((session) => laptop.work(2, { session }));
      await laptop.submit();
      laptop.loseIndex();
      laptop.deleteSession(claude);
      await laptop.submit();
      laptop.deleteSession(codex);
      await laptop.submit();
    },
  },
  {
    name: 'a session continues past midnight and on the next day',
    counts: { 0: 3, 1: 10, 2: 12 },
    async steps(house) {
      const laptop = await aLaptop(house);
      house.goTo(1, 23);
      const session = laptop.work(6);
      await laptop.submit();
      house.goTo(2, 1);
      laptop.work(8, { session, atMs: house.instant(2, 0) + 7_000 });
      laptop.work(2, { session });
      await laptop.submit();
      house.goTo(2, 20);
      laptop.work(6, { session });
      await laptop.submit();
    },
  },
  {
    name: 'a container that starts empty every day, with a permanent state folder',
    counts: { 0: 3, 1: 2, 2: 4 },
    async steps(house) {
      const container = await aLaptop(house);
      for (const day of [1, 2]) {
        house.goTo(day);
        container.startEmpty();
        container.work(2);
        await container.submit();
      }
      container.startEmpty();
      container.work(2);
      await container.submit();
    },
  },
  {
    name: 'a container from an image that contains everything, recreated every time',
    counts: { 0: 3, 1: 2, 2: 5 },
    async steps(house) {
      const container = await aLaptop(house);
      const image = container.backUp();
      for (const [run, day] of [1, 2, 2].entries()) {
        house.goTo(day, 8 + run);
        container.restore(image);
        container.system = `container-${run}`;
        container.work(2 + (run === 2 ? 1 : 0));
        await container.submit('--same-machine');
      }
    },
  },
  {
    name: 'three devices over a weekend',
    counts: { 0: 3, 1: 9, 2: 9, 3: 3 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const desktop = house.machine('desktop');
      const tablet = house.machine('tablet');
      await desktop.enroll();
      await tablet.enroll();
      house.goTo(1);
      laptop.work(4);
      syncLogs(laptop, desktop);
      desktop.work(3);
      tablet.work(2, { tool: 'codex' });
      await desktop.submit();
      tablet.network = 'none';
      await tablet.fails('submit');
      laptop.network = 'none';
      await laptop.fails('submit');
      tablet.cleanUp();
      house.goTo(2);
      laptop.loseIndex();
      laptop.work(3);
      desktop.work(3);
      tablet.work(3);
      syncLogs(laptop, desktop);
      laptop.network = 'whole';
      for (const machine of [laptop, desktop]) await machine.submit();
      laptop.cleanUp(1);
      house.goTo(3);
      desktop.rename();
      tablet.network = 'whole';
      for (const machine of [laptop, desktop, tablet]) {
        machine.work(1);
        await machine.submit();
      }
    },
  },
];
