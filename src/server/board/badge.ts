import {
  type BadgePlace,
  MOST_EMBEDDED_ROWS,
  type OperatorCardFacts,
  type SocialCardFacts,
} from '#core/domain/board/badge.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { currentName } from '../operator/codenames.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import type { FrontBoard } from '../publication/read/front-board.ts';
import type { Publication } from '../publication/read/publication.ts';
import { frontView } from './board-page.ts';
import { mainTool } from './your-standing.ts';

/** An operator's standing for a badge. Unknown parameters take their defaults. */
export function readBadge(ctx: AppContext, asked: string, query: URLSearchParams): BadgePlace {
  const publication = ctx.publications.current();
  const board = {
    metric: MetricName.catch(DEFAULT_VIEW.metric).parse(query.get('metric')),
    window: WindowName.catch(DEFAULT_VIEW.window).parse(query.get('window')),
  };
  const nowhere = { ...board, tool: null, tier: 'unclassed' } as const;
  if (!publication) return { codename: asked, ...nowhere, standing: 'unpublished' };
  const codename = currentName(ctx, asked);
  if (!isListed(ctx, publication, codename)) {
    return { codename, ...nowhere, standing: 'unlisted' };
  }
  const place = { codename, ...board, tool: toolAsked(publication, codename, query.get('tool')) };
  return { ...place, ...standingOf(publication, place) };
}

/** The requested tool, null for an empty name; by default the one that the operator uses most. */
function toolAsked(publication: Publication, codename: string, asked: string | null) {
  if (asked === '') return null;
  if (asked !== null && publication.tools.includes(asked)) return asked;
  return mainTool(publication, codename);
}

function isListed({ store }: AppContext, { operators }: Publication, codename: string): boolean {
  const operator = store.operators.byCodename(codename);
  return (
    operator?.is_open === 1 && operator.log_index > 0 && operators.positionOf(codename) !== null
  );
}

function standingOf(
  publication: Publication,
  { codename, metric, window, tool }: Omit<BadgePlace, 'standing' | 'tier'>,
): Pick<BadgePlace, 'standing' | 'tier'> {
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  const entry = board.find(metric, codename);
  const tier = entry?.class_tier ?? 'unclassed';
  if (!entry || !('rank' in entry)) return { tier, standing: 'unranked' };
  const { rank, conservative, interval } = entry;
  return { tier, standing: { rank, total: board.total(metric), conservative, interval } };
}

/** What the preview picture of an operator shows; null for everyone whose page is not public. */
export function readOperatorCard(ctx: AppContext, asked: string): OperatorCardFacts | null {
  const place = readBadge(ctx, asked, new URLSearchParams());
  if (place.standing === 'unlisted' || place.standing === 'unpublished') return null;
  const { codename, metric, window, tool } = place;
  const publication = currentPublication(ctx);
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  const { as_of } = publication;
  return {
    codename,
    metric,
    window,
    tool,
    as_of,
    total: board.total(metric),
    entry: board.find(metric, codename),
  };
}

/** The number of rows that remain legible on a small picture. */
const SHOWN = 5;

export function readSocialCard(ctx: AppContext): SocialCardFacts {
  return topOf(ctx, frontView(ctx), SHOWN);
}

/** The small board for frames of other sites. Unknown parameters take the values of the front page. */
export function readSmallBoard(ctx: AppContext, query: URLSearchParams) {
  const { tools, generated_at } = currentPublication(ctx);
  const front = frontView(ctx);
  const tool = query.get('tool') ?? front.tool;
  const view = {
    window: WindowName.catch(front.window).parse(query.get('window')),
    metric: MetricName.catch(front.metric).parse(query.get('metric')),
    tool: tool !== null && tools.includes(tool) ? tool : null,
  };
  const rows = Number(query.get('rows'));
  const isFit = Number.isInteger(rows) && rows >= 1 && rows <= MOST_EMBEDDED_ROWS;
  return { ...topOf(ctx, view, isFit ? rows : SHOWN), generated_at };
}

function topOf(ctx: AppContext, view: FrontBoard, limit: number): SocialCardFacts {
  const publication = currentPublication(ctx);
  const { window, metric, tool } = view;
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  return {
    ...view,
    tools: [...publication.tools],
    as_of: publication.as_of,
    total: board.total(metric),
    unranked: board.unrankedTotal(metric),
    entries: board.ranked(metric, { from: 0, limit }).entries,
  };
}
