import { metricNamed, readHallOfSignal } from '#server/board/metric-page.ts';
import { boardCard, drawnCard } from '#server/cards/cards.ts';
import { pictureEndpoint } from '#server/http/response/social-picture.ts';
import { recordCardOf } from '#components/challenge/challenge-card-words.ts';
import { operatorCard } from '../../../charts/operator-card.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const metric = metricNamed(params['metric']);
  const found = readHallOfSignal(ctx).metrics.find((one) => one.metric === metric);
  if (!found?.record) return boardCard(ctx);
  const card = recordCardOf(
    { metric: found.metric, record: found.record },
    { name: site.name, baseUrl },
  );
  return drawnCard(ctx, operatorCard(card, site.colours.light));
});
