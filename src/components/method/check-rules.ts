/** What each check asks of an account's days, with the numbers that it uses. */
import { DAY_OUTLIER } from '#core/domain/checks/day-outlier.ts';
import { EQUAL_VECTORS } from '#core/domain/checks/equal-days.ts';
import {
  HIDDEN_INPUT,
  INPUT_SHARE,
  OUTPUT_RATE,
  READS_WITHOUT_WRITES,
} from '#core/domain/checks/plausibility.ts';
import type { CheckId } from '#core/schema/moderation.ts';
import { percentText, whole } from '../text/format.ts';

interface CheckRule {
  id: CheckId;
  /** What is looked at, and why that tells something. */
  asks: string;
  /** From where on a day is noted, and held; null where it never is. */
  noted: string | null;
  held: string | null;
}

export const CHECK_RULES: readonly CheckRule[] = [
  {
    id: 'output_rate',
    asks: 'Output of all tools in a UTC day. A model writes about 100 tokens a second in one stream, 8.6 million a day.',
    noted: `above ${whole(OUTPUT_RATE.note)} tokens`,
    held: `above ${whole(OUTPUT_RATE.hold)} tokens`,
  },
  {
    id: 'day_outlier',
    asks: `A day's tokens, or its yield with a tool, beside the account's own days and those of the field: robust standard deviations above both medians, on a logarithmic scale. From ${DAY_OUTLIER.days} own days and ${DAY_OUTLIER.operators} operators on.`,
    noted: `above ${DAY_OUTLIER.note}`,
    held: `above ${DAY_OUTLIER.hold}`,
  },
  {
    id: 'equal_vectors',
    asks: `Days on which input, output and cache reads equal an earlier account's within ${percentText(EQUAL_VECTORS.tolerance)}.`,
    noted: null,
    held: `from ${EQUAL_VECTORS.days} days and ${percentText(EQUAL_VECTORS.share)} of the days of both on`,
  },
  {
    id: 'input_share',
    asks: `Fresh input for each of the fewest requests that a tool's day can have been: a request reads at most ${whole(INPUT_SHARE.context)} tokens from the cache and writes at most ${whole(INPUT_SHARE.answer)}.`,
    noted: `below ${INPUT_SHARE.note} tokens, from ${whole(INPUT_SHARE.day_tokens)} tokens a day on`,
    held: `below ${INPUT_SHARE.hold} token`,
  },
  {
    id: 'hidden_input',
    asks: `The share of a tool's fresh input in rows that report no cache reads, where these hold less than ${percentText(HIDDEN_INPUT.output)} of its output: yield would leave it out. From ${whole(HIDDEN_INPUT.day_tokens)} tokens a day on.`,
    noted: null,
    held: `above ${percentText(HIDDEN_INPUT.hold)}`,
  },
  {
    id: 'reads_without_writes',
    asks: 'Tokens read from a cache on a day on which the tool states that it wrote none.',
    noted: `from ${whole(READS_WITHOUT_WRITES.note)} tokens on`,
    held: null,
  },
];
