/**
 * Texts are plain English: none contains an expression listed in `tests/support/text/expressions.ts`.
 * `tests/browser/quality.test.ts` applies the same list to pages.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS as AGENT_COMMANDS, overview } from '#agent/commands.ts';
import { DEVICE_PROMPTS } from '#agent/mcp/prompts.ts';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { BOARD_PROMPTS } from '#core/contract/mcp/board-prompts.ts';
import { BOARD_TOOLS, PUBLIC_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { openApiDocument } from '#core/contract/openapi/openapi.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { COMMANDS as ADMIN_COMMANDS, PROGRAM } from '#server/admin/commands.ts';
import { ROOT, anOperator } from '../support/board/context.ts';
import { aMailBoard } from '../support/http/mail-board.ts';
import { expressionsIn } from '../support/text/expressions.ts';
import { commentsOf, proseOf } from '../support/text/shown-text.ts';

function filesOf(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '' && !file.includes('fixtures/'));
}

function found(texts: Iterable<readonly [where: string, text: string]>, isCode = false): string[] {
  return [...texts].flatMap(([where, text]) => {
    return expressionsIn(text, isCode).map((expression) => `${where}: ${expression}`);
  });
}

/** Whether a Markdown file is about the source, so that it may use terms of the source. */
function isForContributors(file: string): boolean {
  return /^(src\/(decisions|.*README|threats)|db|tests|scripts\/bench)/.test(file);
}

/** The description of a JSON shape without lists of members. */
function withoutMembers(shape: string): string {
  return shape.replaceAll(/\{[^}]*\}/g, '{…}');
}

/** Tables whose first column has names of members in code. Pages insert them. */
function withoutNames(markdown: string): string {
  return markdown.replaceAll(/^\| [\w.]+ +(?=\|)/gm, '');
}

function read(file: string): string {
  return readFileSync(ROOT + file, 'utf8');
}

/** The text for people in a document for programs. */
function* describedIn(value: unknown, path = ''): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value)) {
    const at = `${path}/${name}`;
    const isText = ['summary', 'description', 'title'].includes(name);
    if (isText && typeof inside === 'string') yield [at, proseOf(inside)];
    else yield* describedIn(inside, at);
  }
}

describe('plain English', () => {
  test('in Markdown files', () => {
    const files = filesOf('*.md');
    const texts = (isCode: boolean) =>
      files
        .filter((file) => isForContributors(file) === isCode)
        .map((file) => [file, proseOf(withoutNames(read(file)))] as const);

    expect([...found(texts(false)), ...found(texts(true), true)]).toEqual([]);
  });

  test('in problems', () => {
    const texts = Object.entries(PROBLEMS).flatMap(([code, { title, hint }]) => [
      [code, title] as const,
      [code, proseOf(hint ?? '')] as const,
    ]);

    expect(found(texts)).toEqual([]);
  });

  test('in the OpenAPI document', () => {
    const board = { baseUrl: 'https://bench.example.org', version: '1.0.0', title: 'Opbench' };

    expect(found(describedIn(openApiDocument(ROUTES, board)))).toEqual([]);
  });

  test('in MCP tools and prompts', () => {
    const prompts = [...BOARD_PROMPTS, ...DEVICE_PROMPTS];
    const messages = prompts.map(({ name, text }) => [name, proseOf(text({}))] as const);

    expect(found(describedIn([...BOARD_TOOLS, ...PUBLIC_TOOLS, ...DEVICE_TOOLS]))).toEqual([]);
    expect(found([...describedIn(prompts), ...messages])).toEqual([]);
  });

  test('in emails', async () => {
    const { ctx, post, send } = aMailBoard();
    const { id } = anOperator(ctx, 'eve');
    await send('ada@example.org');
    await send('eve@example.org', { purpose: { interaction: null, operator_id: id } });

    expect(post.mails).toHaveLength(2);
    expect(found(post.mails.map(({ subject, text }) => [subject, text] as const))).toEqual([]);
  });

  test('in the help of both programs', async () => {
    const agent = Object.entries(AGENT_COMMANDS).map(async ([name, load]) => {
      const { help, json = '' } = await load();
      return [`opbench ${name}`, help + withoutMembers(json)] as const;
    });
    const admin = Object.entries(ADMIN_COMMANDS).map(async ([name, load]) => {
      const { help, json = '' } = await load();
      return [`opbench-board ${name}`, help + withoutMembers(json)] as const;
    });
    const overviews = [
      ['opbench', overview('opbench')],
      ['opbench-board', PROGRAM.overview()],
    ] as const;

    expect(found([...(await Promise.all([...agent, ...admin])), ...overviews])).toEqual([]);
  });

  test('in comments of the source', () => {
    const files = filesOf('src', 'db', 'scripts', '.config', 'astro.config.mjs').filter((file) =>
      /\.(astro|css|js|mjs|ts)$/.test(file),
    );
    const texts = files.map((file) => [file, commentsOf(read(file))] as const);

    expect(found(texts, true)).toEqual([]);
  });
});
