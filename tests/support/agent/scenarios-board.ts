/** Scenarios of the board, of accounts, and of clocks. */
import type { Scenario } from './scenario.ts';
import { aLaptop } from './scenarios-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const BOARD_SCENARIOS: readonly Scenario[] = [
  {
    name: 'the board is restored from a backup, after the logs were deleted',
    counts: { 0: 3, 1: 2, 2: 2, 3: 2, 4: 1 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const backup = await house.board.backup();
      for (const day of [1, 2, 3]) {
        house.goTo(day);
        laptop.work(2);
        await laptop.submit();
      }
      laptop.cleanUp();
      await house.board.restore(backup);
      // Its log lacks entries that this device has receipts for.
      await laptop.submit('--accept-log');
      house.goTo(4);
      laptop.work(1);
      await laptop.submit();
    },
  },
  {
    name: "the board is restored from a backup, and the device's state is lost too",
    counts: { 0: 3, 1: 2 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const backup = await house.board.backup();
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
      await house.board.restore(backup);
      laptop.loseState();
      await laptop.enroll('--replace', 'laptop');
      await laptop.submit();
    },
  },
  {
    name: 'a clock that is ahead by a day',
    counts: { 0: 3, 1: 4, 2: 1 },
    told: [/clock/],
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.setAhead(DAY_MS);
      laptop.work(2);
      await laptop.fails('submit');
      laptop.setAhead(0);
      await laptop.submit();
      house.goTo(1);
      laptop.cleanUp();
      laptop.work(2);
      await laptop.submit();
      house.goTo(2);
      laptop.work(1);
      await laptop.submit();
    },
  },
  {
    name: 'a clock that is behind by a day',
    counts: { 0: 5, 1: 2, 2: 1 },
    told: [/clock/],
    async steps(house) {
      const laptop = await aLaptop(house);
      house.goTo(1);
      laptop.setAhead(-DAY_MS);
      laptop.work(2);
      await laptop.fails('submit');
      laptop.setAhead(0);
      laptop.work(2);
      await laptop.submit();
      laptop.cleanUp();
      house.goTo(2);
      laptop.work(1);
      await laptop.submit();
    },
  },
  {
    name: 'a device is revoked, and enrolled again with its state',
    counts: { 0: 5, 1: 2 },
    told: [/revoked/i],
    async steps(house) {
      const laptop = await aLaptop(house);
      await house.revoke('laptop');
      laptop.work(2);
      await laptop.fails('submit');
      await laptop.run('logout', '--local');
      await laptop.enroll('--replace', 'laptop');
      await laptop.submit();
      laptop.cleanUp();
      house.goTo(1);
      laptop.work(2);
      await laptop.submit();
    },
  },
  {
    name: 'a compromised device: its counts count again after it is enrolled again and sends them again',
    counts: { 0: 5, 1: 1 },
    told: [/all days are sent again/],
    untold: [/lost/],
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.work(2);
      await laptop.submit();
      await house.revoke('laptop', 'compromised');
      await laptop.run('logout', '--local');
      house.goTo(1);
      laptop.work(1);
      await laptop.enroll();
      await laptop.does('status');
      await laptop.submit();
    },
  },
  {
    name: 'a submission is withdrawn and restored on the board',
    counts: { 0: 3, 1: 4 },
    async steps(house) {
      const laptop = await aLaptop(house);
      house.goTo(1);
      laptop.work(4);
      await laptop.submit();
      const id = await house.lastSubmission();
      await house.board.ask(house.account, 'POST', `/api/v1/submissions/${id}/withdraw`);
      const without = await house.differences();
      if (without.length !== 1) throw new Error(`withdrawing changed ${without.length} days`);
      await laptop.submit();
      await house.board.ask(house.account, 'POST', `/api/v1/submissions/${id}/restore`);
    },
  },
  {
    name: 'a submission is withdrawn by the command, shown by status, and submitted again',
    counts: { 0: 3, 1: 6 },
    told: [/withdrawn/],
    async steps(house) {
      const laptop = await aLaptop(house);
      house.goTo(1);
      laptop.work(4);
      await laptop.submit();
      const id = await house.lastSubmission();
      await laptop.does('withdraw', id);
      laptop.cleanUp();
      await laptop.does('status');
      laptop.work(2);
      await laptop.submit('--withdrawn');
    },
  },
  {
    name: 'a submission is withdrawn and restored by the command',
    counts: { 0: 3, 1: 4 },
    async steps(house) {
      const laptop = await aLaptop(house);
      house.goTo(1);
      laptop.work(4);
      await laptop.submit();
      const id = await house.lastSubmission();
      await laptop.does('withdraw', id);
      await laptop.does('withdraw', id, '--undo');
      await laptop.submit();
    },
  },
  {
    name: 'two people on one device, each with a home folder',
    counts: { 0: 3, 1: 2 },
    async steps(house) {
      const laptop = await aLaptop(house);
      const others = house.another(`${house.account}-b`);
      const shared = others.machine('shared');
      shared.system = laptop.system;
      shared.work(4);
      await shared.enroll();
      house.goTo(1);
      shared.work(1);
      laptop.work(2);
      await shared.submit();
      await laptop.submit();
      await others.expectTruth();
    },
  },
  {
    name: 'one home folder, and a second account on the same board',
    counts: { 0: 5 },
    async steps(house) {
      const laptop = await aLaptop(house);
      laptop.work(2);
      await laptop.submit();
      const others = house.another(`${house.account}-b`);
      laptop.belongTo(others);
      house.goTo(1);
      await laptop.enroll('--new');
      await laptop.submit();
      laptop.work(4);
      laptop.work(2, { tool: 'codex' });
      await laptop.submit();
      laptop.cleanUp();
      house.goTo(2);
      laptop.work(1);
      await laptop.submit();
      await others.expectTruth();
    },
  },
];
