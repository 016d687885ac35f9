import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { plain, plainJson } from '#core/domain/text/terminal-text.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import { boardMeant } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { readLimit } from '../numbers.ts';
import { type BoardTop, readBoardTop } from '../loop/board.ts';
import { boardText } from '../text/board.ts';

const DEFAULT_LIMIT = 20;

export const board: Command = {
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
  async run(device, args, output) {
    const given = readArguments(args, {
      command: 'board',
      options: ['board', 'window', 'metric', 'tool', 'limit', 'json'],
    });
    const { window, metric, tool, json } = given;
    refuseUnless(WindowName.options, '--window', window);
    refuseUnless(MetricName.options, '--metric', metric);
    const limit =
      given.limit === undefined ? DEFAULT_LIMIT : readLimit(given.limit, PAGE_LIMIT.max);
    const choice = {
      ...(window !== undefined && { window }),
      ...(metric !== undefined && { metric }),
      ...(tool !== undefined && { tool }),
      limit: String(limit),
    };
    const top = await readBoardTop(device, given.board ?? boardMeant(device), choice);
    output.result(json ? plainJson(top) : boardText(top, output.strong));
    if (json) return EXIT.ok;
    tellPlace(top, output);
    const { tools } = top.answer;
    if (tool === undefined && tools.length > 1) {
      output.note(
        `Tools log input in different ways; --tool ranks one: ${plain(tools.join(', '))}`,
      );
    }
    return EXIT.ok;
  },
};

/** Where somebody finds the own place who is not among those shown. */
function tellPlace({ answer: { entries, total }, codename }: BoardTop, { note }: Output): void {
  if (codename === null || entries.length >= total) return;
  if (entries.some((entry) => entry.codename === codename)) return;
  note(`${plain(codename)} is not among these; your place: opbench status`);
}

function refuseUnless(known: readonly string[], option: string, word: string | undefined): void {
  if (word === undefined || known.includes(word)) return;
  throw new Failure(EXIT.usage, `${option} takes one of ${known.join(', ')}`);
}
