/** Events as messages of chat and notification services. */
import type { WebhookData, WebhookPayload, WebhookType } from '#core/contract/webhooks.ts';
import { figure } from '#core/domain/text/figure.ts';

type Escape = (text: string) => string;

interface MessageOptions {
  board: string;
  /** Makes a name or title harmless: it can neither format text nor mention anybody. */
  escape: Escape;
}

/** The message without the address of the page about it. */
export function messageText(payload: WebhookPayload, { board, escape }: MessageOptions): string {
  const say = SENTENCES[payload.type] as (data: unknown, escape: Escape) => string;
  return `${escape(oneLine(board))}: ${say(payload.data, (text) => escape(oneLine(text)))}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

type Challenge = WebhookData<'challenge.started'>;

const SENTENCES: {
  [Type in WebhookType]: (data: WebhookData<Type>, escape: Escape) => string;
} = {
  'record.set': ({ codename, metric, value, first_day, last_day }, escape) =>
    `New record! ${nameOf(codename, escape)} reached a ${metric} of ${figure(value)} from ${first_day} to ${last_day}.`,
  'leader.changed': ({ codename, previous_codename, metric, value }, escape) => {
    const before = previous_codename === null ? '' : ` Before: ${escape(previous_codename)}.`;
    return `${nameOf(codename, escape)} now leads by ${metric}, with ${figure(value)}.${before}`;
  },
  'challenge.started': (challenge, escape) =>
    `The challenge ${titleOf(challenge, escape)} has started. It ranks by ${challenge.metric} and ends on ${challenge.last_day}.`,
  'challenge.finished': ({ standings, ...challenge }, escape) => {
    const places = standings.map(({ rank, codename, value }) => {
      return `\n${rank}. ${nameOf(codename, escape)}: ${figure(value)}`;
    });
    return `The challenge ${titleOf(challenge, escape)} has ended.${places.join('')}`;
  },
  'operator.joined': ({ codename }, escape) => `${nameOf(codename, escape)} joined the board.`,
  'submission.held': ({ submission }) =>
    `A submission is on hold and waits for a decision: ${submission}`,
  'publication.stale': ({ age_seconds }) =>
    `The board has not been updated for ${figure(age_seconds)} seconds.`,
  'backup.failed': ({ code }, escape) =>
    code === null ? 'A backup failed.' : `A backup failed (${escape(code)}).`,
  'witness.alarm': ({ witness }, escape) =>
    `The witness ${escape(witness)} states that the log contradicts what it cosigned.`,
  'message.received': () => 'An operator sent a message to the admin.',
  'webhook.test': () => 'This is a test of the webhook.',
};

function nameOf(codename: string | null, escape: Escape): string {
  return codename === null ? 'An operator without a public name' : escape(codename);
}

function titleOf({ title }: Pick<Challenge, 'title'>, escape: Escape): string {
  return `“${escape(title)}”`;
}
