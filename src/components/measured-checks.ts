/** What `scripts/bench/plausibility.mjs` measured of the plausibility checks; shares of accounts in percent. */

/** How often a kind of account was held or only noted in 90 days. */
interface MeasuredCheck {
  accounts: string;
  n: number;
  held: number;
  /** The ends of the 95 % interval of `held`. */
  from: number;
  to: number;
  only_noted: number;
}

export const CHECK_ERRORS: {
  honest: MeasuredCheck;
  dishonest: readonly MeasuredCheck[];
} = {
  honest: { accounts: 'honest', n: 10_000, held: 0.1, from: 0.05, to: 0.18, only_noted: 4.97 },
  dishonest: [
    measured('cache reads times ten on all days', [3.7, 2.7, 5.06, 23.3]),
    measured('cache reads times ten in the last 10 days', [3.1, 2.19, 4.37, 22.8]),
    measured('cache reads times a thousand in the last 10 days', [85.5, 83.18, 87.55, 3.8]),
    measured('input cut to 1 % on all days', [30.6, 27.82, 33.53, 32.2]),
    measured('input cut to 1 % in the last 10 days', [69.2, 66.27, 71.98, 16.2]),
    measured('one day times a hundred', [21.4, 18.97, 24.05, 28.4]),
    measured('one day times ten thousand', [92.1, 90.26, 93.62, 4.1]),
    measured("a copy of another account's days", [100, 99.62, 100, 0]),
    measured('a copy, changed by 0.4 %', [100, 99.62, 100, 0]),
    measured('a copy, changed by 3 %', [0, 0, 0.38, 5]),
    measured('the same made-up day, always', [0, 0, 0.38, 0]),
  ],
};

function measured(
  accounts: string,
  [held, from, to, only_noted]: [number, number, number, number],
): MeasuredCheck {
  return { accounts, n: 1_000, held, from, to, only_noted };
}
