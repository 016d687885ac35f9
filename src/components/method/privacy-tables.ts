/** The lists of the privacy pages, from `privacy-tables.md`. Tests compare them with schemas, commands and the database. */
import { composeSnapshot } from '#core/domain/signing/snapshot.ts';
import { rowsOf, sectionsIn } from '../text/markdown-text.ts';
import source from './privacy-tables.md?raw';

const SECTIONS = sectionsIn(source);

const tableOf = (id: string) => rowsOf(SECTIONS.find((section) => section.id === id));

export interface SentField {
  name: string;
  why: string;
}

function fieldsOf(id: string): readonly SentField[] {
  return tableOf(id).map(([name = '', why = '']) => ({ name, why }));
}

export const PAYLOAD_FIELDS = fieldsOf('payload');
export const ENVELOPE_FIELDS = fieldsOf('envelope');
export const ENROLLMENT_FIELDS = fieldsOf('enrollment');
export const TOKEN_FIELDS = fieldsOf('token');

/** What each command of `opbench` sends. */
export const SENT_BY_WORDS = tableOf('sent-by-words').map(([words = '', sends = '']) => {
  return { words: words.split(', '), sends };
});

/** What `opbench` keeps on a device. */
export const KEPT_ON_DEVICE = tableOf('kept-on-device').map(
  ([what = '', parts = '', place = '']) => {
    return { what, parts, place };
  },
);

/** What a board stores about people, and the database tables that hold it. */
export const KEPT_DATA = tableOf('kept-data').map(
  ([what = '', parts = '', until = '', tables = '']) => {
    return { what, parts, until, tables: tables.replaceAll('`', '').split(', ') };
  },
);

/** A snapshot as `opbench submit --dry-run` prints it, but on several lines. */
export function examplePayload(audience: string, version: string): string {
  const bytes = composeSnapshot({
    audience,
    submission_id: '019aa3c1-6f00-7b3e-9f55-0e3b7a1c4f10',
    issuedAtMs: Date.UTC(2026, 10, 21, 9, 30),
    collector: { name: 'opbench', version },
    correction: null,
    covers: { tools: ['claude-code'], from: '2026-11-20', to: '2026-11-20' },
    buckets: [
      {
        day: '2026-11-20',
        provider: 'anthropic',
        model: 'claude-example',
        tool: 'claude-code',
        input: 52_180,
        output: 118_402,
        cache_write: 264_711,
        cache_read: 5_210_338,
        fingerprint: 'AS9qEQVxwN4LPp9VEaTC8Bx7PgE',
      },
    ],
  });
  return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2);
}
