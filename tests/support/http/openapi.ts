/** The OpenAPI document, and routes that only tests have. */
import * as z from 'zod';
import { INTERFACE_VERSION } from '#core/contract/interface.ts';
import { type OpenApiDocument, openApiDocument } from '#core/contract/openapi/openapi.ts';
import { type Route, defineRoute } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';

export const SECURE_URL = 'https://board.example';

/** The document of the actual routes, or of others, as a board at this address serves it. */
export function aDocument(
  routes: readonly Route[] = ROUTES,
  baseUrl: string = SECURE_URL,
): OpenApiDocument {
  const document = openApiDocument(routes, {
    baseUrl,
    version: INTERFACE_VERSION,
    title: 'Opbench',
  });
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument;
}

/** A deprecated operation. */
export const DEPRECATED = {
  ...defineRoute('listDays', { auth: 'public', reply: z.strictObject({ old: z.boolean() }) }),
  id: 'getOldThing',
  tag: 'service',
  path: '/api/v1/old-thing',
  summary: 'A thing of yesterday',
  deprecation: { since: '2026-11-01', sunset: '2027-01-31', successor: '/api/v2/thing' },
} as unknown as Route;
