import { challengeHref } from '#components/text/addresses.ts';
import { intervalText, metricText, momentText, whole } from '#components/text/format.ts';
import { METRIC_WORDS } from '#components/text/words.ts';
import type { ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type ChallengeRow, frozenStandings } from '../challenge/challenges.ts';
import type { AppContext } from '../context.ts';
import type { Composing } from './compose-mail.ts';
import type { MailContent, MailPart } from './mail-text.ts';

/** The start or the end of a challenge, with the member's own standing at the end. */
export function composeChallenge({ ctx, member, about }: Composing): MailContent | null {
  const [event, id = ''] = about.split(' ');
  const row = ctx.store.challenges.byId(id);
  if (!row || row.cancelled_at !== null) return null;
  const page = { text: row.title, href: ctx.config.baseUrl + challengeHref(id) };
  if (event === 'start') return { ...startOf(ctx, row), parts: [...startOf(ctx, row).parts, page] };
  if (row.frozen_at === null) return null;
  const own = ownPlace(ctx, row, member.operator_id);
  return {
    subject: `The challenge “${row.title}” has ended`,
    parts: [...ownParts(own, row.metric, ctx.store.challenges.total(row.seq)), page],
  };
}

function startOf({ config }: AppContext, row: ChallengeRow): MailContent {
  const { title, description, metric, tool, first_day, last_day } = row;
  const days = `${momentText(first_day, 'date')} to ${momentText(last_day, 'date')}`;
  return {
    subject: `The challenge “${title}” has started`,
    parts: [
      `${config.site.name} ranks operators by conservative ${METRIC_WORDS[metric].name} over ${days}, with ${tool ?? 'all tools'}.`,
      ...(description === '' ? [] : [description]),
      'You take part by submitting counts for these days, which count until 48 hours after the last one.',
    ],
  };
}

/** The member's final place; null if the member has none or it no longer counts. */
function ownPlace(ctx: AppContext, row: ChallengeRow, operator_id: number): ChallengeEntry | null {
  const place = ctx.store.challenges.placeOf(row.seq, operator_id);
  if (place === undefined) return null;
  const [entry] = frozenStandings(ctx, row, place - 1, 1).entries;
  return entry?.codename ? entry : null;
}

function ownParts(own: ChallengeEntry | null, metric: MetricName, total: number): MailPart[] {
  if (!own) return ['The standings are final. You are not in them.'];
  const { rank, rank_range, value, interval } = own;
  const [best, worst] = rank_range;
  return [
    `The standings are final. You are rank ${whole(rank)} of ${whole(total)}.`,
    {
      head: ['Metric', 'Value', '95% interval', 'Rank range'],
      rows: [
        [
          METRIC_WORDS[metric].label,
          metricText(metric, value),
          intervalText(metric, interval),
          `${whole(best)}–${whole(worst)}`,
        ],
      ],
    },
  ];
}
