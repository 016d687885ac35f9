import { describe, expect, test } from 'vitest';
import { Problem } from '#core/contract/problem.ts';
import { PROBLEMS } from '#core/contract/problems.ts';

const codes = Object.keys(PROBLEMS);

describe('PROBLEMS', () => {
  test('lists all codes in order', () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(codes).toEqual(codes.toSorted());
  });

  test.each(Object.entries(PROBLEMS))('%s has an error status and texts', (_, problem) => {
    expect(problem.status).toBeGreaterThanOrEqual(400);
    expect(problem.status).toBeLessThan(600);
    expect(problem.title).toMatch(/^[A-Z].*[^.]$/);
    expect(problem.hint ?? 'None.').toMatch(/[.]$/);
  });

  test('has a hint for every code except internal errors', () => {
    const silent = Object.entries(PROBLEMS).filter(([, { hint }]) => hint === null);

    expect(silent.map(([code]) => code)).toEqual(['internal_error']);
  });

  test('has exactly the codes that the schema of a problem allows', () => {
    expect(Problem.shape.code.options).toEqual(codes);
  });
});
