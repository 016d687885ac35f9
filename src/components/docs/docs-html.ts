/** Turns the HTML of a Markdown file into the HTML of a page. */

const HEADING = /<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs;
const CODE_BLOCK = /<pre><code[^>]*>.*?<\/code><\/pre>/gs;
/** A word that a browser would break after a hyphen. A longer one may break, so that it fits a phone. */
const HYPHENATED = /(?<=[\s>])[^\s<>&]*-[^\s<>&]*(?=[\s<])/g;
const LONG_WORD = 24;

/** Adds a link to each heading, which the Markdown version omits, and keeps options such as `--dry-run` on one line. */
export function pageHtml(html: string): string {
  return html.replaceAll(HEADING, withLink).replaceAll(CODE_BLOCK, (block) => {
    return block.replaceAll(HYPHENATED, (word) => {
      return word.length <= LONG_WORD ? `<span class="whole">${word}</span>` : word;
    });
  });
}

function withLink(heading: string, level: string, id: string, title: string): string {
  const name = title.replaceAll(/<[^>]+>/g, '').replaceAll('"', '&quot;');
  const link = `<a href="#${id}" aria-label="Link to “${name}”" data-screen-only>#</a>`;
  return `<div class="heading level-${level}">${heading}${link}</div>`;
}
