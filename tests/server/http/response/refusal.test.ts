import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { ContactText } from '#core/schema/account.ts';
import { ProfileChange } from '#core/schema/profile.ts';
import { OwnLabel } from '#core/schema/scalars.ts';
import { refusalOf } from '#server/http/response/refusal.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';

function thrownBy(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('Nothing was rejected');
}

describe('refusalOf()', () => {
  test('explains all faults of one field at the field', () => {
    const label = `${'x'.repeat(80)}\u202e`;
    const refusal = refusalOf(thrownBy(() => parseAs(OwnLabel, label, 'The name')));

    expect(refusal.faults).toHaveLength(2);
    expect(refusal.atField).toBe('must have at most 60 characters');
  });

  test('counts the fields if there are several', () => {
    const links = ['ftp://a.example', 'nothing'];
    const refused = () => parseAs(ProfileChange, { bio: 'x'.repeat(501), links }, 'The profile');

    expect(refusalOf(thrownBy(refused))).toMatchObject({
      atField: null,
      detail: 'Correct 3 fields',
      hint: null,
    });
  });

  test('states a wait in minutes, and at no field', () => {
    const limiter = new RateLimiter(LIMITS, () => 0);
    const { quota, windowSeconds } = LIMITS.contact;
    const takeAll = () => {
      for (let at = 0; at <= quota; at += 1) limiter.take('contact', '1');
    };

    expect(refusalOf(thrownBy(takeAll))).toMatchObject({
      atField: null,
      detail: `Wait ${windowSeconds / 60} minutes and try again`,
    });
  });

  test.each(['not_found', 'unsupported_media_type', 'validation_failed'] as const)(
    'does not mention programs for %s',
    (code) => {
      const { title, hint } = refusalOf(new DomainError(code, 'No'));
      expect(`${title} ${hint}`).not.toMatch(/schema|header|errors|spelling/i);
    },
  );
});

describe('the faults of typed input', () => {
  const ADDRESS = 'must be a URL that begins with https://';

  test.each([
    [ProfileChange, { bio: [] }, ['must be text']],
    [ProfileChange, { links: {} }, ['must be a list of URLs']],
    [ProfileChange, { links: ['ftp://a.example'] }, [ADDRESS]],
    [
      ProfileChange,
      { links: Array.from({ length: 4 }, () => 'https://a.example') },
      ['must have at most 3 URLs'],
    ],
    [ContactText, { subject: '' }, ['must not be empty', 'is missing']],
    [OwnLabel, '', ['must not be empty']],
    [OwnLabel, undefined, ['is missing']],
  ])("are worded like the board's other texts", (schema, value, told) => {
    const { faults } = thrownBy(() => parseAs<unknown>(schema, value, 'It'));
    expect(faults.map(({ detail }) => detail)).toEqual(told);
  });
});
