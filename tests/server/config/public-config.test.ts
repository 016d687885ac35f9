import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { configFrom, publicConfigOf } from '#server/config/public-config.ts';
import { aBoardFolder, anSvg } from '#tests/support/board/board-folder.ts';

const BASE_URL = 'https://bench.example.org';
const SECRETS = {
  GITHUB_CLIENT_SECRET: 'keep-one-to-yourself',
  TWITTER_CLIENT_SECRET: 'keep-two-to-yourself',
  SMTP_URL: 'smtps://user:keep-three@mail.example.org',
};

function writer() {
  const config = readConfig({
    ...SECRETS,
    BASE_URL,
    BOARD_DIR: aBoardFolder({
      'board.toml': 'name = "Harbour"\nlogo = "logo.svg"\nlinks = []\n',
      'logo.svg': anSvg(24, 24),
    }),
    GITHUB_CLIENT_ID: 'id',
    TWITTER_CLIENT_ID: 'id',
    MAIL_FROM: 'board@example.org',
    CONTACT_EMAIL: 'admin@example.org',
    RATE_LIMIT_PUBLIC: '7',
    COHORTS: 'pilots=Pilots',
    LOG_REQUESTS: 'none',
  });
  return { ...config, baseUrl: BASE_URL };
}

describe('publicConfigOf()', () => {
  test('contains no secret', () => {
    const text = JSON.stringify(publicConfigOf(writer()));
    expect(text).not.toMatch(/keep-|smtps|client_?id/i);
  });

  test('gives a reader the settings that pages show', () => {
    const config = writer();
    const published = JSON.parse(JSON.stringify(publicConfigOf(config))) as never;
    const read = configFrom(readConfig({}), published, config.siteFiles);
    const { baseUrl, site, siteFiles, limits, valuesDays, refreshMs, requestLogging } = read;
    expect({ baseUrl, site, siteFiles, limits, valuesDays, refreshMs, requestLogging }).toEqual({
      baseUrl: BASE_URL,
      site: config.site,
      siteFiles: config.siteFiles,
      limits: config.limits,
      valuesDays: config.valuesDays,
      refreshMs: config.refreshMs,
      requestLogging: 'none',
    });
    const { cohorts, contactEmail, github, mail, authority } = read.signIn;
    expect({ cohorts, contactEmail }).toEqual({
      cohorts: [{ id: 'pilots', name: 'Pilots' }],
      contactEmail: 'admin@example.org',
    });
    expect([github !== null, mail !== null, authority]).toEqual([true, true, null]);
  });
});
