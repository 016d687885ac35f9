/** What each plausibility check looks at, with the numbers that it uses. */
import { DAY_OUTLIER } from '#core/domain/checks/day-outlier.ts';
import { EQUAL_VECTORS } from '#core/domain/checks/equal-days.ts';
import {
  HIDDEN_INPUT,
  INPUT_SHARE,
  OUTPUT_RATE,
  READS_PER_WRITE,
  READS_WITHOUT_WRITES,
} from '#core/domain/checks/plausibility.ts';
import { REPEATED_DAYS } from '#core/domain/checks/repeated-days.ts';
import { ROUND_COUNTS, ROUND_OUTPUT, ROUND_SERIES } from '#core/domain/checks/round-counts.ts';
import type { CheckId } from '#core/schema/moderation.ts';
import { percentText, whole } from '../text/format.ts';

interface CheckRule {
  id: CheckId;
  /** What it looks at, and why. */
  asks: string;
  /** When a day gets a note, and when it is put on hold; null if never. */
  noted: string | null;
  held: string | null;
}

export const CHECK_RULES: readonly CheckRule[] = [
  {
    id: 'output_rate',
    asks: 'Output of all tools in a UTC day. In one stream, a model writes about 100 tokens a second, or 8.6 million a day.',
    noted: `above ${whole(OUTPUT_RATE.note)} tokens`,
    held: `above ${whole(OUTPUT_RATE.hold)} tokens`,
  },
  {
    id: 'day_outlier',
    asks: `A day's tokens, or its yield with a tool, compared with the account's own days and with all operators: robust standard deviations above both medians, on a logarithmic scale. Needs at least ${DAY_OUTLIER.days} days of the account and ${DAY_OUTLIER.operators} operators.`,
    noted: `above ${DAY_OUTLIER.note}`,
    held: `above ${DAY_OUTLIER.hold}`,
  },
  {
    id: 'equal_vectors',
    asks: `Days whose input, output and cache reads equal those of an earlier account within ${percentText(EQUAL_VECTORS.tolerance)}.`,
    noted: null,
    held: `at least ${EQUAL_VECTORS.days} days and ${percentText(EQUAL_VECTORS.share)} of the days that both accounts have`,
  },
  {
    id: 'input_share',
    asks: `Fresh input per request, for the smallest number of requests that a tool's day can consist of: a request reads at most ${whole(INPUT_SHARE.context)} tokens from the cache and writes at most ${whole(INPUT_SHARE.answer)} tokens.`,
    noted: `below ${INPUT_SHARE.note} tokens, on days with at least ${whole(INPUT_SHARE.day_tokens)} tokens`,
    held: `below ${INPUT_SHARE.hold} token`,
  },
  {
    id: 'hidden_input',
    asks: `The share of a tool's fresh input in rows that report no cache reads, if these rows have less than ${percentText(HIDDEN_INPUT.output)} of its output. Yield would leave this input out. Only on days with at least ${whole(HIDDEN_INPUT.day_tokens)} tokens.`,
    noted: null,
    held: `above ${percentText(HIDDEN_INPUT.hold)}`,
  },
  {
    id: 'reads_without_writes',
    asks: 'Tokens read from a cache on a day when the tool reports that it wrote none.',
    noted: `at least ${whole(READS_WITHOUT_WRITES.note)} tokens`,
    held: null,
  },
  {
    id: 'reads_per_write',
    asks: `Cache reads of a tool's day, compared with its cache writes times its requests. A request can read a written token once, and has at least one token of input and one of output. Only on days with at least ${whole(READS_PER_WRITE.reads)} cache reads.`,
    noted: 'above that product',
    held: null,
  },
  {
    id: 'repeated_days',
    asks: `Days of an account whose input, output and cache reads are the same as on another day, or all the same multiple, to the token: at least ${REPEATED_DAYS.days} days with ${percentText(REPEATED_DAYS.share)} of the tokens within ${REPEATED_DAYS.near} days.`,
    noted: `days with more than ${whole(REPEATED_DAYS.output.note)} output tokens`,
    held: `days with more than ${whole(REPEATED_DAYS.output.hold)} output tokens`,
  },
  {
    id: 'round_counts',
    asks: `Token types of a tool's day that are multiples of ${ROUND_COUNTS.multiple}, but not on most days with the tool. Only on days with at least ${whole(ROUND_OUTPUT)} output tokens.`,
    noted: null,
    held: `at least ${ROUND_COUNTS.hold} of the four types`,
  },
  {
    id: 'round_series',
    asks: `Output or cache reads with a tool that are different multiples of ${ROUND_SERIES.note} on 8 days in a row, of 100 on 4, or of 1,000 on 3. Only days with at least ${whole(ROUND_OUTPUT)} output tokens.`,
    noted: `multiples of ${ROUND_SERIES.note}, or if the other types are round, too`,
    held: `multiples of ${ROUND_SERIES.hold}`,
  },
];
