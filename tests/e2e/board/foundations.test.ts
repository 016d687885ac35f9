/** Methodology and science: that what others link to is there, and that the rules told are those in force. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Log } from '#core/contract/log.ts';
import methodology from '#components/method/methodology.md?raw';
import science from '#components/method/science.md?raw';
import { titlesIn } from '#components/text/markdown-text.ts';
import { testContext } from '#tests/support/board/context.ts';
import { startServer } from '#tests/support/http/server.ts';
import { filledBoard, plainBoard } from '#tests/support/http/worker-boards.ts';

async function pageAt(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** The text of a page, or of one of its sections. */
function textOf(page: string, section = ''): string {
  const part = page.split(`<section aria-labelledby="${section}"`).at(1)?.split('</section>')[0];
  const words = (part ?? page).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  return words.replaceAll('&#39;', "'");
}

/** An admin's folder with these numbers. */
function aBoardDir(eligibility: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'board.toml'), `[eligibility]\n${eligibility}\n`);
  return folder;
}

describe('the sections', () => {
  test('each is listed at the top and there once, under the anchor that others link to', async () => {
    const { url } = await plainBoard();

    for (const [path, sections] of [
      ['/methodology', titlesIn(methodology)],
      ['/science', titlesIn(science)],
    ] as const) {
      const page = await pageAt(url + path);
      const ids = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
      const listed = [...page.matchAll(/href="#([a-z]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual(Object.keys(sections));
      expect(listed.filter((id) => id !== 'content')).toEqual(ids);
    }
    expect(Object.keys(titlesIn(methodology))).toEqual(
      expect.arrayContaining(['classes', 'logs', 'ruleset']),
    );
    expect(Object.keys(titlesIn(science))).toEqual(
      expect.arrayContaining(['checks', 'coverage', 'thin', 'tools']),
    );
  });
});

describe('the ruleset', () => {
  test('the numbers in force are told, and what they were before', async () => {
    const { config, store } = testContext();
    store.close();
    const numbers =
      'active_day_tokens = 12345\ncoverage = 0.925\n[eligibility.active_days]\n7d = 5';
    const { url } = await startServer({
      dataDir: config.dataDir,
      env: { BOARD_DIR: aBoardDir(numbers) },
    });
    const page = await pageAt(`${url}/methodology`);
    const { ruleset } = (await (await fetch(`${url}/api/v1/leaderboard`)).json()) as {
      ruleset: string;
    };

    expect(ruleset).toMatch(/^1-[0-9a-f]{8}$/);
    const asked = textOf(page, 'eligibility');
    expect(asked).toContain(`under ruleset ${ruleset}`);
    expect(asked).toContain('Active days 5 7 14 14');
    expect(asked).toContain('active from 12,345 tokens on');
    expect(asked).toContain('92.5% or more');
    const told = textOf(page, 'ruleset');
    expect(told).toContain(`Ruleset ${ruleset} is in force`);
    expect(told).toMatch(new RegExp(`Ruleset ${ruleset} since .* Ruleset 1 since`));
    expect(told).toContain('Tokens of an active day: 10,000, then 12,345');
    expect(told).toContain('Active days, last 7 days: 3, then 5');
    expect(told).toContain('Coverage: 90%, then 92.5%');
  });

  test('each leads to its entry of the log', async () => {
    const { url } = await plainBoard();
    const page = await pageAt(`${url}/methodology`);
    const [, href = ''] = /href="(\/api\/v1\/log[^"]+)"/.exec(page) ?? [];
    const { entries } = (await (
      await fetch(url + href.replaceAll('&#38;', '&').replaceAll('&amp;', '&'))
    ).json()) as Log;

    expect(entries.map(({ kind }) => kind)).toEqual(['ruleset']);
  });
});

describe('an address without a page', () => {
  test('offers a search that finds an operator', async () => {
    const server = await filledBoard();
    const codename = 'ada';
    const answer = await fetch(`${server.url}/nothing/here`);
    const page = await answer.text();
    const [, action = ''] = /<form action="([^"]+)"/.exec(page) ?? [];

    expect(answer.status).toBe(404);
    const found = await pageAt(`${server.url}${action}?q=${codename}`);
    expect(found).toContain(`href="/operators/${codename}?window=all_time"`);
    const none = await pageAt(`${server.url}${action}?q=nobody-like-that`);
    expect(none).not.toContain(`href="/operators/${codename}`);
  });
});
