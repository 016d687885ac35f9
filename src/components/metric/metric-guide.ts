/** What a reader of a metric must know besides its formula. */
import type { MetricName } from '#core/schema/record.ts';

interface MetricGuide {
  range: string;
  needs: string;
  /** What raises it though the work is no better, a sentence or two each. */
  raises: readonly string[];
  /** What nobody can read from it, a sentence or two each. */
  hides: readonly string[];
  /** How it follows from the others, as formulas. */
  relations: readonly string[];
  relation: string;
}

const CACHED_TOOLS =
  'A tool that counts less of the same prompt as fresh input. Tools differ by orders of magnitude here, so compare operators of one tool.';
const LONG_SESSIONS =
  'Long sessions over the same files: each turn reads the whole context from the cache again, whether or not the turn needed it.';
const LONG_ANSWERS =
  'Long answers: whole files where a change would do, several attempts, drafts that are thrown away. All of it is output.';
const NOT_QUALITY = 'Whether the work was good, finished, or wanted at all.';
const NOT_COST =
  'What it cost: reading from a cache is usually cheaper than fresh input, but it is not free, and providers price both as they like.';

export const METRIC_GUIDE: Readonly<Record<MetricName, MetricGuide>> = {
  yield: {
    range: '0 or more; there is no highest value',
    needs: 'cache read reported, input above 0',
    raises: [
      LONG_SESSIONS,
      LONG_ANSWERS,
      `${CACHED_TOOLS} Input counts twice in it: half as much is four times the yield.`,
    ],
    hides: [
      NOT_QUALITY,
      NOT_COST,
      'Which of its two factors it comes from. Equal yields can be much reading and little writing, or the reverse: look at leverage and velocity.',
    ],
    relations: ['leverage × velocity', '10^dev10x × SNR ÷ (1 − SNR)'],
    relation: 'It is the only one of the five that looks at both facts.',
  },
  leverage: {
    range: '0 or more; there is no highest value',
    needs: 'cache read reported, input above 0',
    raises: [
      LONG_SESSIONS,
      CACHED_TOOLS,
      'Leaving a large context as it is rather than beginning anew with what the next task needs.',
    ],
    hides: [
      NOT_QUALITY,
      NOT_COST,
      'Whether what was read again was of any use for what was written.',
    ],
    relations: ['yield ÷ velocity', '10^dev10x'],
    relation: 'Dev10x is the same fact on another scale. Velocity is another fact.',
  },
  velocity: {
    range: '0 or more; there is no highest value',
    needs: 'input above 0',
    raises: [
      LONG_ANSWERS,
      CACHED_TOOLS,
      'Reasoning that a model writes for itself: it is output, and some models write much more of it.',
    ],
    hides: [
      NOT_QUALITY,
      'How fast anything was done. In spite of its name it knows no time: it is output for each token of fresh input.',
    ],
    relations: ['yield ÷ leverage', 'SNR ÷ (1 − SNR)'],
    relation: 'SNR is the same fact on another scale. Leverage is another fact.',
  },
  snr: {
    range: 'from 0 to 1',
    needs: 'input or output above 0',
    raises: [LONG_ANSWERS, CACHED_TOOLS, 'Whatever raises velocity; there is nothing else in it.'],
    hides: [
      NOT_QUALITY,
      'Any noise. In spite of its name nothing in it tells what of the output was a signal: all of it counts.',
      'Differences near its end: 0.99 is eleven times the velocity of 0.9.',
    ],
    relations: ['velocity ÷ (1 + velocity)'],
    relation:
      'It ranks as velocity does. Without any fresh input it is 1, which is shown but not ranked, because velocity is undefined there.',
  },
  dev10x: {
    range: 'any number; below 0 where less is read from the cache than sent fresh',
    needs: 'all four counts reported and above 0',
    raises: [LONG_SESSIONS, CACHED_TOOLS],
    hides: [
      NOT_QUALITY,
      'How much faster anybody works. In spite of its name it measures no productivity: 1 means ten tokens read from the cache for each fresh one.',
    ],
    relations: ['log₁₀(leverage)', 'log₁₀(yield ÷ velocity)'],
    relation:
      'It ranks as leverage does, among those whose tools report cache writes. That they are asked for is a rule of the record format; their number has no part in the value.',
  },
};
