import { oneOf, wholeNumber } from '#core/cli/arguments.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import { readBoardUrl } from '../board/address.ts';
import { type Output, command } from '../command.ts';
import { boardMeant } from '../device.ts';
import { EXIT } from '../failure.ts';
import { type BoardTop, readBoardTop } from '../loop/board.ts';
import { boardText } from '../text/board.ts';

const DEFAULT_LIMIT = 20;

const OPTIONS = {
  board: readBoardUrl,
  window: oneOf(WindowName.options),
  metric: oneOf(MetricName.options),
  tool: 'text',
  limit: wholeNumber(1, PAGE_LIMIT.max),
} as const;

export const board = command({
  help: `opbench board [--board URL] [--window 30d] [--metric yield] [--tool NAME]
[--limit 20] [--json]: the top of a public board, your own row marked if it is
among them; "opbench status" tells your place wherever it is. Without --board it
is the one where this device is enrolled, or that this file came from. The board
is not told who asks.

Example: opbench board --metric leverage --tool claude-code

--window is ${WindowName.options.join(', ')}; --metric
${MetricName.options.join(', ')}.
--json prints {"board", "codename", "answer"}: the answer of GET
/api/v1/leaderboard, and your codename there; null where you are not enrolled.
`,
  options: OPTIONS,
  async run({ values }, output, device) {
    const { window, metric, tool, limit = DEFAULT_LIMIT } = values;
    const choice = {
      ...(window !== undefined && { window }),
      ...(metric !== undefined && { metric }),
      ...(tool !== undefined && { tool }),
      limit: String(limit),
    };
    const top = await readBoardTop(device, values.board ?? boardMeant(device), choice);
    output.result(top, () => boardText(top, output.strong));
    if (output.isJson) return EXIT.ok;
    tellPlace(top, output);
    const { tools } = top.answer;
    if (tool === undefined && tools.length > 1) {
      output.note(
        `Tools log input in different ways; --tool ranks one: ${plain(tools.join(', '))}`,
      );
    }
    return EXIT.ok;
  },
});

/** Where somebody finds the own place who is not among those shown. */
function tellPlace({ answer: { entries, total }, codename }: BoardTop, { note }: Output): void {
  if (codename === null || entries.length >= total) return;
  if (entries.some((entry) => entry.codename === codename)) return;
  note(`${plain(codename)} is not among these; your place: opbench status`);
}
