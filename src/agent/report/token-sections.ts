/** The sections about tokens: token types, tools, models, and projects. */
import { sumPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { cascadeOf } from '#core/domain/metrics/compute-metrics.ts';
import { reportsReadWrite } from '#core/domain/metrics/day-series.ts';
import { metricsOf } from '#core/domain/metrics/standing.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { cascadeBar } from '../../charts/cascade-bar.ts';
import { PILLARS, PILLAR_LABELS } from '../../charts/labels.ts';
import { dateText, shareText, valueText } from '../../charts/numbers.ts';
import { groupedBy } from '../loop/grouped.ts';
import type { ProjectCounts } from '../logs/projects.ts';
import { counted, figure as wholeText } from '../text/figures.ts';
import {
  type Cell,
  NONE,
  figure,
  paragraph,
  section,
  table,
  tokensCell,
  yieldCell,
} from './parts.ts';

/** Where the tokens went: the four token types, and the stages between them. */
export function tokensSection(buckets: readonly Bucket[], totals: Pillars): Html {
  const total = totalOf(totals);
  const columns = [
    { head: 'Token type' },
    { head: 'Tokens', isNumber: true },
    { head: 'Share', isNumber: true },
  ];
  const rows = PILLARS.map((pillar): Cell[] => {
    const tokens = totals[pillar];
    const name = PILLAR_LABELS[pillar];
    if (tokens === null) return [name, 'not reported', NONE];
    return [name, wholeText(tokens), shareText(tokens / total)];
  });
  const caption = `${wholeText(total)} tokens by type, in the order in which they flow.`;
  return section(
    'tokens',
    'Where the tokens went',
    figure(cascadeBar(totals), caption, table(columns, rows)),
    stages(buckets),
  );
}

const STAGES = {
  transmission: ['Transmission', 'output tokens for each fresh input token'],
  commitment: ['Commitment', 'tokens written to the cache for each output token'],
  reuse: ['Reuse', 'tokens read from the cache for each token written to it'],
} as const;

function stages(buckets: readonly Bucket[]): Html | null {
  const reporting = buckets.filter(reportsReadWrite);
  const cascade = cascadeOf(sumPillars(reporting));
  const known = (['transmission', 'commitment', 'reuse'] as const).flatMap((stage) => {
    const value = cascade[stage];
    const [name, text] = STAGES[stage];
    const words = value === null ? '' : `${valueText('yield', value)} ${text}`;
    return value === null ? [] : [markup`<div><dt>${name}</dt><dd>${words}</dd></div>`];
  });
  return known.length === 0 ? null : markup`<dl class="facts measure far-above">${known}</dl>`;
}

/** The sums and yield of each tool and model. */
export function splitSection(buckets: readonly Bucket[]): Html {
  const total = buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
  const tableOf = (grouping: 'model' | 'tool') => {
    const columns = [
      { head: grouping === 'tool' ? 'Tool' : 'Model' },
      { head: 'Tokens', isNumber: true, isWide: true },
      { head: 'Share', isNumber: true },
      { head: 'Days', isNumber: true, isWide: true },
      { head: 'Yield', isNumber: true },
    ];
    const rows = groupedBy(buckets, grouping).map(({ name, totals, days, ...rest }): Cell[] => [
      grouping === 'tool'
        ? (name['tool'] ?? '')
        : { text: name['model'] ?? '', below: `${name['provider']}, ${name['tool']}` },
      tokensCell(totals.total),
      shareText(totals.total / total),
      String(days),
      yieldCell(rest),
    ]);
    return table(columns, rows);
  };
  return section(
    'split',
    'Tools and models',
    tableOf('tool'),
    tableOf('model'),
    paragraph(
      'Below each yield is its 95% interval. Tools count fresh input differently, so do not compare yields of different tools.',
      'soft small above',
    ),
  );
}

/** The tokens of each project. */
export function projectsSection({ projects, unnamed }: ProjectCounts): Html {
  const total = projects.reduce((sum, { counts }) => sum + totalOf(counts), 0);
  const columns = [
    { head: 'Project' },
    { head: 'Tokens', isNumber: true },
    { head: 'Share', isNumber: true },
    { head: 'Days', isNumber: true, isWide: true },
    { head: 'Last day', isWide: true },
    { head: 'Yield', isNumber: true },
  ];
  const rows = projects.map(({ name, counts, days, last }): Cell[] => [
    plain(name),
    tokensCell(totalOf(counts)),
    shareText(totalOf(counts) / total),
    String(days),
    dateText(last, 'full'),
    yieldCell({ yield: metricsOf([counts]).yield, interval: null }),
  ]);
  const missing =
    unnamed.length > 0
      ? paragraph(
          `Not all logs of ${unnamed.join(', ')} name a folder. Their tokens are not in this table.`,
          'soft small above',
        )
      : null;
  return section(
    'projects',
    'Projects',
    rows.length > 0 ? table(columns, rows) : paragraph('No log names the folder of its project.'),
    paragraph(
      `A project is the folder in which a tool worked: ${counted(projects.length, 'folder')}. Deleted logs are not included, and responses that a tool copied to another folder count in both. Names are only in this file. They are not saved elsewhere, and never sent.`,
      'soft small above',
    ),
    missing,
  );
}
