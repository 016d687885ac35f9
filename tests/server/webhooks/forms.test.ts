/** The bodies in every form, character for character. */
import { describe, expect, test } from 'vitest';
import { WEBHOOK_FORMS, type WebhookForm, type WebhookPayload } from '#core/contract/webhooks.ts';
import { bodyIn } from '#server/webhooks/forms.ts';

const BASE = 'https://bench.example.org';
const AT = '2026-11-20T15:38:00.000Z';
const BOARD = 'Bench_1 & <Co>';

const RECORD: WebhookPayload = {
  type: 'record.set',
  timestamp: AT,
  url: `${BASE}/hall-of-signal`,
  data: {
    codename: 'ada-l',
    metric: 'yield',
    value: 1234.56,
    first_day: '2026-10-22',
    last_day: '2026-11-20',
  },
};

function aStart(title: string): WebhookPayload {
  const days = { first_day: '2026-11-07', last_day: '2026-11-20' };
  const data = { id: 'sprint', title, metric: 'leverage' as const, tool: null, ...days };
  return { type: 'challenge.started', timestamp: AT, url: `${BASE}/challenges/sprint`, data };
}

function sent(form: WebhookForm, payload: WebhookPayload): unknown {
  const { body } = bodyIn(form, payload, BOARD);
  return form === 'ntfy' ? body : JSON.parse(body);
}

describe('a record', () => {
  test('is its payload in the form standard', () => {
    expect(bodyIn('standard', RECORD, BOARD)).toEqual({
      body: JSON.stringify(RECORD),
      headers: { 'Content-Type': 'application/json' },
    });
  });

  test('is a message of Discord', () => {
    expect(sent('discord', RECORD)).toEqual({
      content:
        'Bench\\_1 \\& \\<Co\\>: New record! ada\\-l reached a yield of 1,235 from 2026-10-22 to 2026-11-20.\n<https://bench.example.org/hall-of-signal>',
      allowed_mentions: { parse: [] },
    });
  });

  test('is a message of Slack', () => {
    expect(sent('slack', RECORD)).toEqual({
      text: 'Bench_1 &amp; &lt;Co&gt;: New record! ada-l reached a yield of 1,235 from 2026-10-22 to 2026-11-20.\n<https://bench.example.org/hall-of-signal>',
      mrkdwn: false,
      unfurl_links: false,
    });
  });

  test('is a message of Matrix', () => {
    const url = 'https://bench.example.org/hall-of-signal';
    expect(sent('matrix', RECORD)).toEqual({
      text: `Bench_1 & <Co>: New record! ada-l reached a yield of 1,235 from 2026-10-22 to 2026-11-20.\n${url}`,
      html: `Bench_1 &amp; &lt;Co&gt;: New record! ada-l reached a yield of 1,235 from 2026-10-22 to 2026-11-20.<br><a href="${url}">${url}</a>`,
    });
  });

  test('is a notification of ntfy', () => {
    expect(bodyIn('ntfy', RECORD, BOARD)).toEqual({
      body: 'Bench_1 & <Co>: New record! ada-l reached a yield of 1,235 from 2026-10-22 to 2026-11-20.',
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        Title: 'New record',
        Click: 'https://bench.example.org/hall-of-signal',
      },
    });
  });
});

describe('a title', () => {
  const HOSTILE = '@everyone <!channel> **bold** [x](https://evil.example) <b>\n# big `code` @room';

  test('can neither mention anybody nor format text', () => {
    const start = aStart(HOSTILE);
    const discord = sent('discord', start) as { content: string };
    const slack = sent('slack', start) as { text: string };
    const matrix = sent('matrix', start) as { text: string; html: string };

    expect(discord.content).not.toMatch(/@(?:everyone|room)/);
    expect(discord.content.split('\n')[0]).not.toMatch(/(?<!\\)[*[\]()<`#]/);
    expect(discord.content.split('\n')).toHaveLength(2);
    expect(slack.text.split('\n')[0]).not.toMatch(/[<>]/);
    expect(matrix.text).not.toContain('@room');
    expect(matrix.html).not.toMatch(/@room|<b>|<!/);
  });

  test('fits every service, however long', () => {
    const standings = Array.from({ length: 10 }, (_, at) => {
      return { place: at + 1, rank: at + 1, codename: 'a-'.repeat(14) + 'zz', value: 123_456_789 };
    });
    const { data, ...rest } = aStart('*'.repeat(120));
    const payload = {
      ...rest,
      type: 'challenge.finished',
      data: { ...data, total: 10, standings },
    } as WebhookPayload;
    const board = '_'.repeat(60);

    expect(
      (JSON.parse(bodyIn('discord', payload, board).body) as { content: string }).content.length,
    ).toBeLessThanOrEqual(2000);
    expect(Buffer.byteLength(bodyIn('ntfy', payload, board).body)).toBeLessThanOrEqual(4096);
    for (const form of WEBHOOK_FORMS) {
      expect(Buffer.byteLength(bodyIn(form, payload, board).body)).toBeLessThan(20_000);
    }
  });
});

describe('standings', () => {
  test('are a list, in which operators without a public name have none', () => {
    const { data, ...rest } = aStart('Sprint');
    const standings = [
      { place: 1, rank: 1, codename: 'grace', value: 41.8 },
      { place: 2, rank: 2, codename: null, value: 37.25 },
    ];
    const payload = {
      ...rest,
      type: 'challenge.finished',
      data: { ...data, total: 2, standings },
    } as WebhookPayload;

    expect(sent('ntfy', payload)).toBe(
      'Bench_1 & <Co>: The challenge “Sprint” has ended.\n1. grace: 41.8\n2. An operator without a public name: 37.3',
    );
  });
});
