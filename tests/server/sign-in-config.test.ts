import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';

const signIn = (environment: Record<string, string>) => readConfig(environment).signIn;
const refusal = (environment: Record<string, string>) => () => readConfig(environment);

describe('readConfig(): signing in', () => {
  test('needs nothing', () => {
    expect(signIn({})).toEqual({
      authority: null,
      github: null,
      twitter: null,
      mail: null,
      contactEmail: null,
      cohorts: [],
    });
  });

  test('knows where GitHub and X are, and takes other places', () => {
    const github = { GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' };
    expect(signIn(github).github).toEqual({
      clientId: 'a',
      clientSecret: 'b',
      url: 'https://github.com',
      apiUrl: 'https://api.github.com',
    });
    const own = {
      GITHUB_URL: 'https://git.example.org',
      GITHUB_API_URL: 'https://git.example.org/api/v3/',
    };
    expect(signIn({ ...github, ...own }).github).toMatchObject({
      url: 'https://git.example.org',
      apiUrl: 'https://git.example.org/api/v3',
    });
    expect(signIn({ TWITTER_CLIENT_ID: 'a', TWITTER_CLIENT_SECRET: 'b' }).twitter).toMatchObject({
      url: 'https://x.com',
      apiUrl: 'https://api.x.com',
    });
  });

  test('takes a public client of a provider elsewhere', () => {
    const environment = { AUTH_URL: 'https://id.example.org', AUTH_CLIENT_ID: 'board' };
    expect(signIn(environment).authority).toEqual({
      url: 'https://id.example.org',
      clientId: 'board',
      clientSecret: null,
      audience: null,
      accessTokenTyp: 'at+jwt',
    });
  });

  test('reads cohorts, and names with signs in them', () => {
    expect(signIn({ COHORTS: 'staff=Staff, y-24=Year = 24 ' }).cohorts).toEqual([
      { id: 'staff', name: 'Staff' },
      { id: 'y-24', name: 'Year = 24' },
    ]);
  });

  test.each([
    [{ AUTH_URL: 'https://id.example.org' }, 'AUTH_CLIENT_ID: must be set too'],
    [{ AUTH_URL: 'https://id.example.org/', AUTH_CLIENT_ID: 'a' }, 'AUTH_URL: must be an origin'],
    [{ GITHUB_CLIENT_ID: 'a' }, 'GITHUB_CLIENT_SECRET: must be set too'],
    [{ TWITTER_CLIENT_SECRET: 'a' }, 'TWITTER_CLIENT_ID: must be set too'],
    [{ SMTP_URL: 'smtp://localhost' }, 'MAIL_FROM: must be set too'],
    [{ SMTP_URL: 'https://localhost', MAIL_FROM: 'a@b.example' }, 'SMTP_URL: '],
    [{ CONTACT_EMAIL: 'nobody' }, 'CONTACT_EMAIL: '],
    [{ COHORTS: 'Staff' }, 'COHORTS: "Staff" is no cohort'],
    [{ COHORTS: 'UP=Up' }, 'COHORTS: "UP=Up" is no cohort'],
  ])('refuses %j and names the setting', (environment, message) => {
    expect(refusal(environment)).toThrow(message);
  });
});
