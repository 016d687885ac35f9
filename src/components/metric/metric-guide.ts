/** What to know about a metric in addition to its formula. */
import type { MetricName } from '#core/schema/record.ts';

interface MetricGuide {
  range: string;
  needs: string;
  /** What raises it without better work, one or two sentences each. */
  raises: readonly string[];
  /** What it does not show, one or two sentences each. */
  hides: readonly string[];
  /** How it follows from other metrics, as formulas. */
  relations: readonly string[];
  relation: string;
}

const CACHED_TOOLS =
  'A tool that counts less of the same prompt as fresh input. Tools differ by orders of magnitude, so compare operators who use the same tool.';
const LONG_SESSIONS =
  'Long sessions over the same files. Each turn reads the whole context from the cache again, whether it needs it or not.';
const LONG_ANSWERS =
  'Long answers: whole files where a small change would do, several attempts, discarded drafts. All of it is output.';
const NOT_QUALITY = 'Whether the work was good, finished or needed.';
const NOT_COST =
  'Cost. Reading from a cache is usually cheaper than fresh input, but not free, and prices differ by provider.';

export const METRIC_GUIDE: Readonly<Record<MetricName, MetricGuide>> = {
  yield: {
    range: '0 or more, without an upper limit',
    needs: 'cache read reported, input above 0',
    raises: [
      LONG_SESSIONS,
      LONG_ANSWERS,
      `${CACHED_TOOLS} Input is squared in the formula, so half the input means four times the yield.`,
    ],
    hides: [
      NOT_QUALITY,
      NOT_COST,
      'Which of its two factors it comes from. Equal yields can mean much cache reuse and little output, or the reverse. Look at leverage and velocity.',
    ],
    relations: ['leverage × velocity', '10^dev10x × SNR ÷ (1 − SNR)'],
    relation: 'It is the only one of the five metrics that combines both ratios.',
  },
  leverage: {
    range: '0 or more, without an upper limit',
    needs: 'cache read reported, input above 0',
    raises: [
      LONG_SESSIONS,
      CACHED_TOOLS,
      'Keeping a large context instead of starting a new session with only what the next task needs.',
    ],
    hides: [NOT_QUALITY, NOT_COST, 'Whether the reused context helped to write the output.'],
    relations: ['yield ÷ velocity', '10^dev10x'],
    relation: 'Dev10x is the same ratio on another scale. Velocity is independent of it.',
  },
  velocity: {
    range: '0 or more, without an upper limit',
    needs: 'input above 0',
    raises: [
      LONG_ANSWERS,
      CACHED_TOOLS,
      'Reasoning tokens. They count as output, and some models write many more of them.',
    ],
    hides: [
      NOT_QUALITY,
      'Speed. Despite its name, it does not involve time: it is output per token of fresh input.',
    ],
    relations: ['yield ÷ leverage', 'SNR ÷ (1 − SNR)'],
    relation: 'SNR is the same ratio on another scale. Leverage is independent of it.',
  },
  snr: {
    range: '0 to 1',
    needs: 'input or output above 0',
    raises: [
      LONG_ANSWERS,
      CACHED_TOOLS,
      'Everything that raises velocity, because it is computed from velocity alone.',
    ],
    hides: [
      NOT_QUALITY,
      'Noise. Despite its name, it cannot distinguish useful output from the rest. All output counts.',
      'Differences near 1. A value of 0.99 means eleven times the velocity of 0.9.',
    ],
    relations: ['velocity ÷ (1 + velocity)'],
    relation:
      'It ranks operators in the same order as velocity. Without fresh input it is 1, which is shown but not ranked, because velocity is then undefined.',
  },
  dev10x: {
    range: 'any number, and negative if less is read from the cache than sent as fresh input',
    needs: 'all four counts reported and above 0',
    raises: [LONG_SESSIONS, CACHED_TOOLS],
    hides: [
      NOT_QUALITY,
      'Productivity. Despite its name, it does not show how much faster anyone works: 1 means ten tokens read from the cache for each fresh input token.',
    ],
    relations: ['log₁₀(leverage)', 'log₁₀(yield ÷ velocity)'],
    relation:
      'It ranks operators in the same order as leverage, if their tools report cache writes. The record format requires cache writes, but their number does not affect the value.',
  },
};
