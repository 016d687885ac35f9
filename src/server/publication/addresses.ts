/** Which responses are prepared before or after somebody asks for them, and under which address. */
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import type { RouteTable, SiteRoute } from '#core/contract/route-table.ts';
import { ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { BOARD_PARAMETERS, boardPath, boardQuery } from '#core/domain/board/board-path.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { operatorQuery, operatorViewOf } from '#core/domain/board/operator-view.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { frontBoard } from './read/front-board.ts';
import type { Publication } from './read/publication.ts';

const BOARDS = WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => ({ window, metric })));

/**
 * The addresses that are prepared with a publication, before anybody asks: of the boards of one tool those of
 * the tool that the front page opens on.
 */
export function preparedAddresses(
  publication: Pick<Publication, 'tools' | 'window'>,
  { routes }: RouteTable = ROUTE_TABLE,
): string[] {
  const { tool } = frontBoard(publication);
  const ofTool =
    tool === null ? [] : BOARDS.map((board) => boardPath(board) + boardQuery({ tool }));
  const always = routes.filter(({ prepared }) => prepared === 'publication');
  return [...always.flatMap(preparedAt), ...ofTool];
}

function preparedAt({ path, kind }: SiteRoute): string[] {
  if (kind !== 'operation') return addressesOf(path);
  return [path, ...BOARDS.map((board) => `${path}?${new URLSearchParams(board)}`)];
}

/**
 * The one address under which an answer is prepared: what a page does not know in its query does not
 * make another page of it.
 */
export function preparedAddress(target: string, routes: RouteTable = ROUTE_TABLE): string {
  const end = target.indexOf('?');
  if (end < 0) return target;
  const path = target.slice(0, end);
  const page = routes.pageOfMarkdown(path);
  const route = routes.find(page ?? path);
  if (!route || route.kind === 'operation' || !mayBePrepared(route)) return target;
  return path + queryOf(route, new URLSearchParams(target.slice(end + 1)));
}

/** What does not depend on who asks: also files that are there under their address without a query only. */
function mayBePrepared({ prepared, kind }: SiteRoute): boolean {
  return prepared !== undefined || kind === 'file';
}

/** The query of a page, as its links have it. */
function queryOf({ variants }: SiteRoute, query: URLSearchParams): string {
  switch (variants) {
    case 'board':
      return boardQuery(
        Object.fromEntries(BOARD_PARAMETERS.map((name) => [name, query.get(name)])),
      );
    case 'operator':
      return operatorQuery(operatorViewOf(query));
    case 'standings': {
      const after = query.get('after');
      return after === null ? '' : `?${new URLSearchParams({ after })}`;
    }
    default:
      return '';
  }
}

/**
 * Where the pages of a board and of a challenge's standings begin, as they link to one another. Others
 * are answered too, but there are more of them than can be remembered: a page could begin anywhere.
 */
const CURSORS: Partial<Record<NonNullable<SiteRoute['variants']>, RegExp>> = {
  board: /^[1-9]\d*\.([1-9]\d*)\.999999999\.[0-9a-f]+$/,
  standings: /^(?:0|[1-9]\d*)\.([1-9]\d*)$/,
};

/**
 * Whether an address is the same for everybody until the next publication, and may be prepared on first
 * request. Not a search for a name, nor one operator beside another: there are more of them than can be
 * remembered, and they would push out what many read. A page as Markdown is kept as the page is.
 */
export function isMemorable(address: string, routes: RouteTable = ROUTE_TABLE): boolean {
  const page = routes.pageOfMarkdown(address) ?? address;
  const [path = '', query] = page.split('?', 2);
  const route = routes.find(path);
  if (!route || !PREPARED.includes(route.prepared)) return false;
  if (route.variants === 'sitemap') return /-[1-9]\d*\./.test(path);
  return isLinked(route, new URLSearchParams(query));
}

/** What changes with the program and its settings only. */
export const LASTING: ReadonlySet<string> = new Set(
  ROUTE_TABLE.routes.filter(({ prepared }) => prepared === 'once').map(({ path }) => path),
);

const PREPARED: readonly SiteRoute['prepared'][] = ['first-request', 'publication'];

function isLinked({ search, variants }: SiteRoute, query: URLSearchParams): boolean {
  if (search !== undefined && query.has(search)) return false;
  const after = query.get('after');
  const cursor = variants && CURSORS[variants];
  if (after === null || !cursor) return true;
  return Number(cursor.exec(after)?.[1]) % PAGE_LIMIT.default === 0;
}
