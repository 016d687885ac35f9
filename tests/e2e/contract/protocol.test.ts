import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { LINES } from '#core/schema/public-log.ts';
import { aPage, overflowOf } from '#tests/support/pages/browser.ts';
import { type Vectors, verifyVectors } from '#tests/support/protocol/protocol-verifier.ts';
import { verify } from '#tests/support/board/public-log.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const PAGE = '/developers/protocol';
const SCHEMAS = '/developers/protocol.json';
const VECTORS = '/developers/vectors.json';

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

describe('the published protocol', () => {
  test('has vectors that third parties can recompute, in a cacheable file', async () => {
    const { url } = await plainBoard();
    const response = await fetch(url + VECTORS);
    const vectors = (await response.json()) as Vectors;

    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=300/);
    expect(() => verifyVectors(vectors)).not.toThrow();
    expect(verify(vectors.log_file.map((line) => `${line}\n`)).findings).toEqual([]);
    expect(vectors.invalid.length).toBeGreaterThan(15);
  });

  test('has schemas that match the vectors', async () => {
    const { url } = await plainBoard();
    const document = JSON.parse(await textOf(url + SCHEMAS)) as { $id: string; $defs: object };
    const vectors = JSON.parse(await textOf(url + VECTORS)) as Vectors;
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    ajv.addSchema(document);
    const holds = (name: string, value: unknown) => {
      const isValid = ajv.validate({ $ref: `${document.$id}#/$defs/${name}` }, value);
      return isValid ? [] : [name, ajv.errorsText()];
    };

    expect(document.$id).toBe(url + SCHEMAS);
    expect(holds('EnrollmentStatement', JSON.parse(vectors.enrollment.payload))).toEqual([]);
    expect(holds('EnrollmentRequest', vectors.enrollment.request)).toEqual([]);
    expect(holds('EnrollmentStatement', JSON.parse(vectors.replacement.payload))).toEqual([]);
    expect(holds('EnrollmentRequest', vectors.replacement.request)).toEqual([]);
    expect(holds('SnapshotPayload', JSON.parse(vectors.snapshot.payload))).toEqual([]);
    expect(holds('SnapshotPayload', JSON.parse(vectors.correction.payload))).toEqual([]);
    expect(holds('SnapshotPayload2', JSON.parse(vectors.stated_days.payload))).toEqual([]);
    expect(holds('SnapshotReceipt', vectors.receipt)).toEqual([]);
    expect(holds('SignedLogHead', vectors.log_head)).toEqual([]);
    for (const text of vectors.log_file) {
      const line = JSON.parse(text) as { line: string };
      const name = line.line.replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
      expect(holds(`${name}Line`, line)).toEqual([]);
    }
    expect(holds('SnapshotPayload', {})).toHaveLength(2);
  });
});

describe('/developers/protocol', () => {
  test('names every member of log lines, every payload type, and every error of the vectors', async () => {
    const { url } = await plainBoard();
    const page = await textOf(url + PAGE);
    const { invalid } = JSON.parse(await textOf(url + VECTORS)) as Vectors;
    const codes = [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, code = '']) => code);
    const members = Object.values(LINES).flatMap(({ shape }) => Object.keys(shape));

    expect(codes).toEqual(expect.arrayContaining([...new Set(members)]));
    expect(codes).toEqual(expect.arrayContaining(invalid.map(({ code }) => code)));
    for (const name of [
      'enrollment',
      'snapshot',
      'receipt',
      'board-key',
      'log-head',
      'public-log',
    ]) {
      expect(codes).toContain(`application/vnd.opbench.${name}.v1+json`);
    }
    expect(Buffer.byteLength(page)).toBeLessThan(200_000);
  });

  test('has no broken links, and is linked from developers, llms.txt and sitemap', async () => {
    const { url } = await plainBoard();
    const page = await textOf(url + PAGE);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = new Set([...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href));
    for (const href of links) {
      if (href.startsWith('#')) expect(ids).toContain(href.slice(1));
      if (!href.startsWith('/')) continue;
      expect((await fetch(url + href, { redirect: 'manual' })).status).toBeLessThan(400);
    }
    expect(await textOf(`${url}/developers`)).toContain(`href="${PAGE}"`);
    expect(await textOf(`${url}/llms.txt`)).toContain(`(${url}${PAGE}.md)`);
    expect(await textOf(`${url}/sitemap.xml`)).toContain(`<loc>${url}${PAGE}</loc>`);
  });

  test('has a Markdown version with the exact bytes of the example', async () => {
    const { url } = await plainBoard();
    const markdown = await textOf(`${url}${PAGE}.md`);
    const { snapshot, enrollment, receipt } = JSON.parse(await textOf(url + VECTORS)) as Vectors;

    expect(markdown).toMatch(/^# Device protocol$/m);
    for (const exact of [snapshot.payload, enrollment.payload, receipt.entry_hash]) {
      expect(markdown).toContain(exact);
    }
  });

  test.each([
    [360, false],
    [1280, true],
  ])('fits a screen of %i pixels (dark: %s), without script', async (width, dark) => {
    const { url } = await plainBoard();
    const { page, misdeeds } = await aPage(url, { width, dark, script: false });
    await page.goto(url + PAGE);
    expect(await overflowOf(page)).toBe(0);
    expect(misdeeds).toEqual({ console: [], foreign: [] });
    if (process.env['PROTOCOL_PICTURES']) {
      await page.screenshot({
        path: `${process.env['PROTOCOL_PICTURES']}/p-${width}-${dark}.png`,
        fullPage: true,
      });
    }
  });
});
