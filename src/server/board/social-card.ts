import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import type { SocialCardFacts } from '#core/domain/board/social-card.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { frontView } from './front-board.ts';

/** As many as can be read on a small picture. */
const SHOWN = 5;

/** The first rows of the front page's board. */
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
