/** The sections about the report itself: what was read, and what the numbers mean. */
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { METRIC_TEXTS } from '#core/domain/metrics/metric-texts.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { METRIC_LABELS } from '../../charts/labels.ts';
import type { SourceReport } from '../device-reports.ts';
import { counted, figure } from '../text/figures.ts';
import { type Cell, joined, listOf, paragraph, section, table } from './parts.ts';

interface Read {
  sources: readonly SourceReport[];
  notes: readonly string[];
  /** Tokens whose logs no longer exist. */
  gone: number;
}

/** Which logs were read, and what is missing. */
export function logsSection({ sources, notes, gone }: Read): Html {
  const used = sources.filter(({ files, unreadable }) => files > 0 || unreadable.length > 0);
  const columns = [
    { head: 'Tool' },
    { head: 'Files', isNumber: true },
    { head: 'Responses', isNumber: true },
    { head: 'Skipped lines', isNumber: true, isWide: true },
    { head: 'Unreadable', isNumber: true, isWide: true },
  ];
  const rows = used.map(({ tool, files, events, skipped_lines, unreadable }): Cell[] => [
    tool,
    ...[files, events, skipped_lines, unreadable.length].map(figure),
  ]);
  return section(
    'logs',
    'What was read',
    rows.length > 0 ? table(columns, rows) : paragraph('No logs exist any more.'),
    gone > 0
      ? paragraph(
          `The report includes ${counted(gone, 'token')} whose logs no longer exist. opbench keeps their counts.`,
          'above',
        )
      : null,
    notes.length > 0 ? listOf(notes.map(plain)) : null,
  );
}

/** The metrics and other terms, in one sentence each. */
export function termsSection(): Html {
  const metrics = METRIC_NAMES.map((name) => {
    const { formula, unit } = METRIC_TEXTS[name];
    return term(METRIC_LABELS[name], markup`${unit}; <code>${formula}</code>`);
  });
  return section(
    'terms',
    'What the numbers mean',
    markup`<dl class="terms">${joined([...metrics, ...TERMS.map(([name, text]) => term(name, markup`${text}`))])}</dl>`,
    paragraph(
      'The metrics measure how tokens were used, not whether the work was any good.',
      'above',
    ),
  );
}

const TERMS = [
  ['Fresh input', 'input tokens that did not come from the cache'],
  [
    '95% interval',
    'the range in which the true value most likely is, from how much days or weeks differ',
  ],
  ['Conservative value', 'the value lowered by its uncertainty, by which boards rank'],
  [
    'Class',
    'the power of ten of the conservative yield in 90 days, from Rill (below 0.1) to Ocean (10,000,000 or more)',
  ],
  ['Active day', 'a UTC day of 10,000 tokens or more'],
] as const;

function term(name: string, text: Html): Html {
  return markup`<div><dt>${name}</dt><dd>${text}</dd></div>`;
}
