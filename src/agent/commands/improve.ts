import { LEAST_DAYS } from '#core/domain/peers/tool-diagnosis.ts';
import { readBoardUrl } from '../board/address.ts';
import { command, daysFrom } from '../command.ts';
import { EXIT, type ExitCode } from '../failure.ts';
import { DEFAULT_DAYS, improveMachine } from '../loop/improve.ts';
import { failureLines } from '../text/failure.ts';
import { improvementText } from '../text/improvement.ts';
import { tellUnread } from '../text/scan.ts';

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
