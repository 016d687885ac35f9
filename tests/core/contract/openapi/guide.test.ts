import { describe, expect, test } from 'vitest';
import { guideSteps } from '#core/contract/openapi/guide.ts';
import { errorsOf } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { DEPRECATED, SECURE_URL } from '#tests/support/http/openapi.ts';

type GuideOperation = ReturnType<typeof guideOf>['groups'][number]['operations'][number];

/** All steps together. */
function guideOf(...given: Parameters<typeof guideSteps>) {
  const steps = guideSteps(...given);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const options = { baseUrl: SECURE_URL, known: {} };
const guide = guideOf(ROUTES, options);

function operations(of = guide): GuideOperation[] {
  return of.groups.flatMap((group) => group.operations);
}

function operation(id: string, of = guide): GuideOperation {
  return operations(of).find((one) => one.id === id) as GuideOperation;
}

describe('guideSteps()', () => {
  test('lists every operation once, in groups', () => {
    expect(
      operations()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ROUTES.map(({ id }) => id).sort());
    expect(guide.groups.map(({ tag }) => tag)).toContain('board');
  });

  test('lists every error, and errors of all operations only once', () => {
    for (const route of ROUTES) {
      const own = operation(route.id).errors.map(({ code }) => code);
      expect([...own, ...guide.commonErrors].sort()).toEqual(errorsOf(route));
    }
    expect(guide.commonErrors).toContain('quota_exceeded');
  });

  test('describes a parameter with type, default and meaning', () => {
    expect(operation('getLeaderboard').parameters).toContainEqual({
      name: 'window',
      place: 'query',
      type: '`7d`, `30d`, `90d` or `all_time`',
      default: '30d',
      meaning: expect.stringContaining('as_of') as string,
    });
  });

  test('describes nullable fields, lists and nested fields', () => {
    const { fields } = operation('getSubmission').replies[0] ?? { fields: [] };
    expect(fields).toContainEqual({
      name: 'keyid',
      type: 'text or null',
      href: null,
      meaning: expect.stringContaining('null') as string,
    });
    expect(fields.map(({ name }) => name)).toContain('collector.version');
    const keys = operation('getBoardKeys').replies[0]?.fields.map(({ name }) => name);
    expect(keys).toEqual(expect.arrayContaining(['keys', 'keys[].keyid']));
  });

  test('describes each object that a field refers to, once', () => {
    const pages = [...guide.groups, { tag: 'types', types: guide.types }];
    const described = pages.flatMap(({ tag, types }) => {
      return types.map(({ name }) => `/developers/${tag}#type-${name}`);
    });
    const fields = [
      ...operations().flatMap(({ replies, bodies }) => [...replies, ...bodies]),
      ...pages.flatMap(({ types }) => types),
    ];
    const referred = fields.flatMap((one) => one.fields.flatMap(({ href }) => href ?? []));
    expect(new Set(described).size).toBe(described.length);
    expect(described.sort()).toEqual([...new Set(referred)].sort());
  });

  test('describes a type with the only group that uses it, and shared types separately', () => {
    const devices = guide.groups.find(({ tag }) => tag === 'devices');
    expect(devices?.types.map(({ name }) => name)).toContain('KnownDevice');
    expect(guide.types.map(({ name }) => name)).toContain('Metrics');
  });

  test('shows that a list is available as CSV', () => {
    expect(operation('getLog').replies[0]?.mediaTypes).toEqual(['application/json', 'text/csv']);
  });
});

describe('a command', () => {
  test('uses names that the board knows', () => {
    const { curl } = operation(
      'getOperator',
      guideOf(ROUTES, { ...options, known: { codename: 'bob' } }),
    );
    expect(curl).toBe(`curl '${SECURE_URL}/api/v1/operators/bob?window=30d'`);
  });

  test('uses variables for values that only the caller has', () => {
    expect(operation('withdrawSubmission').curl).toBe(
      `curl --request POST --header "Authorization: Bearer $TOKEN" "${SECURE_URL}/api/v1/submissions/$SUBMISSION/withdraw"`,
    );
    expect(operation('getMe').curl).toContain('--header "Authorization: Bearer $TOKEN"');
    expect(operation('submitSnapshot').curl).toContain('--data-binary @submitSnapshot.json');
  });
});

describe('a deprecated operation', () => {
  test('has a line with start, end and replacement', () => {
    const { deprecation } = operation(DEPRECATED.id, guideOf([...ROUTES, DEPRECATED], options));
    expect(deprecation).toMatch(/since 2026-11-01.*until 2027-01-31.*\/api\/v2\/thing/);
  });

  test('is the only one with such a line', () => {
    expect(operations().every(({ deprecation }) => deprecation === null)).toBe(true);
  });
});
