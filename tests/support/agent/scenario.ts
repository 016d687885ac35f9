/** A scenario: what happens to a person's devices, and what counts in the end. */
import { expect } from 'vitest';
import type { Household } from './household.ts';
import { totalOf } from './household.ts';

export interface Scenario {
  name: string;
  /** How many responses count in the end, by day number. */
  counts: Readonly<Record<number, number>>;
  /** Texts that must be in the output. */
  told?: readonly RegExp[];
  /** Texts that must not be in the output. */
  untold?: readonly RegExp[];
  /** Days whose total is an estimate, with the allowed relative error. {@linkcode told} must announce it. */
  about?: Readonly<Record<number, number>>;
  steps: (house: Household) => Promise<void>;
}

/** Runs a scenario, and compares the board with all logged responses. */
export async function expectCounted(scenario: Scenario, house: Household): Promise<void> {
  const { counts, told = [], untold = [], about = {} } = scenario;
  await scenario.steps(house).catch((error: Error) => {
    error.message = `${error.message.split('\n')[0]}\n${house.report([])}`;
    throw error;
  });
  expect(responsesOf(house), 'responses that were logged').toEqual(counts);
  const differences = await house.differences();
  const wrong = differences.filter(({ day, truth, board }) => {
    const number = Object.keys(about).find((one) => house.dayName(Number(one)) === day);
    const share = number === undefined ? 0 : (about[Number(number)] ?? 0);
    return Math.abs(totalOf(board) - totalOf(truth)) > share * totalOf(truth);
  });
  if (wrong.length > 0) throw new Error(house.report(wrong));
  const words = house.words();
  const missing = told.filter((pattern) => !pattern.test(words));
  const wrongWords = untold.filter((pattern) => pattern.test(words));
  if (missing.length + wrongWords.length === 0) return;
  const faults = [
    ...missing.map((one) => `not told: ${one}`),
    ...wrongWords.map((one) => `told: ${one}`),
  ];
  throw new Error(`${faults.join('\n')}\n${house.report([])}`);
}

function responsesOf(house: Household): Record<number, number> {
  const first = house.instant(0, 0);
  const days = [...house.truth.byDay()].map(([day, { responses }]) => {
    return [Math.round((Date.parse(day) - first) / 86_400_000), responses] as const;
  });
  return Object.fromEntries(days);
}
