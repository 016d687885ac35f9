/** The page of a mirror: which log it has, and what its checks found. */
import { logPathOf } from '#core/domain/tlog/log-path.ts';
import { type MirrorReport, findingText } from './report.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8886}
code{overflow-wrap:anywhere}`;

const WORDS = new Map([
  [true, 'OK'],
  [false, 'Problem'],
  [null, 'Not checked yet'],
]);

export function reportPage(report: MirrorReport): string {
  const { board, origin, sound, size, board_size, root, vkey, complete_at, repaired, checks } =
    report;
  const log = logPathOf(origin ?? '');
  const facts: [string, string][] = [
    ['Board', board],
    ['Entries', `${size}${board_size === null ? '' : ` of ${board_size}`}`],
    ['Root', root ?? 'none'],
    ['Key of the log', vkey ?? 'none'],
    ['Last complete', complete_at ?? 'never'],
    ['Repaired files', repaired.last === null ? '0' : `${repaired.files}, last ${repaired.last}`],
  ];
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row">${name}</th><td><code>${escaped(value)}</code></td></tr>`,
  );
  const results = checks.map(({ ok, meaning, since, found, findings }) => {
    const lines = findings.map((finding) => `<br><code>${escaped(findingText(finding))}</code>`);
    const more = found > findings.length ? `<br>and ${found - findings.length} more` : '';
    const cells = [WORDS.get(ok) ?? '', `${meaning}${lines.join('')}${more}`, since ?? ''];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mirror of ${escaped(board)}</title>
<style>${STYLE}</style>
<h1>Mirror of ${escaped(board)}</h1>
<p>${sound ? 'No problems found.' : '<strong>Problems found.</strong>'} The log is at <a href="${log}/checkpoint">${log}/checkpoint</a>, in the form of C2SP tlog-tiles. This page as JSON: <a href="report.json">report.json</a>.</p>
<table>${rows.join('')}</table>
<h2>Checks</h2>
<table><thead><tr><th scope="col">Result</th><th scope="col">Check</th><th scope="col">Since</th></tr></thead><tbody>${results.join('')}</tbody></table>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
