/** The events that a board sends, in the form in which OpenAPI 3.1 describes webhooks. */
import { WEBHOOK_PAYLOADS, WEBHOOK_TEXTS, type WebhookType, webhookTypeName } from '../webhooks.ts';
import { type SchemaObject, type Schemas, schemaObject } from './openapi-schemas.ts';

/** A request that the board sends. */
export interface WebhookObject {
  operationId: string;
  summary: string;
  description: string;
  /** Empty, because the board does not authenticate itself with a credential of its API. */
  security: [];
  parameters: {
    name: string;
    in: 'header';
    description: string;
    required: true;
    schema: SchemaObject;
  }[];
  requestBody: {
    required: true;
    content: Record<string, { schema: SchemaObject; example: unknown }>;
  };
  responses: Record<string, { description: string }>;
}

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The ID of the event. Retries have the same ID.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
  'webhook-signature':
    'One or more signatures, separated by spaces: `v1,` and HMAC-SHA256 in Base64.',
};

/** @param named Receives the named schemas that the events need. */
export function webhookObjects(named: Schemas): Record<string, { post: WebhookObject }> {
  const types = Object.keys(WEBHOOK_PAYLOADS) as WebhookType[];
  return Object.fromEntries(types.map((type) => [type, { post: webhookObject(type, named) }]));
}

function webhookObject(type: WebhookType, named: Schemas): WebhookObject {
  const { summary, description, example: data } = WEBHOOK_TEXTS[type];
  const url = 'https://bench.example.org/';
  const example = { type, timestamp: '2026-11-20T15:38:00.000Z', url, data };
  const parameters = Object.entries(HEADERS).map(([name, about]) => {
    const schema: SchemaObject = { type: 'string', maxLength: 1000 };
    return { name, in: 'header', description: about, required: true, schema } as const;
  });
  const schema = schemaObject(WEBHOOK_PAYLOADS[type], named);
  return {
    operationId: `receive${webhookTypeName(type)}`,
    summary,
    description,
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'The receiver accepted the event.' },
      '410': { description: 'The receiver wants no more events. The board disables the webhook.' },
    },
  };
}
