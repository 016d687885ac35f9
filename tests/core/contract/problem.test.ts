import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Problem } from '#core/contract/problem.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { ROOT } from '#tests/support/board/context.ts';

/** The codes as the source lists them. */
const source = readFileSync(join(ROOT, 'src/core/domain/text/errors.ts'), 'utf8');
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
