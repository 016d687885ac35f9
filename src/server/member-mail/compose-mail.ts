/** The content of an email, from what is public at the moment it is sent. */
import { operatorHref } from '#components/text/addresses.ts';
import { count, intervalText, metricText, momentText, whole } from '#components/text/format.ts';
import { METRIC_WORDS, WINDOW_WORDS } from '#components/text/words.ts';
import { isAlias } from '#core/domain/account/codename.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MailKind } from '#core/schema/member-mail.ts';
import { readMyOperator, readyMe } from '../board/me.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/read/publication.ts';
import { composeChallenge } from './compose-challenge.ts';
import { type Member, overtakersOf, silentDevices } from './due-events.ts';
import type { MailContent, MailPart } from './mail-text.ts';

export interface Composing {
  ctx: AppContext;
  publication: Publication;
  member: Member;
  about: string;
}

/** Returns null if there is nothing to say any more, such as when a device has submitted meanwhile. */
export function composeMail(
  kind: MailKind,
  composing: Composing,
): MailContent | Promise<MailContent | null> | null {
  return COMPOSERS[kind](composing);
}

type Composer = (composing: Composing) => MailContent | Promise<MailContent | null> | null;

const COMPOSERS: Readonly<Record<MailKind, Composer>> = {
  weekly: composeWeekly,
  overtaken: composeOvertaken,
  record: composeRecord,
  challenge: composeChallenge,
  silent: composeSilent,
};

async function composeWeekly(composing: Composing): Promise<MailContent | null> {
  const { ctx, publication, member, about } = composing;
  if (utcDay(ctx.now().getTime()) !== about) return null;
  const { operator_id, public_name } = member;
  const caller = { operator_id, device_id: null };
  await readyMe(ctx, caller);
  const me = readMyOperator(ctx, caller);
  if (me.standings.length === 0) return null;
  const { name } = ctx.config.site;
  const page = ctx.config.baseUrl + (public_name ? operatorHref(public_name) : '/settings');
  return {
    subject: `Your week on ${name}`,
    parts: [
      `Your ranks by yield on ${name}, as of ${momentText(publication.generated_at, 'instant')}. Yield is shown with its 95% interval.`,
      {
        head: ['Window', 'Rank', 'Rank range', 'Since last week', 'Yield', '95% interval'],
        rows: me.standings.map(({ window, rank, rank_range, movement, total, ...standing }) => [
          WINDOW_WORDS[window].label,
          rank === null ? 'not ranked' : `${whole(rank)} of ${whole(total)}`,
          rank_range === null ? '–' : `${whole(rank_range[0])}–${whole(rank_range[1])}`,
          movementText(movement?.week ?? null),
          metricText('yield', standing.metrics.yield),
          intervalText('yield', standing.interval),
        ]),
      },
      ...metricParts(publication, public_name),
      public_name !== null && isAlias(public_name)
        ? { text: 'Your settings', href: `${ctx.config.baseUrl}/settings` }
        : { text: 'All your numbers', href: page },
    ],
  };
}

function movementText(places: number | null): string {
  if (places === null) return '–';
  if (places === 0) return 'same rank';
  return `${places > 0 ? 'up' : 'down'} ${count(Math.abs(places), 'place')}`;
}

/** The member's metrics on the default board; nothing without a row there. */
function metricParts(publication: Publication, public_name: string | null): MailPart[] {
  const detail = public_name && publication.window(DEFAULT_VIEW.window).detail(public_name);
  if (!detail) return [];
  const { places } = detail;
  return [
    `Your metrics over the ${WINDOW_WORDS[DEFAULT_VIEW.window].phrase}:`,
    {
      head: ['Metric', 'Value', '95% interval', 'Rank'],
      rows: METRIC_NAMES.map((metric) => {
        const { value, interval, rank, total } = places[metric];
        return [
          METRIC_WORDS[metric].label,
          metricText(metric, value),
          intervalText(metric, interval),
          rank === null ? 'not ranked' : `${whole(rank)} of ${whole(total)}`,
        ];
      }),
    },
  ];
}

function composeOvertaken({ ctx, publication, member, about }: Composing): MailContent | null {
  const { public_name } = member;
  const isToday = publication.as_of === about && utcDay(ctx.now().getTime()) === about;
  if (public_name === null || !isToday) return null;
  const others = overtakersOf(publication, public_name);
  const { window, metric } = DEFAULT_VIEW;
  const own = publication.window(window).find(metric, public_name);
  if (others.length === 0 || !own || !('rank' in own)) return null;
  const { name } = METRIC_WORDS[metric];
  const before = own.rank + (own.movement.day ?? 0);
  return {
    subject: `You are now rank ${whole(own.rank)} by ${name} on ${ctx.config.site.name}`,
    parts: [
      `You were rank ${whole(before)} yesterday over the ${WINDOW_WORDS[window].phrase} and are rank ${whole(own.rank)} now. These operators were behind you:`,
      {
        head: ['Operator', 'Rank', 'Yield', '95% interval'],
        rows: [...others, own].map((entry) => [
          entry === own ? `${entry.codename} (you)` : entry.codename,
          'rank' in entry ? whole(entry.rank) : '–',
          metricText(metric, entry.metrics[metric]),
          intervalText(metric, entry.interval),
        ]),
      },
      'If the intervals overlap, the order can change by chance alone.',
      { text: 'Open the leaderboard', href: `${ctx.config.baseUrl}/` },
    ],
  };
}

function composeRecord({ ctx, publication, member, about }: Composing): MailContent | null {
  const found = METRIC_NAMES.flatMap((metric) => {
    const [newest] = publication.records.of(metric);
    return newest?.achieved_at.slice(0, 10) === about ? [{ metric, ...newest }] : [];
  });
  if (found.length === 0) return null;
  const isOwn = found.some(({ codename }) => codename === member.public_name);
  const names = found.map(({ metric }) => METRIC_WORDS[metric].name).join(', ');
  return {
    subject: `${isOwn ? 'You set a new record' : 'New record'} on ${ctx.config.site.name}: ${names}`,
    parts: [
      'A record is the highest conservative value of a metric over 30 consecutive days. The conservative value is the measured value lowered by its uncertainty.',
      {
        head: ['Metric', 'Record', '95% interval', 'Operator', 'Days'],
        rows: found.map(({ metric, value, interval, codename, first_day, last_day }) => [
          METRIC_WORDS[metric].label,
          metricText(metric, value),
          intervalText(metric, interval),
          codename === member.public_name ? `${codename} (you)` : codename,
          `${momentText(first_day, 'date')} to ${momentText(last_day, 'date')}`,
        ]),
      },
      { text: 'All records', href: `${ctx.config.baseUrl}/hall-of-signal` },
    ],
  };
}

function composeSilent({ ctx, member, about }: Composing): MailContent | null {
  const { operator_id, silent_days } = member;
  const device = silentDevices(ctx, operator_id, silent_days).find(({ id, last }) => {
    return about === `${id} ${last.slice(0, 10)}`;
  });
  if (!device) return null;
  const { baseUrl, site } = ctx.config;
  const label = device.label === '' ? 'Your device' : `Your device “${device.label}”`;
  return {
    subject: `${label} has not submitted for ${count(silent_days, 'day')}`,
    parts: [
      `${label} last submitted to ${site.name} on ${momentText(device.last, 'instant')}.`,
      'If you still use it, run “opbench submit” on it. “opbench auto on” turns on the timer, and “opbench doctor” finds what is wrong.',
      'If you no longer use it, revoke it in your settings. Its submissions stay on the board.',
      { text: 'Your devices', href: `${baseUrl}/settings#devices` },
    ],
  };
}
