/** Adding, removing and rotating webhooks, for the admin CLI and the admin pages. */
import { randomBytes } from 'node:crypto';
import { type BlockList, isIP } from 'node:net';
import type { Store } from '#db/store.ts';
import {
  WEBHOOK_FORMS,
  WEBHOOK_TYPES,
  type WebhookForm,
  type WebhookType,
} from '#core/contract/webhooks.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { type Actor, audit } from '#server/process/admin-actions.ts';
import { isSigned } from './forms.ts';
import { mayContact } from './post.ts';
import { sealFor } from './sealed.ts';
import { newWebhookSecret } from './sign.ts';

const MAX_WEBHOOKS = 20;
const MAX_URL_LENGTH = 2_000;
/** How long the old secret also signs after a rotation. */
export const ROTATION_MS = DAY_MS;

interface WebhookRequest {
  url: string;
  /** One of {@linkcode WEBHOOK_FORMS}. */
  form: string;
  /** Types of events; null for all. */
  events: readonly string[] | null;
}

interface ManageOptions {
  now: Date;
  by?: Actor;
}

export interface NewWebhook {
  id: string;
  host: string;
  form: WebhookForm;
  events: WebhookType[];
  /** Shown once; null for a form that is not signed. */
  secret: string | null;
}

/**
 * Adds a webhook.
 *
 * @throws {DomainError} `validation_failed` if the URL, the form or an event cannot be used.
 */
export function addWebhook(
  store: Store,
  request: WebhookRequest,
  { networks, ...acting }: ManageOptions & { networks: BlockList | null },
): NewWebhook {
  const { now } = acting;
  const url = urlIn(request.url, networks);
  const form = WEBHOOK_FORMS.find((name) => name === request.form);
  if (!form) throw invalid('as', `must be one of: ${WEBHOOK_FORMS.join(', ')}`);
  const events = eventsIn(request.events);
  const id = randomBytes(6).toString('hex');
  const secret = isSigned(form) ? newWebhookSecret() : null;
  store.transaction(() => {
    if (store.webhooks.total() >= MAX_WEBHOOKS) {
      const detail = `A board has at most ${MAX_WEBHOOKS} webhooks. Remove one first`;
      throw new DomainError('state_conflict', detail);
    }
    store.webhooks.add({
      id,
      form,
      host: url.host,
      url: sealFor(store, id, 'url', url.href, now),
      secret: secret === null ? null : sealFor(store, id, 'secret', secret, now),
      events: JSON.stringify(events),
      created_at: now.toISOString(),
    });
    audit(store, {
      action: 'webhook_add',
      subject: id,
      operator_id: null,
      reason: null,
      ...acting,
    });
  });
  return { id, host: url.host, form, events, secret };
}

export function removeWebhook(store: Store, id: string, acting: ManageOptions): void {
  store.transaction(() => {
    if (!store.webhooks.remove(id)) throw unknown(id);
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'webhook_remove', ...about, ...acting });
  });
}

/** Returns a new signing secret. The old one also signs for a day, so that the receiver can be changed in between. */
export function rotateWebhook(store: Store, id: string, acting: ManageOptions): string {
  const { now } = acting;
  const secret = newWebhookSecret();
  store.transaction(() => {
    const webhook = store.webhooks.byId(id);
    if (!webhook) throw unknown(id);
    if (webhook.secret === null) {
      const detail = `The webhook ${id} is not signed. To use another URL, remove it and add it again`;
      throw new DomainError('state_conflict', detail);
    }
    const old_until = new Date(now.getTime() + ROTATION_MS).toISOString();
    store.webhooks.rotate({ id, secret: sealFor(store, id, 'secret', secret, now), old_until });
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'webhook_rotate', ...about, ...acting });
  });
  return secret;
}

export function unknown(id: string): DomainError {
  return new DomainError('not_found', `There is no webhook "${id}"`);
}

function urlIn(text: string, networks: BlockList | null): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > MAX_URL_LENGTH) {
    throw invalid('url', 'must be a URL, such as https://hooks.example.org/board');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw invalid('url', 'must have no user name, password or fragment');
  }
  const address = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (
    isIP(address) === 0
      ? url.protocol === 'http:' && !networks
      : !mayContact(url, address, networks)
  ) {
    throw invalid(
      'url',
      'must begin with https:// and lead to a public address. To allow a private network, set WEBHOOK_NETWORKS',
    );
  }
  return url;
}

function eventsIn(names: readonly string[] | null): WebhookType[] {
  if (names === null) return [...WEBHOOK_TYPES];
  const wrong = names.find((name) => !WEBHOOK_TYPES.some((type) => type === name));
  if (wrong !== undefined || names.length === 0) {
    throw invalid('events', `must be a list of: ${WEBHOOK_TYPES.join(', ')}`);
  }
  return WEBHOOK_TYPES.filter((type) => names.includes(type));
}

function invalid(field: string, detail: string): DomainError {
  const faults = [{ pointer: `#/${field}`, code: 'invalid_value', detail }];
  return new DomainError('validation_failed', 'The webhook is invalid', faults);
}
