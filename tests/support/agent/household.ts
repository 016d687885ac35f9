/** One person's devices and account in a simulation, with the board's counts and the true ones. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Machine, type Said, transcriptOf } from './simulated-machine.ts';
import type { SimulatedBoard } from './simulated-board.ts';
import { type DaySum, NOTHING, PILLARS, Truth } from '../logs/told.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A day with a difference between the board and the truth. */
export interface Difference {
  day: string;
  truth: DaySum;
  board: DaySum;
}

export class Household {
  readonly account: string;
  readonly board: SimulatedBoard;
  readonly truth = new Truth();
  readonly machines: Machine[] = [];
  readonly #folder: string;
  readonly #firstMs: number;

  /** @param firstMs A time on the day with number 0. */
  constructor(board: SimulatedBoard, account: string, firstMs: number) {
    this.board = board;
    this.account = account;
    this.#folder = join(board.folder, account);
    this.#firstMs = firstMs - (firstMs % DAY_MS);
    mkdirSync(this.#folder, { recursive: true });
  }

  machine(name: string): Machine {
    const { account, board, truth } = this;
    const machine = new Machine({ board, name, account, truth, folder: this.#folder });
    this.machines.push(machine);
    return machine;
  }

  /** Another person's devices on the same board. */
  another(account: string): Household {
    return new Household(this.board, account, this.#firstMs);
  }

  /** An hour of a day, in milliseconds since the epoch. */
  instant(day: number, hour = 12): number {
    return this.#firstMs + day * DAY_MS + hour * 60 * 60 * 1000;
  }

  dayName(day: number): string {
    return new Date(this.instant(day)).toISOString().slice(0, 10);
  }

  /** Sets all clocks to an hour of a day. */
  goTo(day: number, hour = 12): void {
    this.board.clock.set(this.instant(day, hour));
  }

  /** Revokes the newest device with that name, as in the settings. */
  async revoke(label: string, reason = 'revoked'): Promise<void> {
    const { board, account } = this;
    const { devices } = (await board.ask(account, 'GET', '/api/v1/devices')) as {
      devices: { id: string; label: string }[];
    };
    const device = devices.find((one) => one.label === label);
    await board.ask(account, 'DELETE', `/api/v1/devices/${device?.id}?reason=${reason}`);
  }

  /** The newest submission of the account. */
  async lastSubmission(): Promise<string> {
    const path = `/api/v1/submissions?codename=${this.account}&limit=1`;
    const { entries } = (await this.board.ask(this.account, 'GET', path)) as {
      entries: { id: string }[];
    };
    return entries[0]?.id ?? '';
  }

  /** @throws {Error} with a table of days that differ. */
  async expectTruth(): Promise<void> {
    const differences = await this.differences();
    if (differences.length > 0) throw new Error(this.report(differences));
  }

  /** The whole output, in order. */
  said(): Said[] {
    return this.machines.flatMap(({ said }) => said).sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  /** The whole output, as one text without line breaks. */
  words(): string {
    return this.said()
      .map(({ stdout, stderr }) => `${stdout}\n${stderr}`)
      .join('\n')
      .replaceAll(/\s+/g, ' ');
  }

  /** The days that differ. */
  async differences(): Promise<Difference[]> {
    const truth = this.truth.byDay();
    const board = await this.board.countedOf(this.account);
    const days = [...new Set([...truth.keys(), ...board.keys()])].sort();
    return days
      .map((day) => ({ day, truth: truth.get(day) ?? NOTHING, board: board.get(day) ?? NOTHING }))
      .filter((one) => PILLARS.some((name) => one.truth[name] !== one.board[name]));
  }

  /** Days that differ as a table, and the output. */
  report(differences: readonly Difference[]): string {
    const rows = differences.map(({ day, truth, board }) => {
      const more = totalOf(board) - totalOf(truth);
      const share = `${more > 0 ? '+' : ''}${((100 * more) / (totalOf(truth) || 1)).toFixed(1)} %`;
      const cells = [day, truth.responses, totalOf(truth), totalOf(board), more, share];
      return cells.map((cell) => String(cell).padStart(11)).join('');
    });
    const head = ['day', 'responses', 'truth', 'board', 'difference', ''];
    const table = [head.map((cell) => cell.padStart(11)).join(''), ...rows].join('\n');
    return `${this.account}:\n${table}\n${transcriptOf(this.said())}`;
  }
}

export function totalOf(sum: DaySum): number {
  return PILLARS.reduce((total, name) => total + sum[name], 0);
}
