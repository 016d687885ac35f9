import type { BadgePlace, OperatorCardFacts, SocialCardFacts } from '#core/domain/board/badge.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { currentName } from '../operator/codenames.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
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
  if (!publication) return { codename: asked, ...board, tool: null, standing: 'unpublished' };
  const codename = currentName(ctx, asked);
  if (!isListed(ctx, publication, codename)) {
    return { codename, ...board, tool: null, standing: 'unlisted' };
  }
  const place = { codename, ...board, tool: toolAsked(publication, codename, query.get('tool')) };
  return { ...place, standing: standingOf(publication, place) };
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
  { codename, metric, window, tool }: Omit<BadgePlace, 'standing'>,
): BadgePlace['standing'] {
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  const entry = board.find(metric, codename);
  if (!entry || !('rank' in entry)) return 'unranked';
  return { rank: entry.rank, total: board.total(metric), value: entry.metrics[metric] };
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
  const publication = currentPublication(ctx);
  const view = frontView(ctx);
  const { window, metric, tool } = view;
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  return {
    ...view,
    tools: [...publication.tools],
    as_of: publication.as_of,
    total: board.total(metric),
    unranked: board.unrankedTotal(metric),
    entries: board.ranked(metric, { from: 0, limit: SHOWN }).entries,
  };
}
