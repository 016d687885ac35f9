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
  help: `opbench improve [--days ${DEFAULT_DAYS}] [--board URL] [--json]: where your days lose yield,
and what other days of yours did better. It looks at the logs of this machine,
and sends nothing unless --board names a board to ask for the medians of the
class above yours; the MCP tool self_improve asks the board about all devices.

Example: opbench improve --days 30

--json prints {"source": "logs", "board", "as_of", "log_index", "class_tier",
"from", "to", "present": {"yield", "leverage", "velocity"}, "next_class": null
or {"class_tier", "medians": [{"tool", "leverage", "velocity"}]},
"empty_because": null or {"code", "required", "actual", "detail"},
"tools": [{"tool", "present", "days", "days_compared", "most_similar",
"yield_range", "leverage_range", "tokens_range", "found", "reason"}], "total",
"entries":
[{"leak", "tool", "habit", "trade_off", "target", "evidence", "reached_on",
"attainability", "simulated", "gain", "in_tool", "score"}]}, as
GET /api/v1/improvements of a board does; "as_of" and "log_index" are null.
"reason" says why nothing was found for a tool, as a code and in words.
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
        output.note('Only your own days are compared.');
        exitCode = EXIT.partial;
      },
    });
    output.result(improvement, () => improvementText(improvement));
    return exitCode;
  },
});

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

function improvementText(diagnosis: Diagnosis): string {
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
