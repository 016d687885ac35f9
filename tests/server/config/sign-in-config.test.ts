import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';

const signIn = (environment: Record<string, string>) => readConfig(environment).signIn;
const refusal = (environment: Record<string, string>) => () => readConfig(environment);

describe('readConfig(): sign-in', () => {
  test('is optional', () => {
    expect(signIn({})).toEqual({
      authority: null,
      github: null,
      twitter: null,
      mail: null,
      passkeys: 'open',
      contactEmail: null,
      cohorts: [],
    });
  });

  test.each(['open', 'members', 'off'])('accepts PASSKEYS=%s', (passkeys) => {
    expect(signIn({ PASSKEYS: passkeys })).toMatchObject({ passkeys });
  });

  test('rejects other values of PASSKEYS', () => {
    expect(refusal({ PASSKEYS: 'on' })).toThrow('PASSKEYS: must be open, members or off');
  });

  test('has the addresses of GitHub and X, and accepts others', () => {
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

  test('accepts a public client of an external provider', () => {
    const environment = { AUTH_URL: 'https://id.example.org', AUTH_CLIENT_ID: 'board' };
    expect(signIn(environment).authority).toEqual({
      url: 'https://id.example.org',
      clientId: 'board',
      clientSecret: null,
      audience: null,
      accessTokenTyp: 'at+jwt',
    });
  });

  test.each([
    'https://id.example.org',
    'https://id.example.org/',
    'https://id.example.org/realms/board',
    'http://localhost:8080/realms/board',
  ])('keeps the issuer %s unchanged', (url) => {
    expect(signIn({ AUTH_URL: url, AUTH_CLIENT_ID: 'board' }).authority?.url).toBe(url);
  });

  test.each(['board@example.org', 'board@localhost', 'Opbench, the board <board@example.org>'])(
    'sends mail from %s',
    (from) => {
      const environment = { SMTP_URL: 'smtp://localhost', MAIL_FROM: from };
      expect(signIn(environment).mail?.from).toBe(from);
    },
  );

  test('lists settings that have no effect', () => {
    const elsewhere = { AUTH_URL: 'https://id.example.org', AUTH_CLIENT_ID: 'board' };
    const smtp = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@b.example' };
    const idle = (environment: Record<string, string>) =>
      readConfig(environment).idleSettings.map((text) => text.split(' ')[0]);

    expect(idle({ ...elsewhere, AUTH_AUDIENCE: 'board' })).toEqual([]);
    expect(idle({ ...elsewhere, ...smtp, CONTACT_EMAIL: 'a@b.example' })).toEqual([]);
    // Members receive email whichever way they sign in.
    expect(idle({ ...elsewhere, ...smtp })).toEqual([]);
    expect(idle({ CONTACT_EMAIL: 'a@b.example' })).toEqual([]);
    expect(idle({ AUTH_AUDIENCE: 'board' })).toEqual(['AUTH_AUDIENCE']);
    const github = { GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' };
    expect(idle({ ...elsewhere, ...github })).toEqual(['GITHUB_CLIENT_ID']);
  });

  test('reads cohorts, even with an equals sign in a name', () => {
    expect(signIn({ COHORTS: 'staff=Staff, y-24=Year = 24 ' }).cohorts).toEqual([
      { id: 'staff', name: 'Staff' },
      { id: 'y-24', name: 'Year = 24' },
    ]);
  });

  test.each([
    [{ AUTH_URL: 'https://id.example.org' }, 'AUTH_CLIENT_ID: must be set because'],
    [{ AUTH_URL: 'https://id.example.org/?a=b' }, "AUTH_URL: must be the provider's issuer"],
    [{ AUTH_URL: 'https://id.example.org/#' }, "AUTH_URL: must be the provider's issuer"],
    [{ AUTH_URL: 'https://a:b@id.example.org' }, "AUTH_URL: must be the provider's issuer"],
    [{ AUTH_URL: 'http://id.example.org' }, 'AUTH_URL: must begin with https://'],
    [{ MAIL_FROM: 'nonsense' }, 'MAIL_FROM: must be an email address'],
    [{ MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM: must be an email address'],
    [{ COHORTS: 'a=A, b=B, a=C' }, 'COHORTS: the id "a" is used more than once'],
    [{ GITHUB_CLIENT_ID: 'a' }, 'GITHUB_CLIENT_SECRET: must be set because'],
    [{ TWITTER_CLIENT_SECRET: 'a' }, 'TWITTER_CLIENT_ID: must be set because'],
    [{ SMTP_URL: 'smtp://localhost' }, 'MAIL_FROM: must be set because'],
    [
      { SMTP_URL: 'https://localhost', MAIL_FROM: 'a@b.example' },
      'SMTP_URL: must be the address of',
    ],
    [{ SMTP_URL: 'foo' }, 'such as smtps://user:password@mail.example.org'],
    [{ CONTACT_EMAIL: 'nobody' }, 'CONTACT_EMAIL: must be an email address, such as'],
    [{ BASE_URL: 'foo' }, 'such as https://bench.example.org'],
    [{ BASE_URL: 'ftp://bench.example.org' }, 'BASE_URL: must be an address without a path'],
    [
      { AUTH_URL: 'foo', AUTH_CLIENT_ID: 'a' },
      'AUTH_URL: must be the address of an OpenID provider, such',
    ],
    [{ MCP_ALLOWED_ORIGINS: '*' }, 'MCP_ALLOWED_ORIGINS: "*" must be an address'],
    [
      { MCP_ALLOWED_ORIGINS: 'https://a.example, foo' },
      'MCP_ALLOWED_ORIGINS: "foo" must be an address',
    ],
    [{ COHORTS: 'Staff' }, 'COHORTS: "Staff" must be id=Name'],
    [{ COHORTS: 'UP=Up' }, 'COHORTS: "UP=Up" must be id=Name'],
  ])('rejects %j and names the setting', (environment, message) => {
    expect(refusal(environment)).toThrow(message);
  });
});
