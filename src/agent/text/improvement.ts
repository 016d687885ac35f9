import { plain } from '#core/domain/text/terminal-text.ts';
import type {
  Diagnosis,
  Improvement,
  ImprovementTarget,
  LeakName,
  NoImprovement,
  ToolDiagnosis,
  YieldParts,
} from '#core/schema/improvement.ts';
import { wrapped } from './table.ts';
import { valueText } from './figures.ts';

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

export function improvementText(diagnosis: Diagnosis): string {
  const { from, to, present, empty_because, entries, tools } = diagnosis;
  const { leverage, velocity } = present;
  const values = `leverage ${valueText(leverage)}, velocity ${valueText(velocity)}`;
  const head = `Yield ${valueText(present.yield)} from ${from} to ${to} (${values})`;
  const missing = tools.flatMap(toolText);
  if (empty_because) {
    const why = missing.length > 0 ? [] : [wrapped(emptyText(empty_because), 0)];
    return [head, ...why, ...missing, ...mixedText(tools)].join('\n');
  }
  const found = entries.map((entry, index) => entryText(entry, index + 1, diagnosis));
  const overlap = 'Each is computed alone: what they bring does not add up.';
  const rest = missing.length > 0 ? [missing.join('\n')] : [];
  return [head, ...found, ...(found.length > 1 ? [overlap] : []), ...rest].join('\n\n');
}

function emptyText({ code, detail }: NoImprovement): string {
  return code === 'no_tokens' ? 'No logs of these days: see "opbench scan".' : plain(detail);
}

/** How many tools without a finding are explained. */
const SHOWN_TOOLS = 5;

/** Why nothing was found for a tool; nothing of one with findings. */
function toolText({ tool, present, reason }: ToolDiagnosis, at: number): string[] {
  if (reason === null || at >= SHOWN_TOOLS) return [];
  const text = `${plain(tool)} (yield ${valueText(present.yield)}): ${plain(reason.detail)}`;
  return [wrapped(text, 2)];
}

function mixedText({ length }: readonly ToolDiagnosis[]): string[] {
  const text = 'Days of different tools are not compared: tools log their input differently.';
  return length > 1 ? [wrapped(text, 2)] : [];
}

function entryText(
  entry: Improvement,
  number: number,
  { next_class, present, tools }: Diagnosis,
): string {
  const { leak, tool, target, evidence, reached_on, simulated, in_tool } = entry;
  const measured = evidence.days_measured;
  const origin =
    target.from === 'next_class_median'
      ? `the median of class ${next_class?.class_tier ?? ''}`
      : 'what the best quarter of them reached';
  const worst = evidence.worst.slice(0, 3).map(({ day, model, value }) => {
    return `${day} ${plain(model)} ${valueText(value)}`;
  });
  const done = reached_on.map(({ day, value }) => `${day} ${valueText(value)}`);
  const overall = tools.length > 1 ? `; over all tools ${gainText(present, simulated)}` : '';
  const lines = [
    `${evidence.days} of ${measured} similar days could come up to ${valueText(target.value)} ${RATIOS[target.ratio]}, ${origin}; together they have ${valueText(evidence.value)}. Worst: ${worst.join(', ')}.`,
    entry.habit,
    `You did it on ${evidence.days_reached} of ${measured}: ${done.join(', ')}.`,
    `What it costs: ${entry.trade_off}`,
    `Had those days come up to it: yield ${gainText(in_tool.present, in_tool.simulated)} (+${percent(in_tool.gain)} %)${overall}.`,
  ];
  const title = wrapped(`${number}. ${plain(tool)}: ${LEAKS[leak]}`, 0);
  return [title, ...lines.map((line) => wrapped(line, 3))].join('\n');
}

function gainText(before: YieldParts, after: YieldParts): string {
  return `${valueText(before.yield)} -> ${valueText(after.yield)}`;
}

function percent(gain: number): string {
  return valueText(Math.expm1(gain) * 100);
}
