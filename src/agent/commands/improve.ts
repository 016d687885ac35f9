import { LEAST_DAYS } from '#core/domain/peers/tool-diagnosis.ts';
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
import { readBoardUrl } from '../board/address.ts';
import { command, daysFrom } from '../command.ts';
import { EXIT, type ExitCode } from '../failure.ts';
import { DEFAULT_DAYS, improveMachine } from '../loop/improve.ts';
import { failureLines } from '../text/failure.ts';
import { tellUnread } from '../text/scan.ts';
import { wrapped } from '../text/table.ts';
import { valueText } from '../text/figures.ts';

export const improve = command({
  help: `opbench improve: find the days that lowered your yield, and what to change

Usage: opbench improve [--days N] [--board URL] [--json]

  --days N     the last N UTC days; default: ${DEFAULT_DAYS}
  --board URL  also compare with the class above yours on this board
  --json       print JSON

It compares the days in this device's logs with each other. Nothing is sent;
--board only downloads public medians. The MCP tool self_improve covers all your
devices.

Example: opbench improve --days 30
`,
  json: `opbench improve --json prints one object, like GET /api/v1/improvements:

  source         "logs"
  board          the board that was asked, or null
  as_of, log_index   null
  class_tier     the class that these days would have
  from, to       first and last day
  present        {yield, leverage, velocity}
  next_class     null or {class_tier, medians: [{tool, leverage, velocity}]}
  empty_because  null or {code, required, actual, detail}
  total          number of findings
  tools          array of {tool, present, days, days_compared, most_similar,
                 yield_range, leverage_range, tokens_range, found, reason};
                 "reason" says why nothing was found for the tool
  entries        array of {leak, tool, habit, trade_off, target, evidence,
                 reached_on, attainability, simulated, gain, in_tool, score}
`,
  options: { board: readBoardUrl, days: daysFrom(LEAST_DAYS) },
  async run({ values }, output, device) {
    const { board, days = DEFAULT_DAYS } = values;
    let exitCode: ExitCode = EXIT.ok;
    const options = { board, days, progress: output.progress };
    const improvement = await improveMachine(device, options, {
      scanned: (result) => tellUnread(result, output),
      failed(failure) {
        failureLines(failure).forEach(output.note);
        output.note('The comparison uses your own days only.');
        exitCode = EXIT.partial;
      },
    });
    output.result(improvement, () => improvementText(improvement));
    return exitCode;
  },
});

const LEAKS: Readonly<Record<LeakName, string>> = {
  fresh_input: 'fresh input that could have come from the cache',
  unread_cache_writes: 'cache writes that were rarely read',
  low_transmission: 'a lot of reading for little output',
  cold_short_days: 'short days that write a cache and hardly use it',
};

const RATIOS: Readonly<Record<ImprovementTarget['ratio'], string>> = {
  leverage: 'leverage (cache read / input)',
  velocity: 'velocity (output / input)',
  reuse: 'reuse (cache read / cache write)',
};

function improvementText(diagnosis: Diagnosis): string {
  const { from, to, present, empty_because, entries, tools } = diagnosis;
  const { leverage, velocity } = present;
  const values = `leverage ${valueText(leverage)}, velocity ${valueText(velocity)}`;
  const head = `Yield ${valueText(present.yield)}, ${from} to ${to} (${values})`;
  const missing = tools.flatMap(toolText);
  if (empty_because) {
    const why = missing.length > 0 ? [] : [wrapped(emptyText(empty_because), 0)];
    return [head, ...why, ...missing, ...mixedText(tools)].join('\n');
  }
  const found = entries.map((entry, index) => entryText(entry, index + 1, diagnosis));
  const overlap = 'Each gain is computed on its own, so the gains do not add up.';
  const rest = missing.length > 0 ? [missing.join('\n')] : [];
  return [head, ...found, ...(found.length > 1 ? [overlap] : []), ...rest].join('\n\n');
}

function emptyText({ code, detail }: NoImprovement): string {
  return code === 'no_tokens' ? 'No logs found for this period. Run: opbench scan' : plain(detail);
}

/** The highest number of tools without findings that are explained. */
const SHOWN_TOOLS = 5;

/** Says why nothing was found for a tool. Empty for tools with findings. */
function toolText({ tool, present, reason }: ToolDiagnosis, at: number): string[] {
  if (reason === null || at >= SHOWN_TOOLS) return [];
  const text = `${plain(tool)} (yield ${valueText(present.yield)}): ${plain(reason.detail)}`;
  return [wrapped(text, 2)];
}

function mixedText({ length }: readonly ToolDiagnosis[]): string[] {
  const text = 'Days of different tools are not compared, because tools count input differently.';
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
      : 'the level of the best quarter of these days';
  const worst = evidence.worst.slice(0, 3).map(({ day, model, value }) => {
    return `${day} ${plain(model)} ${valueText(value)}`;
  });
  const done = reached_on.map(({ day, value }) => `${day} ${valueText(value)}`);
  const overall = tools.length > 1 ? `; for all tools ${gainText(present, simulated)}` : '';
  const lines = [
    `${evidence.days} of ${measured} similar days could reach ${RATIOS[target.ratio]} ${valueText(target.value)}, ${origin}. Together they have ${valueText(evidence.value)}. Lowest: ${worst.join(', ')}.`,
    entry.habit,
    `You reached it on ${evidence.days_reached} of ${measured} days: ${done.join(', ')}.`,
    `Trade-off: ${entry.trade_off}`,
    `If those days had reached it: yield ${gainText(in_tool.present, in_tool.simulated)} (+${percent(in_tool.gain)}%)${overall}.`,
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
