/** Renders an email in two forms: plain text, and HTML without styles that a dark mode would have to change. */
import { type Html, markup } from '#core/domain/text/escape.ts';

interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

interface Link {
  text: string;
  href: string;
}

/** A paragraph, a table or a link on a line of its own. */
export type MailPart = Link | Table | string;

export interface MailContent {
  subject: string;
  parts: readonly MailPart[];
}

export function plainText({ parts }: MailContent): string {
  return `${parts.map(plainPart).join('\n\n')}\n`;
}

function plainPart(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('href' in part) return `${part.text}:\n${part.href}`;
  // One line for each value, because mail programs rarely show plain text in a fixed width.
  return part.rows
    .map(([name, ...values]) => {
      const named = values.map((value, at) => `  ${part.head[at + 1] ?? ''}: ${value}`);
      return [name, ...named].join('\n');
    })
    .join('\n');
}

/** No colors and no remote content: the mail program chooses colors that fit its own theme. */
export function htmlText({ subject, parts }: MailContent): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:36em">
${parts.map(htmlPart)}
</div>
</body>
</html>
`.html;
}

const CELL = 'padding:4px 12px 4px 0;text-align:left;vertical-align:top';

function htmlPart(part: MailPart): Html {
  if (typeof part === 'string') return markup`<p>${part}</p>\n`;
  if ('href' in part) return markup`<p><a href="${part.href}">${part.text}</a></p>\n`;
  const head = part.head.map((text) => markup`<th scope="col" style="${CELL}">${text}</th>`);
  const rows = part.rows.map((row) => {
    return markup`<tr>${row.map((text) => markup`<td style="${CELL}">${text}</td>`)}</tr>\n`;
  });
  return markup`<table style="border-collapse:collapse">\n<tr>${head}</tr>\n${rows}</table>\n`;
}
