/** How an event is sent in each form. */
import { WEBHOOK_TEXTS, type WebhookForm, type WebhookPayload } from '#core/contract/webhooks.ts';
import { escapedMarkup } from '#core/domain/text/escape.ts';
import { messageText } from './message.ts';

export interface WebhookBody {
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** The forms that are signed. Services have other means: their addresses are secret. */
export function isSigned(form: WebhookForm): boolean {
  return form === 'standard';
}

export function bodyIn(form: WebhookForm, payload: WebhookPayload, board: string): WebhookBody {
  return BODIES[form](payload, board);
}

type Body = (payload: WebhookPayload, board: string) => WebhookBody;

/** Marks an at sign as text. It then mentions nobody, also where a service ignores other settings. */
function unmention(text: string): string {
  return text.replaceAll('@', '@\u200B');
}

/** Escapes every character that Markdown could interpret. */
function inDiscord(text: string): string {
  return unmention(text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`));
}

/** @see {@link https://docs.slack.dev/messaging/formatting-message-text | Slack, formatting message text} */
function inSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const inHtml = (text: string) => unmention(escapedMarkup(text));

const BODIES: Readonly<Record<WebhookForm, Body>> = {
  standard: (payload) => json(payload),
  /** @see {@link https://docs.discord.com/developers/resources/webhook#execute-webhook | Discord, execute webhook} */
  discord(payload, board) {
    const text = messageText(payload, { board, escape: inDiscord });
    return json({ content: `${text}\n<${payload.url}>`, allowed_mentions: { parse: [] } });
  },
  slack(payload, board) {
    const text = messageText(payload, { board, escape: inSlack });
    return json({ text: `${text}\n<${payload.url}>`, mrkdwn: false, unfurl_links: false });
  },
  /** @see {@link https://matrix-org.github.io/matrix-hookshot/latest/setup/webhooks.html | Hookshot, webhooks} */
  matrix(payload, board) {
    const text = messageText(payload, { board, escape: unmention });
    const html = messageText(payload, { board, escape: inHtml }).replaceAll('\n', '<br>');
    const href = escapedMarkup(payload.url);
    return json({
      text: `${text}\n${payload.url}`,
      html: `${html}<br><a href="${href}">${href}</a>`,
    });
  },
  /** @see {@link https://docs.ntfy.sh/publish/ | ntfy, publishing} */
  ntfy(payload, board) {
    const text = messageText(payload, { board, escape: (name) => name });
    const headers = { Title: WEBHOOK_TEXTS[payload.type].summary, Click: payload.url };
    return { body: text, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } };
  },
};

function json(value: object): WebhookBody {
  return { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
}
