import { BADGE_CONTENTS, badgeChoice } from '#core/domain/board/badge.ts';
import { shieldOf } from '#components/operator/shield.ts';
import { readBadge } from '#server/board/badge.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

/** Never returns an error, as for badges. */
export const GET = textEndpoint('application/json', ({ locals: { ctx }, params, url }) => {
  const { name: board, colours } = ctx.config.site;
  const place = readBadge(ctx, params['codename'] ?? '', url.searchParams);
  const show = badgeChoice(BADGE_CONTENTS, url.searchParams.get('show'));
  return JSON.stringify(shieldOf(place, show, { board, accent: colours.light.accent }));
});
