import { ChallengeQuery } from '#core/contract/challenges.ts';
import { nullIfRefused } from '#core/domain/text/errors.ts';
import { boardCard, drawnCard } from '#server/cards/cards.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { pictureEndpoint } from '#server/http/response/social-picture.ts';
import { challengeCardOf, podiumCardOf } from '#components/challenge/challenge-card-words.ts';
import { podiumCard } from '../../../charts/podium-card.ts';
import { socialCard } from '../../../charts/social-card.ts';

/** The most rows that fit. */
const ROWS = ChallengeQuery.parse({ limit: '5' });

export const GET = pictureEndpoint(async ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const at = { name: site.name, baseUrl };
  const challenge = nullIfRefused(() => readChallenge(ctx, params['id'] ?? '', ROWS), 'not_found');
  if (challenge === null) return boardCard(ctx);
  const podium = podiumCardOf(challenge, at);
  const { light } = site.colours;
  return podium === null
    ? drawnCard(ctx, socialCard(challengeCardOf(challenge, at), light))
    : drawnCard(ctx, podiumCard(podium, light));
});
