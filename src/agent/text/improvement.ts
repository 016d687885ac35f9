import { LEAST_DAYS } from '#core/domain/improve.ts';
import { plain } from '#core/domain/terminal-text.ts';
import type {
  Diagnosis,
  Improvement,
  ImprovementTarget,
  LeakName,
  NoImprovement,
} from '#core/schema/improvement.ts';
import { wrapped } from './table.ts';
import { valueText } from './value.ts';

const LEAKS: Readonly<Record<LeakName, string>> = {
  fresh_input: 'fresh input that a cache should have carried',
  unread_cache_writes: 'cache writes that were hardly read',
  low_transmission: 'much read for little output',
  cold_short_days: 'short days that pay for a cache and do not use it',
};

const RATIOS: Readonly<Record<ImprovementTarget['ratio'], string>> = {
  leverage: 'leverage (cache read / input)',
  velocity: 'velocity (output / input)',
  reuse: 'reuse (cache read / cache write)',
};

/** What a diagnosis says, for people. */
export function improvementText(diagnosis: Diagnosis): string {
  const { from, to, present, empty_because, entries } = diagnosis;
  const { leverage, velocity } = present;
  const values = `leverage ${valueText(leverage)}, velocity ${valueText(velocity)}`;
  const head = `Yield ${valueText(present.yield)} from ${from} to ${to} (${values})`;
  if (empty_because) return `${head}\n${wrapped(nothing(empty_because), 0)}`;
  const found = entries.map((entry, index) => entryText(entry, index + 1, diagnosis));
  const overlap = 'Each is computed alone: what they bring does not add up.';
  return [head, ...found, ...(found.length > 1 ? [overlap] : [])].join('\n\n');
}

function entryText(entry: Improvement, number: number, { next_class, present }: Diagnosis): string {
  const { leak, tool, target, evidence, reached_on, simulated, gain } = entry;
  const measured = evidence.days_measured;
  const origin =
    target.from === 'next_class_median'
      ? `the median of class ${next_class?.class_tier ?? ''}`
      : 'what the best quarter of them reached';
  const worst = evidence.worst.slice(0, 3).map(({ day, model, value }) => {
    return `${day} ${plain(model)} ${valueText(value)}`;
  });
  const done = reached_on.map(({ day, value }) => `${day} ${valueText(value)}`);
  const lines = [
    `${evidence.days} of ${measured} similar days could come up to ${valueText(target.value)} ${RATIOS[target.ratio]}, ${origin}; together they have ${valueText(evidence.value)}. Worst: ${worst.join(', ')}.`,
    entry.habit,
    `You did it on ${evidence.days_reached} of ${measured}: ${done.join(', ')}.`,
    `What it costs: ${entry.trade_off}`,
    `Had those days come up to it: yield ${valueText(present.yield)} -> ${valueText(simulated.yield)} (+${percent(gain)} %).`,
  ];
  const title = wrapped(`${number}. ${plain(tool)}: ${LEAKS[leak]}`, 0);
  return [title, ...lines.map((line) => wrapped(line, 3))].join('\n');
}

function nothing({ code, actual }: NoImprovement): string {
  switch (code) {
    case 'no_tokens':
      return 'No logs of these days: see "opbench scan".';
    case 'yield_undefined':
      return 'Nothing to compare: no log of these days reports both input and cache reads.';
    case 'yield_zero':
      return 'Nothing to compare: nothing was read from a cache on these days, or nothing written.';
    case 'days_low':
      return `Too little to compare: a tool needs ${LEAST_DAYS} similar days of 10,000 tokens or more, and ${actual} is the most there are.`;
    case 'within_noise':
      return 'Your better days can be luck: they stand out no more than days of one habit do.';
    case 'nothing_to_gain':
      return 'Your days are even: nothing would bring more than 0.1 %.';
  }
}

function percent(gain: number): string {
  return valueText(Math.expm1(gain) * 100);
}
