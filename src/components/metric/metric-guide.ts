/** Explanations of the metrics: what raises them, and their limits. */
import type { MetricName } from '#core/schema/record.ts';

interface MetricGuide {
  range: string;
  needs: string;
  /** Reasons why it can rise without better work, one or two sentences each. */
  raises: readonly string[];
  /** Conclusions that it does not allow, one or two sentences each. */
  hides: readonly string[];
  /** Formulas that compute it from other metrics. */
  relations: readonly string[];
  relation: string;
}

const CACHED_TOOLS =
  'A tool that counts less of the same prompt as fresh input. Tools differ by orders of magnitude, so compare operators who use the same tool.';
const LONG_SESSIONS =
  'Long sessions over the same files. Each turn reads the whole context from the cache again, whether or not it is needed.';
const LONG_ANSWERS =
  'Long answers: whole files instead of a change, several attempts, discarded drafts. All of these count as output.';
const NOT_QUALITY = 'Whether the work was good, finished or useful.';
const NOT_COST =
  'What the work cost. Cache reads are usually cheaper than fresh input, but not free, and each provider sets its own prices.';

export const METRIC_GUIDE: Readonly<Record<MetricName, MetricGuide>> = {
  yield: {
    range: '0 or more, without an upper limit',
    needs: 'a tool that reports cache reads, and fresh input above 0',
    raises: [
      LONG_SESSIONS,
      LONG_ANSWERS,
      `${CACHED_TOOLS} Fresh input is squared in the formula: half as much gives four times the yield.`,
    ],
    hides: [
      NOT_QUALITY,
      NOT_COST,
      'Whether it comes from leverage or from velocity. The same yield can mean many cache reads and little output, or the reverse. Look at both metrics.',
    ],
    relations: ['leverage × velocity', '10^Dev10x × SNR ÷ (1 − SNR)'],
    relation: 'Yield is the only one of the five metrics that combines both ratios.',
  },
  leverage: {
    range: '0 or more, without an upper limit',
    needs: 'a tool that reports cache reads, and fresh input above 0',
    raises: [
      LONG_SESSIONS,
      CACHED_TOOLS,
      'Keeping a large context instead of starting a new session with only what the next task needs.',
    ],
    hides: [NOT_QUALITY, NOT_COST, 'Whether the reused context was useful for the output.'],
    relations: ['yield ÷ velocity', '10^Dev10x'],
    relation: 'Dev10x is leverage on another scale. Velocity is independent of leverage.',
  },
  velocity: {
    range: '0 or more, without an upper limit',
    needs: 'fresh input above 0',
    raises: [
      LONG_ANSWERS,
      CACHED_TOOLS,
      'Reasoning tokens. They count as output, and some models produce many more of them.',
    ],
    hides: [
      NOT_QUALITY,
      'How fast the work was. Despite its name, velocity does not involve time: it is output for each fresh input token.',
    ],
    relations: ['yield ÷ leverage', 'SNR ÷ (1 − SNR)'],
    relation: 'SNR is velocity on another scale. Leverage is independent of velocity.',
  },
  snr: {
    range: 'from 0 to 1',
    needs: 'fresh input or output above 0',
    raises: [
      LONG_ANSWERS,
      CACHED_TOOLS,
      'Everything that raises velocity, because SNR depends on velocity alone.',
    ],
    hides: [
      NOT_QUALITY,
      'Which output is useful and which is noise. Despite its name, SNR counts all output in the same way.',
      'Differences near 1: an SNR of 0.99 means eleven times the velocity of 0.9.',
    ],
    relations: ['velocity ÷ (1 + velocity)'],
    relation:
      'SNR ranks operators in the same order as velocity. Without fresh input, SNR is 1. That value is shown but not ranked, because velocity is undefined.',
  },
  dev10x: {
    range: 'any number, below 0 if there are fewer cache reads than fresh input tokens',
    needs: 'a tool that reports all four token types, each above 0',
    raises: [LONG_SESSIONS, CACHED_TOOLS],
    hides: [
      NOT_QUALITY,
      'How much faster anyone works. Despite its name, Dev10x does not measure productivity: 1 means ten tokens read from the cache for each fresh input token.',
    ],
    relations: ['log₁₀(leverage)', 'log₁₀(yield ÷ velocity)'],
    relation:
      'Dev10x ranks operators in the same order as leverage, but only those whose tools report cache writes. The number of cache writes does not change the value.',
  },
};
