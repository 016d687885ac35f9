/** Marks the rows of a board whose rank changed since the last visit, which only this device knows. */
import { read, write } from './device-storage.ts';
import { find, findAll, make, makeButton } from './dom.ts';
import { agoText } from './relative-times.ts';

/** The ranks at a time, in epoch milliseconds. */
interface Seen {
  at: number;
  ranks: Record<string, number>;
}

/** The last two visits of each board. */
type Visits = Record<string, { last?: Seen | undefined; now: Seen }>;

const KEY = 'visits';
/** The most characters on the device: dozens of boards. With more, it forgets all of them. */
const MOST = 2e5;
/** Pages that are opened later belong to another visit. */
const PAUSE_MS = 30 * 60_000;

export function showChanges(): void {
  const table = find<HTMLTableElement>('[data-sortable]');
  const board = location.pathname + location.search;
  // The addresses of further pages change with each update.
  if (!table || /[?&](after|q)=/.test(board)) return;
  const rows = findAll<HTMLTableRowElement>('tbody tr', table);
  const now = { at: Date.now(), ranks: Object.fromEntries(rows.map(rankOf)) };
  const last = replaceVisit(board, now);
  if (!last) return;
  const changed = rows.filter((row) => mark(row, last)).length;
  const what = `${changed || 'No'} ${changed === 1 ? 'rank' : 'ranks'} changed`;
  const textContent = `${what} since your last visit ${agoText(now.at - last.at)}, which only this device knows. `;
  const status = make('p', { className: 'soft small above', textContent });
  const forget = makeButton('Forget visits', () => {
    write(KEY, '');
    status.textContent = 'Forgotten.';
  });
  status.append(forget);
  table.before(status);
}

/** Stores what is shown now. Returns what the visit before this one showed. */
function replaceVisit(board: string, now: Seen): Seen | undefined {
  const stored = read(KEY);
  const visits = JSON.parse(stored.length > MOST ? '{}' : stored || '{}') as Visits;
  const before = visits[board];
  const last = before && now.at - before.now.at > PAUSE_MS ? before.now : before?.last;
  visits[board] = { last, now };
  write(KEY, JSON.stringify(visits));
  return last;
}

function rankOf({ cells }: HTMLTableRowElement): [name: string, rank: number] {
  const [rank, name] = cells as unknown as [Element, Element];
  // Anonymous operators have no link.
  const named = find<HTMLAnchorElement>('a, bdi', name);
  return [named?.pathname ?? named?.textContent ?? '', parseInt(rank.textContent.replace(',', ''))];
}

/** Returns whether the row changed. */
function mark(row: HTMLTableRowElement, { ranks }: Seen): boolean {
  const [name, rank] = rankOf(row);
  const before = ranks[name];
  if (before === rank) return false;
  const textContent = before === undefined ? 'New here' : `Was rank ${before}`;
  row.cells[1]?.append(make('strong', { className: 'since small', textContent }));
  return true;
}
