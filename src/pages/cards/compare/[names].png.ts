import { comparisonViewOf, namesIn } from '#core/domain/board/comparison.ts';
import { readComparisonCard } from '#server/board/comparison.ts';
import { pictureEndpoint } from '#server/http/response/social-picture.ts';
import { comparisonCardOf } from '#components/comparison/comparison-card-words.ts';
import { comparisonCard } from '../../../charts/comparison-card.ts';
import { boardCard, drawnCard } from '#server/cards/cards.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx }, params, url }) => {
  const { baseUrl, site } = ctx.config;
  const names = namesIn([params['names'] ?? '']);
  const facts = readComparisonCard(ctx, { ...comparisonViewOf(url.searchParams), names });
  if (facts === null) return boardCard(ctx);
  const card = comparisonCardOf(facts, { name: site.name, baseUrl });
  return drawnCard(ctx, comparisonCard(card, site.colours.light));
});
