/**
 * Two devices, and three from summer on, through a year of accidents. At the end of each month, the board is compared
 * with all responses that were ever logged. They are equal, or the difference was reported.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomOf } from '../../scripts/random.mjs';
import { Household, totalOf } from '../support/agent/household.ts';
import { type Machine, syncLogs } from '../support/agent/simulated-machine.ts';
import { runOpbench } from '../support/agent/opbench.ts';
import { SimulatedBoard } from '../support/agent/simulated-board.ts';
import { ACCIDENTS, type Year } from '../support/agent/year.ts';

const SEED = Number(process.env['YEAR_SEED'] ?? 20);
const WEEKS = 52;
/** Claude Code deletes transcripts after this many days. */
const KEPT_DAYS = 30;

/** The message that a day's sum is an estimate, because several devices sent a part of it. */
const ANNOUNCED = /on more than one device/;

let board: SimulatedBoard;

beforeAll(async () => void (board = await SimulatedBoard.start()));
afterAll(() => board.end());

/** The days of a week on which the person works, and how much. */
async function workFor(year: Year, week: number, random: () => number): Promise<void> {
  const { house } = year;
  const below = (most: number) => Math.floor(random() * most);
  for (const weekday of [1, 3, 5]) {
    house.goTo(7 * week + weekday, 9 + below(9));
    for (const machine of machinesOf(year)) {
      if (random() < 0.3) continue;
      machine.work(1 + below(12), { project: random() < 0.5 ? 'shared' : 'own' });
      if (random() < 0.5) machine.work(1 + below(20), { tool: 'codex' });
      if (year.synced) syncLogs(year.laptop, year.desktop);
      if (random() < 0.5) await sendFrom(machine, random() < 0.3 ? ['auto', 'run'] : ['submit']);
    }
  }
}

/** If no board can be reached, the command says so, but the timer does not. */
async function sendFrom(machine: Machine, words: readonly string[]): Promise<void> {
  if (machine.network === 'none') await machine.run(...words);
  else await machine.does(...words);
}

function machinesOf({ laptop, desktop, tablet }: Year): Machine[] {
  return [laptop, desktop, ...(tablet ? [tablet] : [])];
}

/** Everything that can be sent is sent, and then the days are compared. */
async function monthOf(year: Year, week: number, said: { from: number }) {
  const { house } = year;
  for (const machine of machinesOf(year)) await sendFrom(machine, ['submit']);
  const offline = machinesOf(year).some(({ network }) => network === 'none');
  const differences = await house.differences();
  const sums = [house.truth.byDay(), await board.countedOf(house.account)];
  const [truth = 0, counted = 0] = sums.map((days) => {
    return [...days.values()].reduce((total, sum) => total + totalOf(sum), 0);
  });
  const heard = house.said().slice(said.from);
  said.from = house.said().length;
  const announced = heard.filter(({ stdout, stderr }) => ANNOUNCED.test(stdout + stderr)).length;
  const row = { week, truth, board: counted, difference: counted - truth, announced, offline };
  // What an offline device has not sent is missing, and it said so.
  const isMissing = offline && differences.every((day) => totalOf(day.board) < totalOf(day.truth));
  return { row, differences, isFine: differences.length === 0 || announced > 0 || isMissing };
}

test('a year of accidents', async () => {
  const house = new Household(board, 'somebody', board.clock.nowMs() + 24 * 60 * 60 * 1000);
  house.goTo(0);
  const [laptop, desktop] = [house.machine('laptop'), house.machine('desktop')];
  for (const machine of [laptop, desktop]) await machine.enroll();
  const kept = new Map<string, string>();
  const year: Year = { house, laptop, desktop, tablet: null, synced: null, kept };
  const random = randomOf(SEED);
  const said = { from: 0 };
  const rows: Record<string, boolean | number>[] = [];

  for (let week = 0; week < WEEKS; week += 1) {
    house.goTo(7 * week, 12);
    await ACCIDENTS[week]?.(year);
    await workFor(year, week, random);
    house.goTo(7 * week + 6, 20);
    if (week % 4 === 3) {
      const { row, differences, isFine } = await monthOf(year, week, said);
      rows.push(row);
      console.table(rows);
      if (!isFine) throw new Error(house.report(differences));
    }
    for (const machine of machinesOf(year)) machine.cleanUp(KEPT_DAYS);
  }

  const verified = await runOpbench(['verify', board.url], { HOME: board.folder });
  expect(verified.status, verified.stdout + verified.stderr).toBe(0);
  expect(await board.admin('verify')).toContain('No problems found');
});
