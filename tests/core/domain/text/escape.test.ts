import { describe, expect, test } from 'vitest';
import { escapedMarkup, markup, scriptJson, withoutNonXml } from '#core/domain/text/escape.ts';
import { structuredData } from '#tests/support/pages/json-ld.ts';

const NEVER_XML = ['\u0000', '\u0008', '\u000b', '\u001f', '\ud800', '\udc00', '\ufffe', '\uffff'];
const HELD = 'a\t\n\r \u007f \u202e \ufffd \u{1f600} &<>"\'';

test('withoutNonXml() removes only characters that XML forbids', () => {
  expect(withoutNonXml(NEVER_XML.join('b'))).toBe('b'.repeat(NEVER_XML.length - 1));
  expect(withoutNonXml(HELD)).toBe(HELD);
});

test('escapedMarkup() leaves nothing that can open or close an element or attribute', () => {
  expect(escapedMarkup('</p><a href="x">&amp;\u0000')).toBe(
    '&lt;/p&gt;&lt;a href=&quot;x&quot;&gt;&amp;amp;',
  );
});

test('scriptJson() cannot close the element, and loses nothing', () => {
  const data = { name: '</script><!-- <script> & "\u2028' };
  const html = `<script type="application/ld+json">${scriptJson(data)}</script>`;

  expect(scriptJson(data)).not.toContain('<');
  expect(structuredData(html)).toEqual(data);
});

describe('markup', () => {
  test('escapes values between tags and in attributes', () => {
    const word = '"><script>&';
    expect(markup`<a title="${word}">${word}${7}</a>`.html).toBe(
      '<a title="&quot;&gt;&lt;script&gt;&amp;">&quot;&gt;&lt;script&gt;&amp;7</a>',
    );
  });

  test('inserts HTML unescaped, one value or a list', () => {
    const items = ['<a>', 'b'].map((each) => markup`<li>${each}</li>`);
    expect(markup`<ul>${items}</ul>${markup`<br>`}${[]}`.html).toBe(
      '<ul><li>&lt;a&gt;</li><li>b</li></ul><br>',
    );
  });
});
