import { pictureEndpoint } from '#server/http/response/social-picture.ts';
import { readOperatorCard } from '#server/board/badge.ts';
import { operatorCard } from '../../charts/operator-card.ts';
import { operatorCardOf } from '#components/operator/operator-card-words.ts';
import { boardCard, drawnCard } from '#server/cards/cards.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const facts = readOperatorCard(ctx, params['codename'] ?? '');
  if (facts === null) return boardCard(ctx);
  const card = operatorCardOf(facts, { name: site.name, baseUrl });
  return drawnCard(ctx, operatorCard(card, site.colours.light));
});
