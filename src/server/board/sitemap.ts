import type { RouteTable, SiteRoute } from '#core/contract/route-table.ts';
import { ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { DEFAULT_VIEW, boardPath, boardQuery } from '#core/domain/board/board-path.ts';
import { isAlias } from '#core/domain/account/codename.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { Sitemap, SitemapEntry } from '#core/domain/board/sitemap.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/read/publication.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { frontView } from './board-page.ts';

/** Operators per chunk, which takes a few milliseconds. */
const PIECE = 1000;

/**
 * Every public page with its own URL: boards, operators, and the pages that explain them. Filtered boards, further
 * pages of lists, submissions and single error pages are left out, because listed pages link to them.
 *
 * @param documents The addresses of the documentation's Markdown files, from the root.
 */
export function readSitemap(
  ctx: AppContext,
  routes: RouteTable = ROUTE_TABLE,
  documents: readonly string[] = [],
): Sitemap {
  const publication = currentPublication(ctx);
  const boards = boardEntries(ctx, publication, pagesOf(routes, 'board'));
  const names = openNames(publication);
  const pages = referenceEntries(ctx, [...pagesOf(routes, 'reference'), ...documents]);
  return {
    total: boards.length + names.length + pages.length,
    async *pieces(from, to) {
      yield boards.slice(from, to);
      const last = Math.min(to - boards.length, names.length);
      for (let at = Math.max(0, from - boards.length); at < last; at += PIECE) {
        await yieldToEventLoop();
        yield operatorEntries(ctx, publication, names.slice(at, Math.min(at + PIECE, last)));
      }
      const before = boards.length + names.length;
      yield pages.slice(Math.max(0, from - before), Math.max(0, to - before));
    },
  };
}

/** The fixed paths of this kind. Boards have their own order, and other paths depend on stored data. */
function pagesOf({ routes }: RouteTable, kind: SiteRoute['sitemap']): string[] {
  const listed = routes.filter(({ sitemap, variants }) => sitemap === kind && !variants);
  return listed.flatMap(({ path }) => addressesOf(path));
}

/** Pages that only change with a release, and challenges. */
function referenceEntries({ store }: AppContext, pages: readonly string[]): SitemapEntry[] {
  const challenges = store.challenges.all().map(({ id }) => `/challenges/${id}`);
  return [...pages, ...challenges].map((path) => ({ path, modified: null }));
}

/** Pages that show boards, and the boards themselves. */
function boardEntries(ctx: AppContext, publication: Publication, pages: readonly string[]) {
  const modified = changedAt(ctx, publication);
  const front = addressOf(frontView(ctx));
  const tools = [DEFAULT_VIEW.tool, ...publication.tools];
  const boards = tools.flatMap((tool) =>
    WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => addressOf({ window, metric, tool }))),
  );
  const paths = [...pages, ...boards.filter((path) => path !== front)];
  return paths.map((path) => ({ path, modified }));
}

function addressOf({ tool, ...board }: ReturnType<typeof frontView>): string {
  return boardPath(board) + boardQuery({ tool });
}

/** The last change of the boards: the last log entry, or the start of the day, which moves the windows. */
function changedAt({ store }: AppContext, { as_of, log_index }: Publication): string {
  const day = `${as_of}T00:00:00.000Z`;
  const received_at = store.log.at(log_index)?.received_at ?? day;
  return received_at > day ? received_at : day;
}

/** The codenames of all operators on the board except anonymous ones, sorted. */
function openNames({ operators }: Publication): string[] {
  const names = operators.codenames();
  return names.filter((name) => !isAlias(name));
}

/** The codenames that still have a page, with the time of the last submission. */
function operatorEntries(
  { store }: AppContext,
  { log_index }: Publication,
  names: readonly string[],
): SitemapEntry[] {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const open = new Map(store.operators.openBetween(first, last, log_index));
  return names.flatMap((name) => {
    const modified = open.get(name);
    return modified === undefined ? [] : [{ path: `/operators/${name}`, modified }];
  });
}
