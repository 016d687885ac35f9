import { oneOf, wholeNumber } from '#core/cli/arguments.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { boardMeant, type LocalDevice } from '../device.ts';
import { EXIT } from '../failure.ts';
import { BoardPageAnswer } from '../board/answers.ts';
import { boundsText, figure, valueText } from '../text/figures.ts';
import { type Column, tableLines, wrapped } from '../text/table.ts';

const DEFAULT_LIMIT = 20;

const OPTIONS = {
  board: readBoardUrl,
  window: oneOf(WindowName.options),
  metric: oneOf(MetricName.options),
  tool: 'text',
  limit: wholeNumber(1, PAGE_LIMIT.max),
} as const;

export const board = command({
  help: `opbench board: show the top of a public board

Usage: opbench board [--board URL] [--window NAME] [--metric NAME] [--tool NAME]
                     [--limit N] [--json]

  --board URL    default: the board you are enrolled on, or the one that this
                 opbench came from
  --window NAME  ${WindowName.options.join(', ')}; default: 30d
  --metric NAME  ${MetricName.options.join(', ')}; default: yield
  --tool NAME    only this tool, for example claude-code
  --limit N      number of rows; default: ${DEFAULT_LIMIT}
  --json         print JSON

If your row is among those shown, it is marked. "opbench status" always shows
your rank. The request does not identify you.

Example: opbench board --metric leverage --limit 10
`,
  json: `opbench board --json prints one object:

  board
  codename  your codename there, or null if you are not enrolled
  answer    the response of GET /api/v1/leaderboard
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
        `Tools count input differently. To rank one tool: --tool NAME (${plain(tools.join(', '))})`,
      );
    }
    return EXIT.ok;
  },
});

/** Says how operators who are not among the rows can see their own rank. */
function tellPlace(
  { answer: { entries, total }, codename }: BoardTop,
  { note }: AgentOutput,
): void {
  if (codename === null || entries.length >= total) return;
  if (entries.some((entry) => entry.codename === codename)) return;
  note(`${plain(codename)} is not among these rows. To see your rank: opbench status`);
}

type Entry = BoardPageAnswer['entries'][number];

export function boardText(top: BoardTop, strong: (text: string) => string): string {
  const { answer, codename } = top;
  const { entries, metric } = answer;
  if (entries.length === 0) return `${headText(top)}\nNo one is ranked here yet.`;
  const cells = entries.map((entry) => cellsOf(entry, metric));
  const [titles = '', ...rows] = tableLines(columnsFor(plain(metric)), cells);
  const lines = rows.map((row, at) =>
    entries[at]?.codename === codename ? strong(`> ${row.slice(2)}`) : row,
  );
  return [headText(top), titles, ...lines].join('\n');
}

function headText({ board, answer }: BoardTop): string {
  const { metric, window, as_of, total } = answer;
  const by = `by ${metric}, ${window.replace('_', ' ')} to ${as_of}`;
  return wrapped(plain(`${board}: ${figure(total)} ranked ${by}`), 0);
}

function columnsFor(metric: string): Column[] {
  return [
    { title: 'rank', side: 'right' },
    { title: 'range', side: 'right' },
    { title: 'codename', least: 10 },
    { title: metric, side: 'right' },
    { title: '95% interval', side: 'right' },
    { title: 'class' },
    { title: 'trust', least: 6 },
  ];
}

function cellsOf(entry: Entry, metric: string): string[] {
  const { rank, rank_range, codename, metrics, interval, class_tier, trust } = entry;
  return [
    String(rank),
    rank_range?.join('–') ?? '',
    codename,
    valueText(metrics[metric] ?? null),
    interval === null ? '' : boundsText(interval),
    class_tier ?? '',
    trust?.replace('_', ' ') ?? '',
  ];
}

export type BoardQuery = Readonly<Record<string, string>>;

interface BoardTop {
  board: string;
  answer: BoardPageAnswer;
  /** The codename of this device's operator; null if it is not enrolled on the board. */
  codename: string | null;
}

/**
 * The top of a public board. The request is anonymous, so it cannot include the operator's own row.
 *
 * @throws {Failure} if the request fails.
 */
async function readBoardTop(
  { client, keystore }: LocalDevice,
  board: string,
  choice: BoardQuery,
): Promise<BoardTop> {
  const codename = keystore.identity(board)?.codename ?? null;
  const answer = await client.leaderboard(board, choice, BoardPageAnswer);
  return { board, answer, codename };
}
