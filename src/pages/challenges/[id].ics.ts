import { ChallengeQuery } from '#core/contract/challenges.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { CALENDAR_MEDIA_TYPE, calendarText } from '#server/feeds/calendar.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { challengeHref } from '../../components/text/addresses.ts';

export const GET = textEndpoint(CALENDAR_MEDIA_TYPE, ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const challenge = readChallenge(ctx, params['id'] ?? '', ChallengeQuery.parse({ limit: '1' }));
  const { id, title, description, created_at, first_day, last_day, cancelled_at } = challenge;
  return calendarText(site.name, {
    uid: `challenge-${id}@${new URL(baseUrl).hostname}`,
    ...{ created_at, first_day, last_day, title },
    text: description,
    url: baseUrl + challengeHref(id),
    isCancelled: cancelled_at !== null,
  });
});
