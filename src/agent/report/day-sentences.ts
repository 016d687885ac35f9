/** How a day differs from the median day, in sentences. They state differences, not causes. */
import { shareText, tokensText, valueText } from '../../charts/numbers.ts';
import type { ComparedDay, DayFigures } from './compare-days.ts';

/** Sentences about a day. Text from logs is not escaped. */
export function daySentences(day: ComparedDay, median: DayFigures): string[] {
  const { tokens, models, others } = day;
  const shares = models.map(({ name, share, usual }) => {
    const used = share === 0 ? 'was not used' : `had ${shareText(share)} of them`;
    return `${name} ${used}. On all days, it had ${shareText(usual)}.`;
  });
  const beside = others.map(({ tool, share }) => {
    return `${tool} had ${shareText(share)} of all tokens of this day.`;
  });
  return [
    ...RATIOS.map((metric) => ratioSentence(metric, day[metric], median[metric])),
    `Fresh input was ${shareText(day.input)} of its tokens, and cache reads were ${shareText(day.cache_read)}. The median day has ${shareText(median.input)} and ${shareText(median.cache_read)}.`,
    `It had ${tokensText(tokens)} tokens, ${timesText(tokens, median.tokens)} (${tokensText(median.tokens)}).`,
    ...shares,
    ...beside,
  ];
}

const RATIOS = ['leverage', 'velocity'] as const;

function ratioSentence(metric: (typeof RATIOS)[number], value: number, median: number): string {
  const text = (number: number) => valueText(metric, number);
  const name = metric === 'leverage' ? 'Leverage' : 'Velocity';
  return `${name} was ${text(value)}, ${timesText(value, median)} (${text(median)}).`;
}

/** A value compared with the median, as a factor, or as a percentage if it is smaller. */
function timesText(value: number, median: number): string {
  if (value === median) return 'like the median day';
  if (median === 0) return 'where the median day has none';
  const ratio = value / median;
  return ratio >= 1
    ? `${valueText('yield', ratio)} times the median day`
    : `${shareText(ratio)} of the median day`;
}
