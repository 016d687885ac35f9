/** Titles and contents of the feed's entries. */
import { isAlias } from '#core/domain/account/codename.ts';
import {
  type ChallengeItem,
  type DayItem,
  type FeedItem,
  type RecordsItem,
  feedItemName,
} from '#core/domain/board/feed-item.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import { boardDataHref, boardHref, challengeHref, operatorHref } from './addresses.ts';
import { capitalised, intervalText, metricText, momentText, whole } from './format.ts';
import { METRIC_WORDS, WINDOW_WORDS, boardText, termsText } from './words.ts';

interface FeedEntry {
  /** Unique on this board. */
  name: string;
  title: string;
  html: string;
  href: string;
  updated: string;
}

interface FeedWords {
  baseUrl: string;
  tools: readonly string[];
}

export function feedEntry(item: FeedItem, words: FeedWords): FeedEntry {
  const { title, href, body } = textOf(item, words);
  return { name: feedItemName(item), title, html: markup`${body}`.html, href, updated: item.at };
}

interface EntryText {
  title: string;
  href: string;
  body: readonly Html[];
}

function textOf(item: FeedItem, words: FeedWords): EntryText {
  switch (item.kind) {
    case 'day':
      return dayText(item, words);
    case 'records':
      return recordsText(item, words);
    default:
      return challengeText(item, words);
  }
}

function dayText(item: DayItem, { baseUrl, tools }: FeedWords): EntryText {
  const { day, window, metric, tool, entries } = item;
  const { name } = METRIC_WORDS[metric];
  const hasBoard = tool === null || tools.includes(tool);
  const asOf = `${boardDataHref(item)}&${new URLSearchParams({ as_of: day })}`;
  return {
    title: dayTitle(item),
    href: hasBoard ? boardHref({ window, metric, tool }) : '/',
    body: [
      markup`<p>${boardText(item)}, ranked by conservative ${name} at the end of the day. The conservative value is the measured value lowered by its uncertainty.</p>`,
      table(
        ['Rank', 'Operator', capitalised(name), '95% interval'],
        entries.map((entry) => [
          whole(entry.rank),
          operator(entry, baseUrl),
          metricText(metric, entry.value),
          intervalText(metric, entry.interval),
        ]),
      ),
      markup`<p><a href="${baseUrl + asOf}">This day’s board as JSON</a></p>`,
    ],
  };
}

/** If the first operator is now hidden, the title names nobody: ranks of earlier days do not move up. */
function dayTitle({ day, window, metric, tool, entries: [first] }: DayItem): string {
  const subject = first?.rank === 1 ? `${first.codename} leads` : 'Leaderboard';
  const span = WINDOW_WORDS[window].label.toLowerCase();
  const board = [METRIC_WORDS[metric].name, tool ?? 'all tools', span].join(', ');
  return `${momentText(day, 'date')}: ${subject} by ${board}`;
}

function recordsText({ records }: RecordsItem, { baseUrl }: FeedWords): EntryText {
  const names = records.map(({ metric }) => METRIC_WORDS[metric].name);
  const [first] = records;
  return {
    title:
      records.length === 1
        ? `New record: ${names[0]} by ${first?.codename}`
        : `New records: ${names.join(', ')}`,
    href: '/hall-of-signal',
    body: [
      table(
        ['Metric', 'Operator', 'Conservative value', 'Days'],
        records.map((record) => [
          capitalised(METRIC_WORDS[record.metric].name),
          operator(record, baseUrl),
          metricText(record.metric, record.value),
          `${momentText(record.first_day, 'date')} to ${momentText(record.last_day, 'date')}`,
        ]),
      ),
    ],
  };
}

const CHALLENGE_TITLES = {
  announced: 'New challenge',
  began: 'Challenge started',
  cancelled: 'Challenge canceled',
  ended: 'Challenge days are over',
  over: 'Challenge finished',
} as const;

function challengeText(item: ChallengeItem, { baseUrl }: FeedWords): EntryText {
  return {
    title: challengeTitle(item),
    href: challengeHref(item.id),
    body: [markup`<p>${termsText(item)}.</p>`, ...challengeBody(item, baseUrl)],
  };
}

/** If the first operator is now hidden, the title names nobody. */
function challengeTitle({ kind, title, day, entries: [first] }: ChallengeItem): string {
  if (kind !== 'standings') return `${CHALLENGE_TITLES[kind]}: ${title}`;
  const subject = first?.rank === 1 ? `${first.codename} leads ${title}` : `${title}: standings`;
  return `${momentText(day ?? '', 'date')}: ${subject}`;
}

function challengeBody(item: ChallengeItem, baseUrl: string): readonly Html[] {
  const { kind, description, cancelled_reason, closes_at } = item;
  switch (kind) {
    case 'announced':
      return paragraphs(description);
    case 'began':
      return paragraphs('Signed counts of these days are ranked as they arrive.');
    case 'cancelled':
      return paragraphs(cancelled_reason ?? '');
    case 'ended':
      return paragraphs(`Submissions count until ${momentText(closes_at, 'instant')}.`);
    default:
      return standings(item, baseUrl);
  }
}

function standings({ metric, entries }: ChallengeItem, baseUrl: string): readonly Html[] {
  if (entries.length === 0) return [markup`<p>Nobody qualified.</p>`];
  const rows = entries.map(({ rank, codename, display_name, value, interval }) => [
    whole(rank),
    operator({ codename: codename ?? '', display_name }, baseUrl),
    metricText(metric, value),
    intervalText(metric, interval),
  ]);
  const { name } = METRIC_WORDS[metric];
  return [table(['Rank', 'Operator', capitalised(name), '95% interval'], rows)];
}

function paragraphs(text: string): readonly Html[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => markup`<p>${line}</p>`);
}

interface Named {
  codename: string;
  display_name: string | null;
}

/** A display name is always followed by the codename, which is unique. */
function operator({ codename, display_name }: Named, baseUrl: string): Html {
  const name = display_name === null ? codename : `${display_name} (${codename})`;
  if (isAlias(codename)) return markup`${name}`;
  return markup`<a href="${baseUrl + operatorHref(codename)}">${name}</a>`;
}

function table(heads: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  const head = heads.map((each) => markup`<th>${each}</th>`);
  const body = rows.map((cells) => {
    return markup`<tr>${cells.map((cell) => markup`<td>${cell || '–'}</td>`)}</tr>`;
  });
  return markup`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
