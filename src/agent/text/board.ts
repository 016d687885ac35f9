import { plain } from '#core/domain/text/terminal-text.ts';
import type { BoardPageAnswer } from '../board/answers.ts';
import type { BoardTop } from '../loop/board.ts';
import { figure, valueText } from './figures.ts';
import { type Column, tableLines, wrapped } from './table.ts';

type Entry = BoardPageAnswer['entries'][number];

/** The top of a board, the own row marked and strong. */
export function boardText(top: BoardTop, strong: (text: string) => string): string {
  const { answer, codename } = top;
  const { entries, metric } = answer;
  if (entries.length === 0) return `${headText(top)}\nNobody is ranked here.`;
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
  return wrapped(plain(`${board}: ${by}, ${figure(total)} ranked`), 0);
}

function columnsFor(metric: string): Column[] {
  return [
    { title: 'rank', side: 'right' },
    { title: 'range', side: 'right' },
    { title: 'codename', least: 10 },
    { title: metric, side: 'right' },
    { title: '95 % interval', side: 'right' },
    { title: 'class' },
    { title: 'trust', least: 6 },
  ];
}

function cellsOf(entry: Entry, metric: string): string[] {
  const { rank, rank_range, codename, metrics, interval, class_tier, trust } = entry;
  return [
    String(rank),
    rank_range?.join('-') ?? '',
    codename,
    valueText(metrics[metric] ?? null),
    interval === null ? '' : intervalText(interval),
    class_tier ?? '',
    trust?.replace('_', ' ') ?? '',
  ];
}

function intervalText([low, high]: NonNullable<Entry['interval']>): string {
  return high === null ? `${valueText(low)} or more` : `${valueText(low)} to ${valueText(high)}`;
}
