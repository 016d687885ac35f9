/** Methodology, science and privacy: anchors that others link to, and the current ranking rules. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Log } from '#core/contract/log.ts';
import { METHODOLOGY, PRIVACY, SCIENCE } from '#components/method/explanations.ts';
import { FORMER_ANCHORS } from '#components/method/former-anchors.ts';
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

/** A board folder with these numbers. */
function aBoardDir(eligibility: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'board.toml'), `[eligibility]\n${eligibility}\n`);
  return folder;
}

describe('the sections', () => {
  test('each page begins with a summary and has its sections under their anchors', async () => {
    const { url } = await plainBoard();

    for (const { overview, parts } of [METHODOLOGY, SCIENCE, PRIVACY]) {
      for (const { path, titles } of [overview, ...parts]) {
        const page = await pageAt(url + path);
        const ids = [...page.matchAll(/<h2[^>]* id="([^"]+)"/g)].map(([, id]) => id);
        expect([path, ...ids]).toEqual([path, 'short', ...Object.keys(titles)]);
      }
    }
  });

  test('a section that moved keeps its anchor on the overview, with a link to its page', async () => {
    const { url } = await plainBoard();

    for (const [target, anchor] of Object.entries(FORMER_ANCHORS)) {
      const overview = `/${target.split('/')[1]}`;
      const page = await pageAt(url + overview);
      expect(page).toMatch(new RegExp(`<li[^>]* id="${anchor}"[^>]*>\\s*<a[^>]* href="${target}"`));
    }
  });
});

describe('the ranking rules', () => {
  test('the current numbers are listed, and the earlier ones', async () => {
    const { config, store } = testContext();
    store.close();
    const numbers =
      'active_day_tokens = 12345\ncoverage = 0.925\n[eligibility.active_days]\n7d = 5';
    const { url } = await startServer({
      dataDir: config.dataDir,
      env: { BOARD_DIR: aBoardDir(numbers) },
    });
    const page = await pageAt(`${url}/methodology/ranking`);
    const { ruleset } = (await (await fetch(`${url}/api/v1/leaderboard`)).json()) as {
      ruleset: string;
    };

    expect(ruleset).toMatch(/^2-[0-9a-f]{8}$/);
    const required = textOf(page, 'eligibility');
    expect(required).toContain(ruleset);
    expect(required).toContain('Active days 5 7 14 14');
    expect(required).toContain('12,345 tokens');
    expect(required).toMatch(/92\.5 ?%/);
    expect(textOf(page, 'interval')).toContain('every seven days in a row');
    const versions = textOf(await pageAt(`${url}/methodology/rules`), 'rules');
    expect(versions).toMatch(new RegExp(`Version ${ruleset} .* since .* Version 2 .* since`));
    expect(versions).toContain('10,000, then 12,345');
    expect(versions).toContain('Active days, last 7 days: 3, then 5');
    expect(versions).toMatch(/Coverage: 90 ?%, then 92\.5 ?%/);
  });

  test('each version links to its entry of the log', async () => {
    const { url } = await plainBoard();
    const page = await pageAt(`${url}/methodology/rules`);
    const [, href = ''] = /href="(\/api\/v1\/log[^"]+)"/.exec(page) ?? [];
    const { entries } = (await (
      await fetch(url + href.replaceAll('&#38;', '&').replaceAll('&amp;', '&'))
    ).json()) as Log;

    expect(entries.map(({ kind }) => kind)).toEqual(['ruleset']);
  });
});

describe('an address without a page', () => {
  test('offers a search that finds operators', async () => {
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
