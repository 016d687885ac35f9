import { describe, expect, test } from 'vitest';
import { shownDisplayName, showsProfile, visibilityOf } from '#core/domain/board/visibility.ts';
import { PrivacyMode } from '#core/schema/record.ts';

const modes = PrivacyMode.options;

describe('visibilityOf()', () => {
  test('shows less with each stricter mode', () => {
    const seen = modes.map((mode) => {
      const names = { codename: 'ada', alias: 'alias', isHidden: false };
      return [mode, [...Object.values(visibilityOf(mode, names)), showsProfile(mode)]];
    });

    expect(Object.fromEntries(seen)).toEqual({
      identified: ['ada', true, true],
      pseudonymous: ['ada', true, false],
      anonymous: ['alias', false, false],
      private: [null, false, false],
    });
  });

  test('shows nothing of hidden operators', () => {
    const names = { codename: 'ada', alias: 'alias', isHidden: true };

    expect(modes.map((mode) => visibilityOf(mode, names))).toEqual(
      modes.map(() => ({ public_name: null, is_open: false })),
    );
  });
});

describe('shownDisplayName()', () => {
  test('shows it if the profile is shown', () => {
    const shown = modes.filter(
      (privacy_mode) => shownDisplayName({ privacy_mode, display_name: 'Ada' }) === 'Ada',
    );

    expect(shown).toEqual(['identified']);
    expect(shownDisplayName({ privacy_mode: 'identified', display_name: null })).toBeNull();
  });
});
