import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { createLoginLink } from '#server/identity/sign-in/login-link.ts';
import { issueApiKey } from '#server/identity/api-keys.ts';
import { ROOT, anOperator, dumpOf, testContext } from '../support/board/context.ts';

const PAGE = readFileSync(join(ROOT, 'src', 'threats.md'), 'utf8');

/** The sources of threats on the page, with the threats listed under each. */
const SECTIONS = PAGE.split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    threats: text.split(/^(?=\*\*)/m).slice(1),
  }));
const THREATS = SECTIONS.flatMap(({ title, threats }) =>
  threats.map((text) => [`${title}: ${text.slice(2, text.indexOf('**', 2))}`, text] as const),
);

describe('threats.md', () => {
  test('has a section for each source of threats', () => {
    expect(SECTIONS.map(({ title }) => title)).toEqual([
      'A stranger',
      'A signed-in operator',
      'A stolen session of an admin',
      'A dishonest moderator',
      'A cheating operator',
      'A stolen device key',
      'A malicious connected app or MCP client',
      'A webhook',
      'Another site',
      "The admin's mistakes",
      'A cheating admin',
      'A witness',
      'An object store',
      'A forged release',
      'A copy of the data folder',
      'A lost machine or a power failure',
    ]);
    for (const { title, threats } of SECTIONS) expect(threats.length, title).toBeGreaterThan(0);
  });

  test.each(THREATS)('names existing tests: %s', (_, text) => {
    const named = /^Tests: (.+)$/m.exec(text)?.[1] ?? '';
    const paths = [...named.matchAll(/`(tests\/[\w/.-]+\.test\.ts)`/g)].map(
      ([, path = '']) => path,
    );

    expect(paths).not.toEqual([]);
    for (const path of paths) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});

describe('a copy of the database', () => {
  test('contains nothing that gives access to an account', async () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');
    const { store, config } = ctx;
    const made = { now: ctx.now(), baseUrl: config.baseUrl };
    const link = createLoginLink(store, { ...made, codename: 'ada', create: false });
    const key = issueApiKey(store, { ...made, label: 'x', per_minute: 60 });
    const session = await ctx.sessions.start(id);
    const secrets = {
      link: new URL(link).searchParams.get('token'),
      code: createEnrollmentCode(ctx, id).code.replaceAll('-', ''),
      key: key.slice(-43),
      session: /^session=(\w+);/.exec(session)?.[1],
    };

    const rows = JSON.stringify(dumpOf(ctx));

    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret, what).toMatch(/.{15}/);
      expect(rows, what).not.toContain(secret);
    }
    expect(rows).toContain(
      createHash('sha256')
        .update(secrets.link ?? '')
        .digest('hex'),
    );
  });
});
