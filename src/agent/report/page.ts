/** A report as one HTML file. It loads nothing and has no scripts. */
import { createHash } from 'node:crypto';
import { utcDay } from '#core/domain/counting/day.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import base from '../../styles/base.css?raw';
import charts from '../../styles/charts.css?raw';
import tokens from '../../styles/tokens.css?raw';
import { type WindowEstimate, estimateOf } from '../loop/estimate.ts';
import { VERSION } from '../version.ts';
import { momentText } from '../text/figures.ts';
import { daysSection } from './day-section.ts';
import { logsSection, termsSection } from './log-section.ts';
import { joined, paragraph } from './parts.ts';
import own from './report.css?raw';
import type { ReportData } from './report-data.ts';
import { rankSection } from './rank-section.ts';
import { periodText, yieldSection } from './yield-section.ts';
import { calendarSection, historySection, sumsSection } from './time-sections.ts';
import { projectsSection, splitSection, tokensSection } from './token-sections.ts';

/** What the first kilobyte of every report contains. */
export const MARK = '<meta name="generator" content="opbench report">';

const STYLES = `@layer tokens, base, layout, report;\n${tokens}${base}${charts}${own}`;

/** Forbids everything except the style sheet in the file. */
const POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** The text of the file. */
export function reportPage(data: ReportData): string {
  const { days } = data;
  const title = days === null ? 'Your AI assistants' : `Your AI assistants, ${periodText(days)}`;
  const made = momentText(new Date(data.nowMs).toISOString());
  const body = days === null ? emptyBody(data) : wholeBody(data);
  const page = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ html: MARK }}
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: STYLES }}</style>
</head>
<body>
<main class="page">
<h1>${title}</h1>
<p class="lead">What the logs on this device say about how you use tokens. All days are UTC days.</p>
${body}
</main>
<footer class="page"><p>Made by opbench ${VERSION} on ${made}, on this device. The file loads nothing, and was not sent anywhere.</p></footer>
</body>
</html>
`;
  return page.html;
}

function wholeBody(data: ReportData): Html {
  const { buckets, report, estimate, nowMs } = data;
  const today = utcDay(nowMs);
  return joined([
    yieldSection(estimate),
    data.rank && rankSection(data.rank, estimate),
    historySection(data.rolling),
    calendarSection(buckets, today),
    tokensSection(buckets, report.totals),
    splitSection(buckets),
    daysSection(data.compared, standingsOf(data)),
    data.projects && projectsSection(data.projects),
    sumsSection(buckets),
    logsSection({ ...report, gone: data.gone }),
    termsSection(),
  ]);
}

/** The standing of each tool over all days of the report. */
function standingsOf({ buckets, nowMs }: ReportData): Map<string, WindowEstimate['standing']> {
  const { tools } = estimateOf(buckets, utcDay(nowMs), WINDOWS.slice(-1));
  return new Map(tools.map(({ tool, windows }) => [tool, windows[0]?.standing ?? null]));
}

/** The body if there are no tokens. */
function emptyBody({ report, gone }: ReportData): Html {
  return joined([
    paragraph(
      'No tokens were found for this period. To see which folders opbench searches, run: opbench doctor --offline',
      'above',
    ),
    logsSection({ ...report, gone }),
  ]);
}
