/** Which responses are prepared, before or after the first request, and under which address. */
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import type { RouteTable, SiteRoute } from '#core/contract/route-table.ts';
import { ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { BOARD_PARAMETERS, boardPath, boardQuery } from '#core/domain/board/board-path.ts';
import { comparisonQuery, comparisonViewOf } from '#core/domain/board/comparison.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { operatorQuery, operatorViewOf } from '#core/domain/board/operator-view.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { frontBoard } from './read/front-board.ts';
import type { Publication } from './read/publication.ts';

const BOARDS = WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => ({ window, metric })));

/**
 * The addresses that are prepared with a publication. Of the boards by tool, only those of the tool on the front
 * page.
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

/** The one address under which a response is prepared. Unknown query parameters do not make a different page. */
export function preparedAddress(target: string, routes: RouteTable = ROUTE_TABLE): string {
  const end = target.indexOf('?');
  if (end < 0) return target;
  const path = target.slice(0, end);
  const page = routes.pageOfMarkdown(path);
  const route = routes.find(page ?? path);
  if (!route || route.kind === 'operation' || !mayBePrepared(route)) return target;
  return path + queryOf(route, new URLSearchParams(target.slice(end + 1)));
}

/**
 * Whether the response is the same for everyone. This includes files that exist only under their address without a
 * query.
 */
function mayBePrepared({ prepared, kind }: SiteRoute): boolean {
  return prepared !== undefined || kind === 'file';
}

/** A page's query as its own links spell it. */
function queryOf({ variants }: SiteRoute, query: URLSearchParams): string {
  switch (variants) {
    case 'board':
      return boardQuery(
        Object.fromEntries(BOARD_PARAMETERS.map((name) => [name, query.get(name)])),
      );
    case 'comparison':
      return comparisonQuery(comparisonViewOf(query));
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
 * The cursors of a board's pages and of a challenge's standings, as pages link to each other. Other cursors are
 * answered but not kept, because a page can begin anywhere and there are too many.
 */
const CURSORS: Partial<Record<NonNullable<SiteRoute['variants']>, RegExp>> = {
  board: /^[1-9]\d*\.([1-9]\d*)\.999999999\.[0-9a-f]+$/,
  standings: /^(?:0|[1-9]\d*)\.([1-9]\d*)$/,
};

/**
 * Whether a response stays the same for everyone until the next publication, and may be prepared on first request.
 * Not name searches or comparisons of operators: there are too many, and they would displace popular pages.
 * Markdown versions are kept like their pages.
 */
export function isMemorable(address: string, routes: RouteTable = ROUTE_TABLE): boolean {
  const page = routes.pageOfMarkdown(address) ?? address;
  const [path = '', query] = page.split('?', 2);
  const route = routes.find(path);
  if (!route || !PREPARED.includes(route.prepared)) return false;
  if (route.variants === 'sitemap') return /-[1-9]\d*\./.test(path);
  return isLinked(route, new URLSearchParams(query));
}

/** What changes only with the program and its settings. */
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
