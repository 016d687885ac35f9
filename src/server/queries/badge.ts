import type { BadgePlace } from '#core/domain/badge.ts';
import { DEFAULT_VIEW } from '#core/domain/board-path.ts';
import { DEFAULT_SLICE } from '#core/domain/slices.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import { currentName } from '../codenames.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/publication.ts';

/** Where an operator stands; what is asked for in a way that is not known takes its default. */
export function readBadge(ctx: AppContext, asked: string, query: URLSearchParams): BadgePlace {
  const publication = ctx.publications.current();
  const tool = query.get('tool');
  const place = {
    metric: MetricName.catch(DEFAULT_VIEW.metric).parse(query.get('metric')),
    window: WindowName.catch(DEFAULT_VIEW.window).parse(query.get('window')),
    tool: tool !== null && publication?.tools.includes(tool) ? tool : null,
  };
  if (!publication) return { codename: asked, ...place, standing: 'unpublished' };
  const codename = currentName(ctx, asked);
  return { codename, ...place, standing: standingOf(ctx, publication, { codename, ...place }) };
}

function standingOf(
  { store }: AppContext,
  publication: Publication,
  { codename, metric, window, tool }: Omit<BadgePlace, 'standing'>,
): BadgePlace['standing'] {
  const operator = store.operators.byCodename(codename);
  if (operator?.is_open !== 1 || operator.log_index === 0) return 'unlisted';
  if (publication.operators.positionOf(codename) === null) return 'unlisted';
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  const entry = board.find(metric, codename);
  if (!entry || !('rank' in entry)) return 'unranked';
  return { rank: entry.rank, total: board.total(metric), value: entry.metrics[metric] };
}
