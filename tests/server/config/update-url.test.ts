import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';

describe('readConfig(): UPDATE_URL', () => {
  const updateUrl = (UPDATE_URL: string) => readConfig({ UPDATE_URL }).updateUrl;

  test.each([
    'https://releases.example.org',
    'http://127.0.0.1:8000/opbench',
    'https://me:p%40ss@releases.example.org/',
    '/srv/releases',
  ])('can be %s', (text) => {
    expect(updateUrl(text)).toBe(text);
  });

  test('is null by default', () => {
    expect(updateUrl('')).toBeNull();
  });

  test.each([
    'releases.example.org',
    'releases',
    './releases',
    'ftp://releases.example.org/',
    'file:///srv/releases',
    'https://releases.example.org/?a=hunter2',
    'https://releases.example.org/#hunter2',
    'https://hunter2%zz@releases.example.org/',
    'https://',
    String.raw`https:\\me:hunter2@releases.example.org`,
    'https:me:hunter2@releases.example.org',
    ' https://me:hunter2@releases.example.org',
  ])('cannot be %s, which is not shown because it can hold a password', (text) => {
    const message = expect.stringMatching(
      /UPDATE_URL: must be an http\(s\) address .*\/opbench\/, or the absolute path of a folder$/,
    ) as string;
    expect(() => updateUrl(text)).toThrow(expect.objectContaining({ message }) as Error);
  });
});
