import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';

const URL_SET = { SATELLITE_URL: 'https://peers.example.org/us' };
const ELSEWHERE = { AUTH_URL: 'https://id.example.org', AUTH_CLIENT_ID: 'board' };
const satellite = (environment: Record<string, string>) => readConfig(environment).agents.satellite;

describe('readConfig(): the companion site on another host', () => {
  test('is null if nothing is set', () => {
    expect(satellite({})).toBeNull();
  });

  test('has a folder and a client ID', () => {
    expect(satellite(URL_SET)).toEqual({
      url: 'https://peers.example.org/us/',
      origin: 'https://peers.example.org',
      clientId: 'satellite',
    });
    expect(satellite({ ...URL_SET, SATELLITE_CLIENT_ID: 'peers-2' })?.clientId).toBe('peers-2');
    expect(satellite({ SATELLITE_URL: 'http://localhost:8080' })?.url).toBe(
      'http://localhost:8080/',
    );
  });

  test('needs a client ID with an external provider', () => {
    const environment = { ...ELSEWHERE, ...URL_SET };
    expect(() => satellite(environment)).toThrow(
      /SATELLITE_CLIENT_ID: must be set because SATELLITE_URL and AUTH_URL are set/,
    );
    const named = { ...environment, SATELLITE_CLIENT_ID: 'https://id.example.org/clients/7' };
    expect(satellite(named)?.clientId).toBe('https://id.example.org/clients/7');
  });

  test.each(['web', 'https://peers.example.org/client.json', 'a b', 'é', 'x'.repeat(101)])(
    'cannot have the client ID %s at the embedded provider',
    (SATELLITE_CLIENT_ID) => {
      expect(() => satellite({ ...URL_SET, SATELLITE_CLIENT_ID })).toThrow(
        /SATELLITE_CLIENT_ID: must have 1 to 100 characters/,
      );
    },
  );

  test.each([
    'peers.example.org',
    'ftp://peers.example.org/',
    'http://peers.example.org/',
    'https://peers.example.org/?a=b',
    'https://peers.example.org/#a',
    'https://me:pw@peers.example.org/',
  ])('cannot be at %s', (SATELLITE_URL) => {
    expect(() => satellite({ SATELLITE_URL })).toThrow(
      /SATELLITE_URL: must be an https:\/\/ address/,
    );
  });

  test.each([
    [{ BASE_URL: 'https://bench.example.org' }, 'https://bench.example.org/peers/'],
    [{}, 'http://127.0.0.1:4321/'],
    [{ HOST: 'localhost', PORT: '4400' }, 'http://localhost:4400/peers'],
  ])('cannot be on the board itself: %o', (environment, SATELLITE_URL) => {
    expect(() => satellite({ ...environment, SATELLITE_URL })).toThrow(
      /SATELLITE_URL: must be on another host.* \S+\/satellite\//,
    );
  });

  test('reports a client ID without an address as having no effect', () => {
    const { idleSettings } = readConfig({ SATELLITE_CLIENT_ID: 'web' });
    expect(idleSettings).toEqual(['SATELLITE_CLIENT_ID (SATELLITE_URL is not set)']);
  });
});
