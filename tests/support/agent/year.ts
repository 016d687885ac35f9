/** A year of accidents: each week something happens to one person's devices, and the person reacts. */
import type { Household } from './household.ts';
import { type Machine, syncLogs } from './simulated-machine.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The person, the devices, and what must be undone later. */
export interface Year {
  house: Household;
  laptop: Machine;
  desktop: Machine;
  /** The third device, which is added in summer. */
  tablet: Machine | null;
  /** Devices with synchronized log folders. Synchronizes only one project if it is named. */
  synced: { project?: string } | null;
  /** Saved copies of home folders and boards. */
  kept: Map<string, string>;
}

type Accident = (year: Year) => Promise<void> | void;

/** Copies the board, for {@linkcode restoreBoard}. */
async function backUpBoard({ house, kept }: Year): Promise<void> {
  kept.set('board', await house.board.backup());
}

/** Restores the board. Some logs of lost counts are deleted by then. */
async function restoreBoard({ house, kept, laptop, desktop }: Year): Promise<void> {
  await submitAll([laptop, desktop]);
  laptop.cleanUp(2);
  await house.board.restore(kept.get('board') ?? '');
}

/** An enrollment that recognizes an earlier device fails, and is repeated with an option. */
async function enrollAgain(machine: Machine, ...flags: string[]): Promise<void> {
  await machine.fails(...(await machine.enrollment()));
  await machine.enroll(...flags);
}

async function submitAll(machines: readonly Machine[]): Promise<void> {
  for (const machine of machines) if (machine.network !== 'none') await machine.submit();
}

/** The events by week. */
export const ACCIDENTS: Readonly<Record<number, Accident>> = {
  1: ({ laptop }) => laptop.loseIndex(),
  2: ({ laptop }) => void (laptop.network = 'none'),
  4: ({ laptop }) => void (laptop.network = 'whole'),
  5: async ({ desktop }) => {
    await desktop.submit();
    desktop.loseState();
    await enrollAgain(desktop, '--replace', 'desktop');
  },
  6: async ({ desktop }) => {
    desktop.setAhead(DAY_MS);
    desktop.work(2);
    await desktop.fails('submit');
    desktop.setAhead(0);
  },
  7: ({ laptop }) => laptop.rename(),
  8: (year) => void (year.synced = {}),
  11: async ({ laptop }) => {
    await laptop.submit();
    laptop.loseState();
    await enrollAgain(laptop, '--replace', 'laptop');
  },
  13: (year) => void (year.synced = null),
  14: backUpBoard,
  15: restoreBoard,
  17: ({ kept, laptop }) => void kept.set('laptop', laptop.backUp()),
  18: async ({ kept, laptop }) => {
    await laptop.submit();
    laptop.restore(kept.get('laptop') ?? '');
  },
  20: async ({ house, laptop }) => {
    await laptop.submit();
    await house.revoke('laptop');
    await laptop.fails('submit');
    await laptop.run('logout', '--local');
    await laptop.enroll('--replace', 'laptop');
  },
  22: async ({ house, desktop }) => {
    desktop.work(3);
    await desktop.submit();
    const id = await house.lastSubmission();
    await desktop.does('withdraw', id);
    await desktop.submit();
    await desktop.does('withdraw', id, '--undo');
  },
  25: async (year) => {
    const tablet = year.house.machine('tablet');
    await year.laptop.submit();
    tablet.restore(year.laptop.backUp());
    tablet.work(2);
    await tablet.fails('submit');
    await tablet.enroll('--new');
    year.tablet = tablet;
  },
  27: ({ tablet }) => void (tablet && (tablet.network = 'none')),
  32: ({ tablet }) => void (tablet && (tablet.network = 'whole')),
  33: ({ kept, desktop }) => void kept.set('desktop', desktop.backUp()),
  34: async ({ kept, desktop }) => {
    await desktop.submit();
    desktop.restoreState(kept.get('desktop') ?? '');
  },
  35: async ({ laptop }) => {
    laptop.work(4);
    for (const afterMs of [100, 200, 300]) await laptop.killed(afterMs);
  },
  37: async ({ laptop }) => {
    await laptop.submit();
    laptop.system = 'the next laptop';
    await laptop.fails('submit');
    await laptop.enroll('--replace', 'laptop');
  },
  38: async ({ desktop }) => {
    desktop.setAhead(-DAY_MS);
    desktop.work(2);
    await desktop.fails('submit');
    desktop.setAhead(0);
  },
  40: async ({ laptop }) => {
    const claude = laptop.work(5);
    const codex = laptop.work(3, { tool: 'codex' });
    await laptop.submit();
    for (const session of [claude, codex]) laptop.work(1, { session: laptop.resume(session) });
    await laptop.submit();
    [claude, codex].forEach((session) => laptop.deleteSession(session));
  },
  42: backUpBoard,
  43: restoreBoard,
  44: async ({ tablet }) => {
    if (!tablet) return;
    tablet.work(2);
    await tablet.submit();
    tablet.cleanUpHalf();
    tablet.loseState();
    await enrollAgain(tablet, '--replace', 'tablet');
  },
  46: ({ laptop, desktop }) => {
    syncLogs(laptop, desktop);
  },
  48: async ({ house, desktop }) => {
    await desktop.submit();
    const putBack = desktop.hideWhatIsNew();
    desktop.network = 'before';
    desktop.work(2);
    await desktop.submit();
    putBack();
    desktop.network = 'whole';
    house.goTo(48 * 7 + 1, 20);
  },
  50: async ({ desktop }) => {
    await desktop.submit();
    desktop.startEmpty();
  },
};
