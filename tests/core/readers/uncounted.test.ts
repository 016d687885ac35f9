import { describe, expect, test } from 'vitest';
import { readers } from '#core/readers/readers.ts';
import { uncountedTools } from '#core/readers/uncounted.ts';

const HOME = { env: {}, home: '/h', platform: 'linux' };
const WINDOWS = {
  env: { APPDATA: '/r', LOCALAPPDATA: '/l' },
  home: '/h',
  platform: 'win32',
};

describe('assistants that cannot be counted', () => {
  test('are not those that are counted', () => {
    const counted = new Set(readers.map(({ name }) => name));

    expect(uncountedTools.filter(({ name }) => counted.has(name))).toEqual([]);
  });

  test.each(uncountedTools)('$name: $reason', ({ places, reason }) => {
    expect(reason).toMatch(/^It .+\.$/);
    for (const at of [HOME, WINDOWS, { ...HOME, platform: 'darwin' }]) {
      expect(places(at).length).toBeGreaterThan(0);
    }
    expect(places({ ...HOME, home: undefined })).toEqual([]);
  });

  test('are found where they keep their data on each platform', () => {
    const foldersOf = (name: string, at: typeof WINDOWS | typeof HOME) => {
      return uncountedTools.find((tool) => tool.name === name)?.places(at);
    };

    expect(foldersOf('Cursor', HOME)).toEqual(['/h/.config/Cursor', '/h/.cursor']);
    expect(foldersOf('Cursor', WINDOWS)).toEqual(['/r/Cursor', '/h/.cursor']);
    expect(foldersOf('Crush', WINDOWS)).toEqual(['/h/.local/share/crush', '/l/crush']);
    expect(foldersOf('Warp', WINDOWS)).toEqual(['/l/warp']);
    expect(foldersOf('Warp', HOME)).toEqual(['/h/.local/state/warp-terminal']);
  });
});
