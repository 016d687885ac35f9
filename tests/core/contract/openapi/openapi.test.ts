import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type {
  OperationObject,
  ParameterObject,
} from '#core/contract/openapi/openapi-operations.ts';
import { type SchemaObject, nameOf, schemaObject } from '#core/contract/openapi/openapi-schemas.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { type Route, errorsOf, isNamed } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { DEPRECATED, aDocument } from '#tests/support/http/openapi.ts';

const document = aDocument();
const byId = ROUTES.map((route) => [route.id, route] as const);

function operationOf({ path, method }: Route, of = document): OperationObject {
  return of.paths[path]?.[method.toLowerCase()] as OperationObject;
}

function parametersOf(route: Route): ParameterObject[] {
  return operationOf(route).parameters.filter((parameter) => 'name' in parameter);
}

function routeOf(id: string): Route {
  return ROUTES.find((route) => route.id === id) as Route;
}

function responseOf(id: string, status: number) {
  const response = operationOf(routeOf(id)).responses[status];
  if (!response || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''];
}

describe('openApiDocument()', () => {
  test('has every operation and no other', () => {
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
    );
    const routes = ROUTES.map(({ id, method, path }) => [id, method.toLowerCase(), path]);
    expect(told.sort()).toEqual(routes.sort());
  });

  test('is the same for the same arguments', () => {
    expect(JSON.stringify(aDocument())).toBe(JSON.stringify(aDocument()));
  });

  test('names the board that serves it, and its cookie', () => {
    const plain = aDocument(ROUTES, 'http://127.0.0.1:4321');
    expect(plain.servers[0]?.url).toBe('http://127.0.0.1:4321');
    expect(plain.components.securitySchemes['session']?.['name']).toBe('session');
    expect(document.components.securitySchemes['session']?.['name']).toBe('__Host-session');
  });

  test('contains no traces of zod and no broken references', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/\$id|json-schema\.org|definitions/);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(200);
    for (const [, kind = '', name = ''] of references) {
      const components = document.components as unknown as Record<string, object>;
      expect(Object.keys(components[kind] ?? {})).toContain(name);
    }
  });

  test.each(byId)('%s declares its successes, its errors and nothing else', (_, route) => {
    const codes = errorsOf(route).map((code) => PROBLEMS[code].status);
    const kept = route.cacheSeconds > 0 ? [304] : [];
    const moved = isNamed(route) ? [307] : [];
    const statuses = new Set([...route.statuses, ...kept, ...moved, ...codes].map(String));
    expect(Object.keys(operationOf(route).responses).sort()).toEqual([...statuses].sort());
  });

  test.each(byId)('%s names each of its codes under its status', (id, route) => {
    for (const code of errorsOf(route)) {
      const content = responseOf(id, PROBLEMS[code].status)?.content;
      expect(content?.['application/problem+json']?.examples).toHaveProperty(code);
    }
  });

  test.each(byId)('%s bounds every parameter', (_, route) => {
    for (const { schema } of parametersOf(route)) {
      const { type, enum: values, maxLength, maximum, pattern, format } = schema;
      const bounded = values ?? maxLength ?? pattern ?? format;
      expect(type === 'integer' ? maximum : bounded).toBeDefined();
    }
  });
});

describe('parameters', () => {
  test('have their parsed types and defaults', () => {
    const limit = parametersOf(routeOf('getLeaderboard')).find(({ name }) => name === 'limit');
    const { schema, required, example } = limit as ParameterObject;
    expect(schema).toEqual({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 1000,
      default: 50,
    });
    expect(required).toBe(false);
    expect(example).toBe(2);
  });

  test('list their values', () => {
    const window = parametersOf(routeOf('getLeaderboard')).find(({ name }) => name === 'window');
    expect(window?.schema).toMatchObject({
      enum: ['7d', '30d', '90d', 'all_time'],
      default: '30d',
    });
  });

  test('are required only in a path, and for a proof', () => {
    const all = ROUTES.flatMap(parametersOf);
    const others = all.filter((one) => one.required && one.in !== 'path');
    expect(others.map(({ name }) => name)).toEqual(['log_index', 'from']);
    expect(all.filter((one) => one.in === 'path').every(({ required }) => required)).toBe(true);
  });
});

describe('meaning', () => {
  /** The description of a schema, or else of the schema that it refers to. */
  function toldOf(schema: SchemaObject): string | undefined {
    const { $ref } = schema.allOf?.[0] ?? schema;
    const name = $ref?.split('/').at(-1) ?? '';
    return schema.description ?? document.components.schemas[name]?.description;
  }

  function membersOf(schema: SchemaObject, path: string): (readonly [string, SchemaObject])[] {
    return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const at = `${path}.${name}`;
      return [
        [at, member] as const,
        ...membersOf(member, at),
        ...membersOf(member.items ?? {}, `${at}[]`),
      ];
    });
  }

  const members = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    membersOf(schema, name),
  );

  test.each(members)('of %s is documented', (_, member) => {
    expect(toldOf(member)).toMatch(/^\S.*[.]$/s);
  });

  const parameters = ROUTES.flatMap((route) =>
    parametersOf(route).map((parameter) => ({ id: route.id, name: parameter.name, parameter })),
  );

  test.each(parameters)('of $name of $id is documented, with an example', ({ parameter }) => {
    expect(parameter.description).toMatch(/^\S.*[.]$/s);
    expect(parameter.example ?? parameter.schema.default).toBeDefined();
  });

  test.each(ROUTES.map((route) => [route.id, route] as const))(
    '%s accepts the examples of its parameters',
    (_, route) => {
      const given = parametersOf(route).filter(({ example }) => example !== undefined);
      const queried = given.filter((one) => one.in === 'query');
      const query = Object.fromEntries(queried.map(({ name, example }) => [name, String(example)]));
      expect(route.query.safeParse(query)).toMatchObject({ success: true });
    },
  );
});

describe('responses', () => {
  test('to public lists have rate limit and CORS headers', () => {
    for (const status of [200, 304, 400, 404, 405, 429]) {
      const names = Object.keys(responseOf('listSubmissions', status)?.headers ?? {});
      expect(names).toEqual(
        expect.arrayContaining(['RateLimit', 'RateLimit-Limit', 'Access-Control-Allow-Origin']),
      );
    }
    expect(Object.keys(responseOf('listSubmissions', 200)?.content ?? {})).toEqual([
      'application/json',
      'text/csv',
    ]);
  });

  test('to writes are private and not cached', () => {
    const names = Object.keys(responseOf('withdrawSubmission', 200)?.headers ?? {});
    expect(names).toEqual(['Cache-Control', 'Set-Cookie', 'Vary', 'X-Request-Id']);
  });

  test.each([
    ['submitSnapshot', 201, 'Location'],
    ['getMe', 401, 'WWW-Authenticate'],
    ['getMe', 403, 'WWW-Authenticate'],
    ['getLog', 405, 'Allow'],
    ['enrollDevice', 415, 'Accept'],
    ['enrollDevice', 429, 'Retry-After'],
    ['getLog', 503, 'Retry-After'],
    ['getLog', 200, 'ETag'],
    ['getLog', 200, 'Link'],
  ])('%s with %d has the field %s', (id, status, name) => {
    expect(responseOf(id, status)?.headers).toHaveProperty(name);
  });
});

describe('bodies', () => {
  test('read as exact bytes are described by their content', () => {
    const { requestBody } = operationOf(routeOf('submitSnapshot'));
    expect(requestBody?.content).toEqual({
      'application/vnd.dsse.envelope.v1+json': {
        schema: { $ref: '#/components/schemas/Envelope' },
        example: expect.objectContaining({ payloadType: expect.any(String) as unknown }) as unknown,
      },
      'application/json': {
        schema: {
          anyOf: [
            { $ref: '#/components/schemas/OperatorRecord' },
            { $ref: '#/components/schemas/RecordList' },
          ],
        },
        example: expect.objectContaining({ spec: 'rank/0.1-draft' }) as unknown,
      },
    });
  });

  test('and responses with the same name share a schema', () => {
    const sent: Record<string, SchemaObject> = {};
    for (const { accepts, body } of ROUTES)
      if (accepts.length > 0) schemaObject(body, sent, 'input');
    for (const [name, schema] of Object.entries(sent)) {
      expect(schema).toEqual(document.components.schemas[name]);
    }
  });
});

describe('credentials', () => {
  test.each([
    ['getLeaderboard', [{}, { key: [] }]],
    ['getBoardKeys', []],
    ['getSession', [{}, { session: [] }]],
    ['getMe', [{ session: [] }, { bearer: [] }, { device: [] }]],
    ['revokeDevice', [{ session: [] }, { device: [] }]],
    ['createDeviceCode', [{ session: [] }]],
    ['submitSnapshot', [{}, { session: [] }, { bearer: [] }]],
  ])('%s asks for %j', (id, security) => {
    expect(operationOf(routeOf(id)).security).toEqual(security);
  });
});

describe('null', () => {
  const { schemas } = document.components;
  const copies = Object.entries(schemas).filter(([name]) => name.startsWith('Nullable'));
  const referenceOf = (schema: SchemaObject) => nameOf(schema.allOf?.[0] ?? schema) ?? '';

  /** Nullable fields of objects. */
  const nullable = Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {})
      .filter(([, field]) => field.nullable ?? schemas[referenceOf(field)]?.nullable)
      .map(([field, told]) => [`${name}.${field}`, told.description ?? ''] as const),
  );

  test.each(nullable)('is explained at %s', (_, description) => {
    expect(description).toMatch(/\bnull\b/i);
  });

  test('is next to a type, and in every enumeration', () => {
    const text = JSON.stringify(schemas, (_, value: SchemaObject | null) => {
      if (value?.nullable) {
        expect(value.type).toBeDefined();
        expect(value.enum ?? [null]).toContain(null);
        expect(value).not.toHaveProperty('allOf');
      }
      return value;
    });
    expect(text).toContain('"nullable":true');
  });

  test('is never an alternative of several schemas, because generators disagree about that', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"enum":\[null\]|"oneOf"|"type":"null"/);
    expect(nullable.length).toBeGreaterThan(100);
  });

  test.each(copies)('%s is a copy that differs in null only', (name, copy) => {
    expect(copy).toEqual({ ...schemas[name.replace('Nullable', '')], nullable: true });
    const validate = new Ajv({ strict: false, logger: false })
      .addSchema(document, 'openapi')
      .compile({
        $ref: `openapi#/components/schemas/${name}`,
      });
    expect([validate(null), validate('none'), validate([])]).toEqual([true, false, false]);
  });

  test('is not accepted by the originals of nullable copies', () => {
    expect(copies.length).toBeGreaterThan(10);
    for (const [name] of copies)
      expect(schemas[name.replace('Nullable', '')]?.nullable).toBe(undefined);
  });

  test('leaves no unused schema except the originals of copies', () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`) && !schemas[`Nullable${name}`],
    );
    expect(unused).toEqual([]);
  });
});

describe('a deprecated operation', () => {
  const old = operationOf(DEPRECATED, aDocument([DEPRECATED]));

  test('names start, end and replacement', () => {
    expect(old.deprecated).toBe(true);
    expect(old.description).toMatch(/since 2026-11-01.*until 2027-01-31/);
    expect(old.description).toContain('/api/v2/thing');
  });

  test('declares the deprecation headers for every response', () => {
    const { responses } = old;
    for (const status of [200, 304, 400, 405]) {
      expect(responses[status]).toHaveProperty('headers.Deprecation');
      expect(responses[status]).toHaveProperty('headers.Sunset');
      expect(responses[status]).toHaveProperty('headers.Link');
    }
  });
});
