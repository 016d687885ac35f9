import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { start } from '#tests/support/http/process.ts';
import { DEPRECATED, aDocument } from '#tests/support/http/openapi.ts';

/** Disables the update checks of linters. */
const OFFLINE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
};

async function run(
  program: string,
  args: readonly string[],
): Promise<{ status: number; output: string }> {
  const script = join(ROOT, 'node_modules', program);
  const env = { ...OFFLINE, PATH: process.env['PATH'] ?? '' };
  const { stdout, stderr, status } = await start(process.execPath, [script, ...args], env).finished;
  return { status: status ?? 1, output: stdout + stderr };
}

function fileOf(document: object): string {
  return join(aFolder({ 'openapi.json': JSON.stringify(document, null, 1) }), 'openapi.json');
}

function redocly(file: string) {
  const config = join(ROOT, '.config', 'redocly.yaml');
  return run('@redocly/cli/bin/cli.js', ['lint', file, '--config', config, '--max-problems', '20']);
}

function spectral(file: string) {
  const ruleset = join(ROOT, '.config', 'spectral.yaml');
  const options = ['--ruleset', ruleset, '--fail-severity', 'hint', '--quiet'];
  return run('@stoplight/spectral-cli/dist/index.js', ['lint', file, ...options]);
}

/** A document of one operation without operationId and errors. */
function spoilt(): object {
  const document = aDocument(ROUTES.filter(({ id }) => id === 'getLog'));
  const operation = document.paths['/api/v1/log']?.['get'] as object;
  Object.assign(operation, {
    operationId: undefined,
    responses: { 200: { description: 'Done.' } },
  });
  return document;
}

/** All routes plus a deprecated one, so that the document contains everything it can. */
const document = aDocument([...ROUTES, DEPRECATED]);

describe('the document', () => {
  test.each([
    ['of the routes', aDocument()],
    ['with a deprecated operation', document],
  ])('%s matches the official schema', async (_, whole) => {
    expect(await new Validator().validate({ ...whole })).toMatchObject({ valid: true });
  });

  test('passes Redocly', { timeout: 240_000 }, async () => {
    const { status, output } = await redocly(fileOf(document));
    expect(output).toContain('Your API description is valid');
    expect(status).toBe(0);
  });

  test('passes Spectral with the OWASP rules', { timeout: 240_000 }, async () => {
    const { status, output } = await spectral(fileOf(document));
    expect(output.trim()).toBe('');
    expect(status).toBe(0);
  });
});

describe('an invalid document', () => {
  test.each([
    ['Redocly', redocly, 'operation-operationId'],
    ['Spectral', spectral, 'owasp:api4:2023-rate-limit-responses-429'],
  ])('fails %s', { timeout: 240_000 }, async (_, lint, rule) => {
    const { status, output } = await lint(fileOf(spoilt()));
    expect(output).toContain(rule);
    expect(status).not.toBe(0);
  });

  test('does not match the official schema', async () => {
    const document = { ...aDocument(), paths: { 'no-slash': {} } };
    expect(await new Validator().validate(document)).toMatchObject({ valid: false });
  });
});
