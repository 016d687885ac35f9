import { describe, expect, test } from 'vitest';
import { submissionsIn } from '#db/submissions.ts';
import { logIn } from '#db/log.ts';
import { aPopulatedDatabase, plansOf } from '../support/board/database.ts';

function stepsOf(repositoryIn: typeof submissionsIn | typeof logIn, part: string): string[] {
  const plans = plansOf(aPopulatedDatabase(), repositoryIn);
  return plans.find(({ sql }) => sql.includes(part))?.steps ?? [];
}

describe('the statements about submissions and the log', () => {
  test('count self-reports and hidden submissions without reading the others', () => {
    const steps = stepsOf(submissionsIn, 'CASE WHEN');
    expect(steps.filter((step) => step.includes('packed_submissions_by_hand'))).toHaveLength(1);
    expect(steps.filter((step) => /AUTOMATIC|MATERIALIZE|CO-ROUTINE/.test(step))).toEqual([]);
  });

  test.each([
    ['the head', logIn, 'AS "index"'],
    ['one kind', logIn, 'log_entries WHERE kind = ? AND payload IS NOT NULL'],
    ['entries in public form', logIn, 'is_open'],
    ['a page of submissions', submissionsIn, 'o.id = s.operator_id) = 1'],
    [
      'submissions of an operator',
      submissionsIn,
      'operator_id = @operator_id AND log_index < @before',
    ],
    ['the next accepted submission', submissionsIn, '@others'],
  ])('read %s in order, without sorting or copying the log', (_, repositoryIn, part) => {
    const steps = stepsOf(repositoryIn, part);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => /TEMP B-TREE|MATERIALIZE/.test(step))).toEqual([]);
  });
});
