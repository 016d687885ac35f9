import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS, Problem } from '#core/contract/problem.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { ErrorCode } from '#core/domain/errors.ts';
import { ROOT } from '#tests/support/context.ts';

/** The codes as the source lists them. */
const source = readFileSync(join(ROOT, 'src/core/domain/errors.ts'), 'utf8');
const declared = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code as ErrorCode);

describe('PROBLEMS', () => {
  test('has exactly the codes that can be thrown, sorted', () => {
    expect(declared.length).toBeGreaterThan(30);
    expect(Object.keys(PROBLEMS)).toEqual(declared);
    expect(declared).toEqual([...declared].sort());
  });

  test.each(Object.entries(PROBLEMS))('%s has a status of refusal and texts', (_, problem) => {
    expect(problem.status).toBeGreaterThanOrEqual(400);
    expect(problem.status).toBeLessThan(600);
    expect(problem.title).toMatch(/^[A-Z].*[^.]$/);
    expect(problem.hint ?? 'None.').toMatch(/[.]$/);
  });

  test('gives a hint wherever the caller can do something', () => {
    const silent = Object.entries(PROBLEMS).filter(([, { hint }]) => hint === null);

    expect(silent.map(([code]) => code)).toEqual(['internal_error']);
  });

  test('is what the schema of a problem allows', () => {
    expect(Problem.shape.code.options).toEqual(declared);
  });
});

describe('ROUTES', () => {
  test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s names known codes, each once, that are refusals of the caller',
    (_, { errors }) => {
      const statuses = errors.map((code) => PROBLEMS[code].status);

      expect(new Set(errors).size).toBe(errors.length);
      expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    },
  );

  test('bind each method and path once', () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`);

    expect(new Set(names).size).toBe(names.length);
  });

  test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s has a body limit exactly if it takes a body, and writes are never cached',
    (_, { method, accepts, bodyLimitBytes, cacheSeconds, auth }) => {
      expect(bodyLimitBytes > 0).toBe(accepts.length > 0);
      expect(cacheSeconds === 0 || (method === 'GET' && auth === 'public')).toBe(true);
    },
  );

  test.each(ROUTES.filter(({ auth }) => auth !== 'public' && auth !== 'body'))(
    '$method $path says that it can refuse a stranger',
    ({ errors }) => {
      expect(errors).toContain('unauthenticated');
    },
  );
});
