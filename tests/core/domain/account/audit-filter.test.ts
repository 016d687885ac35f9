import { describe, expect, test } from 'vitest';
import { auditFilter } from '#core/domain/account/audit-filter.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const ALL = { who: '', via: '', action: '', subject: '', since: '', until: '' };

describe('auditFilter()', () => {
  test('selects everything without a text', () => {
    expect(auditFilter({})).toEqual(ALL);
    expect(auditFilter({ who: '  ', since: '' })).toEqual(ALL);
  });

  test('includes the last day', () => {
    const days = { since: '2026-03-01', until: '2026-03-01' };
    expect(auditFilter({ who: ' ada ', action: 'hide', ...days })).toEqual({
      ...ALL,
      who: 'ada',
      action: 'hide',
      since: '2026-03-01',
      until: '2026-03-02',
    });
  });

  test.each([
    ['#/since', { since: '2026-02-30' }],
    ['#/since', { since: 'yesterday' }],
    ['#/until', { until: '2026-3-1' }],
    ['#/until', { since: '2026-03-02', until: '2026-03-01' }],
    ['#/action', { action: 'hidden' }],
    ['#/via', { via: 'browser' }],
    ['#/who', { who: 'x'.repeat(81) }],
    ['#/subject', { subject: 'x'.repeat(201) }],
  ])('rejects %s in %j', (pointer, given) => {
    expect(() => auditFilter(given)).toThrow(refusal('validation_failed', pointer));
  });
});
