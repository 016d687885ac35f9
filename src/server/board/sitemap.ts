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

/** Operators in a piece: so many take a few milliseconds. */
const PIECE = 1000;

/**
 * Every page that is the same for everybody and has an address of its own: boards, operators, and then what
 * explains them. Boards of chosen operators, further pages of lists, submissions and single problems are left
 * out: each is a link away from one that is here.
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

/** The addresses of this kind that the program knows: those of boards have their own order, others are of what is stored. */
function pagesOf({ routes }: RouteTable, kind: SiteRoute['sitemap']): string[] {
  const listed = routes.filter(({ sitemap, variants }) => sitemap === kind && !variants);
  return listed.flatMap(({ path }) => addressesOf(path));
}

/** Pages that change with the board's version only, and challenges. */
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

/** When the boards changed last: with the last entry, or with the day, which moves their windows. */
function changedAt({ store }: AppContext, { as_of, log_index }: Publication): string {
  const day = `${as_of}T00:00:00.000Z`;
  const received_at = store.log.at(log_index)?.received_at ?? day;
  return received_at > day ? received_at : day;
}

/** The names of all on the board but those who are anonymous, sorted. */
function openNames({ operators }: Publication): string[] {
  const names = Array.from({ length: operators.length }, (_, at) => operators.codenameAt(at));
  return names.filter((name) => !isAlias(name));
}

/** Those of the names who still have a page; each page shows what its operator sent last. */
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
