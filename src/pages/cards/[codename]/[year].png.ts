import { pictureEndpoint } from '#server/http/response/social-picture.ts';
import { findOperatorReview } from '#server/board/operator-review.ts';
import { currentName } from '#server/operator/codenames.ts';
import { boardCard, drawnCard } from '#server/cards/cards.ts';
import { yearCard } from '../../../charts/year-card.ts';
import { yearCardOf } from '#components/operator/year-card-words.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const { codename = '', year = '' } = params;
  const { sheet } = await findOperatorReview(ctx, currentName(ctx, codename), year);
  const facts =
    sheet?.span.kind === 'year' ? yearCardOf(sheet, { name: site.name, baseUrl }) : null;
  return facts === null ? boardCard(ctx) : drawnCard(ctx, yearCard(facts, site.colours.light));
});
