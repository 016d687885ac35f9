import { describe, expect, test } from 'vitest';
import { shownDisplayName, showsProfile, visibilityOf } from '#core/domain/visibility.ts';
import { PrivacyMode } from '#core/schema/record.ts';

const modes = PrivacyMode.options;

describe('visibilityOf()', () => {
  test('shows less from mode to mode', () => {
    const seen = modes.map((mode) => {
      return [mode, [...Object.values(visibilityOf(mode, 'ada', 'alias')), showsProfile(mode)]];
    });

    expect(Object.fromEntries(seen)).toEqual({
      identified: ['ada', true, true],
      pseudonymous: ['ada', true, false],
      anonymous: ['alias', false, false],
      private: [null, false, false],
    });
  });
});

describe('shownDisplayName()', () => {
  test('shows it where the profile is shown', () => {
    const shown = modes.filter(
      (privacy_mode) => shownDisplayName({ privacy_mode, display_name: 'Ada' }) === 'Ada',
    );

    expect(shown).toEqual(['identified']);
    expect(shownDisplayName({ privacy_mode: 'identified', display_name: null })).toBeNull();
  });
});
