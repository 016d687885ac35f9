/** The texts of the preview pictures of challenges and records. */
import type { Challenge, ChallengeContender, ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import type { OperatorCard } from '../../charts/operator-card.ts';
import type { PodiumCard } from '../../charts/podium-card.ts';
import { scaleOf } from '../../charts/scale.ts';
import type { SocialCard } from '../../charts/social-card.ts';
import { shownValues } from '../board/shown-values.ts';
import { cardRow } from '../board/social-card-words.ts';
import { valueOf } from '../operator/operator-card-words.ts';
import { challengeHref, recordHref } from '../text/addresses.ts';
import { count, momentText } from '../text/format.ts';
import { METRIC_WORDS, termsText } from '../text/words.ts';
import { NO_LONGER_SHOWN, STATUS_WORDS, podiumOf } from './challenge-words.ts';

interface Site {
  name: string;
  baseUrl: string;
}

type Shown = Challenge & {
  frozen_at: string | null;
  total: number;
  unranked_total: number;
  entries: readonly ChallengeEntry[];
  unranked: readonly ChallengeContender[];
};

/** What the pictures of all challenges have in common. */
function frameOf(challenge: Shown, { name, baseUrl }: Site) {
  const { id, title, last_day, first_day } = challenge;
  const days = `${momentText(first_day, 'day')} to ${momentText(last_day, 'date')}`;
  const address = new URL(baseUrl).host + challengeHref(id);
  return { board: name, title, address, day: days };
}

/** The podium of a challenge that is over; null if nobody on it is public. */
export function podiumCardOf(challenge: Shown, site: Site): PodiumCard | null {
  const { metric, entries, frozen_at, total } = challenge;
  const podium = podiumOf(entries);
  if (frozen_at === null || podium.length === 0) return null;
  const shown = shownValues(metric, podium);
  return {
    ...frameOf(challenge, site),
    total: `Final, ${count(total, 'ranked operator')}`,
    steps: podium.map(({ rank, codename, display_name }, at) => ({
      rank,
      name: display_name ?? codename ?? NO_LONGER_SHOWN,
      value: codename === null ? '' : `${METRIC_WORDS[metric].label} ${shown[at]}`,
    })),
  };
}

/** The first ranks of a challenge, or what it is about. */
export function challengeCardOf(challenge: Shown, site: Site): SocialCard {
  const { metric, status, total } = challenge;
  const entries = challenge.entries.flatMap((entry) => {
    return entry.codename === null ? [] : [{ ...entry, codename: entry.codename }];
  });
  const scale = scaleOf(metric, entries);
  const shown = shownValues(metric, entries);
  return {
    ...frameOf(challenge, site),
    total:
      total > 0 ? `Provisional, ${count(total, 'ranked operator')}` : STATUS_WORDS[status].label,
    rows: entries.map((entry, at) => {
      const name = entry.display_name ?? entry.codename;
      return cardRow({ ...entry, name }, shown[at] ?? '', metric, scale);
    }),
    ticks: entries.length > 0 ? scale.ticks : null,
    notes: notesOf(challenge),
  };
}

function notesOf(challenge: Shown): string[] {
  const { metric, tool, total, unranked_total, status } = challenge;
  // Below a table there is less room, and the days are at the bottom of the picture.
  if (total > 0) return [`Ranked by ${METRIC_WORDS[metric].name}, ${tool ?? 'all tools'}`];
  const terms = termsText(challenge);
  if (unranked_total === 0 || status === 'cancelled') return [terms];
  const others = count(unranked_total, 'operator has', 'operators have');
  return [terms, `${others} tokens in these days.`];
}

/** A record, as on its page. */
export function recordCardOf(
  { metric, record }: { metric: MetricName; record: SignalRecord },
  { name, baseUrl }: Site,
): OperatorCard {
  const { codename, display_name, interval, first_day, last_day, achieved_at } = record;
  const { label, name: metricName } = METRIC_WORDS[metric];
  return {
    board: name,
    name: display_name ?? codename,
    tier: 'unclassed',
    className: '',
    rank: `${label} record`,
    ...valueOf(metric, { conservative: record.value, interval }),
    meaning: `The highest conservative ${metricName} over 30 days`,
    range: `${momentText(first_day, 'date')} to ${momentText(last_day, 'date')}`,
    address: new URL(baseUrl).host + recordHref(metric),
    day: `Set ${momentText(achieved_at, 'date')}`,
  };
}
