import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import { LIMITS } from '#core/contract/limits.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { CREDENTIALS, type Route, TAGS, errorsOf } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { DEPRECATED } from '#tests/support/http/openapi.ts';

const byName = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

function fieldsOf(schema: z.ZodType): string[] {
  return Object.keys((schema as z.ZodObject).shape);
}

/** Returns a path without the names of its parameters, to find duplicates. */
function shapeOf({ method, path }: Route): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}

describe('ROUTES', () => {
  test('have unique IDs that are valid identifiers', () => {
    const ids = ROUTES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-z][a-zA-Z]+$/.test(id))).toBe(true);
  });

  test('bind each method and path once', () => {
    const shapes = ROUTES.map(shapeOf);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('use every tag, and only existing limits', () => {
    expect([...new Set(ROUTES.map(({ tag }) => tag))].sort()).toEqual(Object.keys(TAGS).sort());
    expect(ROUTES.every(({ limit }) => limit in LIMITS)).toBe(true);
  });

  test.each(byName)('%s has texts in the house style', (_, { summary, description }) => {
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(description ?? 'None.').toMatch(/^[A-Z].*[.]$/s);
  });

  test.each(byName)('%s has a parameter for each brace of its path', (_, { path, params }) => {
    const braces = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(fieldsOf(params)).toEqual(braces);
  });

  test.each(byName)('%s rejects unknown parameters', (_, { query }) => {
    expect(query.safeParse({ nobody_knows: '1' }).success).toBe(false);
  });

  test.each(byName)('%s has a body limit if and only if it accepts a body', (_, route) => {
    expect(route.bodyLimitBytes > 0).toBe(route.accepts.length > 0);
  });

  test.each(byName)('%s can be cached only if it is public', (_, route) => {
    const { cacheSeconds, method, auth } = route;
    expect(cacheSeconds === 0 || (method === 'GET' && auth === 'public')).toBe(true);
    // Manifests change only with the software and its settings.
    const isManifest = /^get(AiCatalog|McpManifest|(WellKnown)?ServerCard)$/.test(route.id);
    const longest = isManifest ? 3600 : 300;
    expect(cacheSeconds === 0 || (cacheSeconds >= 60 && cacheSeconds <= longest)).toBe(true);
  });
});

describe('errorsOf()', () => {
  test.each(byName)('%s has sorted, unique codes that include its own', (_, route) => {
    const codes = errorsOf(route);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes).toEqual(expect.arrayContaining([...route.errors]));
    expect(route.errors.every((code) => PROBLEMS[code].status < 500)).toBe(true);
  });

  test.each(byName.filter(([, { auth }]) => CREDENTIALS[auth].includes('session')))(
    '%s can reject unauthenticated requests, and cross-site writes',
    (_, route) => {
      expect(errorsOf(route)).toContain('unauthenticated');
      expect(errorsOf(route).includes('csrf_rejected')).toBe(route.method !== 'GET');
    },
  );

  test('leaves out only codes that no operation can return', () => {
    const answered = new Set(ROUTES.flatMap(errorsOf));
    const others = (Object.keys(PROBLEMS) as ErrorCode[]).filter((code) => !answered.has(code));
    expect(others).toEqual(Object.keys(ELSEWHERE).sort());
  });
});

/** Codes that no operation returns, and where they come from. */
const ELSEWHERE: Partial<Record<ErrorCode, string>> = {
  codename_unknown: 'the admin CLI',
  gone: 'an operation after its sunset; none is deprecated now',
  host_not_allowed: 'the gate of the MCP server',
  http_version_unsupported: 'every address',
  interaction_expired: 'the pages of signing in',
  join_refused: 'the pages of signing in',
  login_link_invalid: 'the page that a login link opens',
  loop_detected: 'a reader whose WRITER_URL leads to a reader',
  mail_not_sent: 'the admin pages',
  method_last: 'the page of sign-in methods',
  method_taken: 'the page of sign-in methods',
  method_unavailable: 'the pages of signing in',
  origin_not_allowed: 'the gate of the MCP server',
  role_required: 'the admin pages',
  setup_link_invalid: 'the page of the first start',
  sign_in_failed: 'the pages of signing in',
  transfer_coding_unknown: 'every address',
};

describe('a retirement', () => {
  test.each(
    [...ROUTES, DEPRECATED].flatMap(({ id, deprecation }) =>
      deprecation ? [{ id, ...deprecation }] : [],
    ),
  )('of $id is announced at least 90 days in advance', ({ since, sunset }) => {
    expect(dayNumber(sunset) - dayNumber(since)).toBeGreaterThanOrEqual(90);
  });
});

describe('tables', () => {
  const tables = ROUTES.flatMap(({ id, table, reply }) => (table ? [{ id, table, reply }] : []));

  test.each(tables)('$id has columns that its rows have', ({ id, table }) => {
    const rows = table.rows(example(id) as never);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(table.row.parse(row))).toEqual(Object.keys(row));
  });

  test('exist for every list, which has the parameter format', () => {
    const listed = ROUTES.filter(({ query }) => fieldsOf(query).includes('format'));
    expect(listed.map(({ id }) => id).sort()).toEqual(tables.map(({ id }) => id).sort());
  });
});

function example(id: string): unknown {
  return EXAMPLES[id]?.reply;
}
