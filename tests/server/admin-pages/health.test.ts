import { expect, test } from 'vitest';
import { readSettings } from '#server/admin-pages/health.ts';
import { testContext } from '#tests/support/board/context.ts';

test('readSettings() lists the sites that can frame the board, if there are any', () => {
  const ctx = testContext();
  const settingsWith = (embed: string[]) => {
    const config = { ...ctx.config, site: { ...ctx.config.site, embed } };
    return readSettings({ ...ctx, config }).filter(({ name }) => name === 'embed');
  };

  expect(settingsWith([])).toEqual([]);
  expect(settingsWith(['https://a.example', 'https://b.example'])).toEqual([
    { name: 'embed', value: 'https://a.example, https://b.example', source: 'board.toml' },
  ]);
});
